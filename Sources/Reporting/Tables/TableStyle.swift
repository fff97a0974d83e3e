/// How tables are laid out: for a terminal of some width, or for a file and other programs.
public struct TableStyle: Sendable, Equatable {
  /// How many columns a line may take; nil for as many as it needs.
  public var width: Int?
  /// Whether states have a colour.
  public var isColoured: Bool

  /// A style for a terminal of some width; without one, lines are as long as they must be.
  public init(width: Int?, isColoured: Bool) { (self.width, self.isColoured) = (width, isColoured) }

  /// What files and other programs get.
  public static let plain = TableStyle(width: nil, isColoured: false)

  /// How wide a text is: in columns of the terminal, or in characters where there is none.
  func width(of text: String) -> Int { width == nil ? text.count : text.columns }

  /// A state in its colour, which says nothing that the word does not say.
  func shown(state text: String) -> String {
    guard isColoured, let code = StateTone(text).code else { return text }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }
}

/// Whether a state is as it should be, by its word.
enum StateTone {
  case good
  case waiting
  case bad
  case past
  case neutral

  /// The tone of a state such as `published` or `pending, late`.
  init(_ text: String) {
    // A mark may be before the word: `✓ ok`.
    let word = text.drop { !$0.isLetter }.prefix { $0 != "," && $0 != " " }
    switch word {
    case "published", "merged", "applied", "exact", "refreshed", "passed", "yes", "ok": self = .good
    case "pending", "late", "partial", "stale", "behind", "running", "staged", "accepted", "skipped",
      "warning":
      self = .waiting
    case "failed", "refused", "changed", "missing", "no", "error": self = .bad
    case "superseded", "withdrawn", "rolled_back", "dropped": self = .past
    default: self = .neutral
    }
  }

  /// The code of its colour, as ECMA-48 has it.
  var code: String? {
    switch self {
    case .good: "32"
    case .waiting: "33"
    case .bad: "31"
    case .past: "2"
    case .neutral: nil
    }
  }
}
