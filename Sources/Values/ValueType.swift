/// What the text of a field means, as a layout's `type` says it.
///
/// | text | meaning |
/// |---|---|
/// | `text` | any text, blanks at both ends removed |
/// | `line` | a text on one line: every run of blanks and line ends is one blank |
/// | `code` | printable ASCII, upper-cased |
/// | `digits(n)` | digits, filled with zeros on the left to n |
/// | `hcpcs` | a CPT or HCPCS Level II code, five characters; lost leading zeros are restored |
/// | `modifier` | a CPT or HCPCS modifier, two letters or digits |
/// | `decimal(p,s)` | an exact number of at most p digits, s of them after the point |
/// | `integer` | a whole number of four bytes |
/// | `date`, `date(MM/DD/YYYY)`, `date(YYYYMMDD)` | a calendar date |
/// | `flag(NA)` | true where the field is NA, false where it is blank |
public enum ValueType: Equatable, Hashable, Sendable {
  /// Any text.
  case text
  /// A text on one line, every run of blanks one blank.
  case line
  /// Printable ASCII, upper-cased.
  case code
  /// Digits, filled with zeros on the left to `count`.
  case digits(count: Int)
  /// A CPT or HCPCS Level II code.
  case hcpcs
  /// A CPT or HCPCS modifier.
  case modifier
  /// An exact number of at most `precision` digits, `scale` of them after the point.
  case decimal(precision: Int, scale: Int)
  /// A whole number of four bytes, PostgreSQL's `integer`.
  case integer
  /// A calendar date.
  case date(DateOrder)
  /// True where the field is `mark`, false where it is blank.
  case flag(FlagMark)

  /// The order in which a date is written.
  ///
  /// An ISO date is understood in each.
  public enum DateOrder: String, CaseIterable, Sendable {
    /// 2025-01-31.
    case iso = "YYYY-MM-DD"
    /// 01/31/2025, also without leading zeros.
    case monthDayYear = "MM/DD/YYYY"
    /// 20250131.
    case compact = "YYYYMMDD"
  }

  /// The most digits a `decimal` or `digits` may have.
  public static let mostDigits = 38

  /// The type that a layout's text names; nil if there is none such.
  public init?(_ text: String) {
    let (name, argument) = Self.split(text)
    switch (name, argument) {
    case ("text", nil): self = .text
    case ("line", nil): self = .line
    case ("code", nil): self = .code
    case ("hcpcs", nil): self = .hcpcs
    case ("modifier", nil): self = .modifier
    case ("integer", nil): self = .integer
    case ("date", nil): self = .date(.iso)
    case ("date", let order?):
      guard let order = DateOrder(rawValue: order) else { return nil }
      self = .date(order)
    case ("digits", let count?):
      guard let count = Self.count(count), count > 0 else { return nil }
      self = .digits(count: count)
    case ("decimal", let sizes?):
      let parts = sizes.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 2, let precision = Self.count(parts[0]), let scale = Self.count(parts[1]),
        precision > 0, scale <= precision
      else { return nil }
      self = .decimal(precision: precision, scale: scale)
    case ("flag", let mark?):
      guard let mark = FlagMark(mark) else { return nil }
      self = .flag(mark)
    default: return nil
    }
  }

  /// `decimal(8,2)` into its name and what stands in the parentheses.
  private static func split(_ text: String) -> (name: String, argument: String?) {
    guard let open = text.firstIndex(of: "(") else { return (text, nil) }
    guard text.last == ")" else { return ("", nil) }
    let argument = text[text.index(after: open)...].dropLast()
    return (String(text[..<open]), String(trimmed(argument)))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var rest = text.drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return rest
  }

  private static func count(_ text: some StringProtocol) -> Int? {
    let digits = trimmed(Substring(text))
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let count = Int(digits),
      count <= mostDigits
    else { return nil }
    return count
  }
}

extension ValueType: CustomStringConvertible {
  /// The type as a layout writes it.
  public var description: String {
    switch self {
    case .text: "text"
    case .line: "line"
    case .code: "code"
    case .digits(let count): "digits(\(count))"
    case .hcpcs: "hcpcs"
    case .modifier: "modifier"
    case .decimal(let precision, let scale): "decimal(\(precision),\(scale))"
    case .integer: "integer"
    case .date(.iso): "date"
    case .date(let order): "date(\(order.rawValue))"
    case .flag(let mark): "flag(\(mark))"
    }
  }
}
