import Reporting

/// How something is, for readers who look for what is wrong; shown by a sign beside the word, never by colour
/// alone.
public enum Tone: String, Sendable {
  /// As it should be.
  case good
  /// Worth a look.
  case warning
  /// Wrong.
  case bad
  /// None of these.
  case neutral

  var sign: String {
    switch self {
    case .good: "✓"
    case .warning: "!"
    case .bad: "✗"
    case .neutral: "·"
    }
  }
}

/// A cell of a table.
public struct PageCell: Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  let text: String
  var order: String?
  var tone: Tone?
  var link: String?
  /// What links to the cell end with.
  var place: String?
  /// Whether it is text of a program, such as a name in a database.
  var isCode = false

  /// Text; nothing where there is none.
  public init(_ text: String?) { self.text = text ?? "" }

  /// Text.
  public init(stringLiteral text: String) { self.text = text }

  /// A number with commas between thousands; nothing where there is none.
  public init(_ number: Int?) {
    text = number?.grouped ?? ""
    order = number.map(String.init)
  }

  /// A number that is shown in another way than it is ordered by.
  public init(_ text: String?, orderedBy number: Double?) {
    self.text = text ?? ""
    order = number.map { "\($0)" }
  }

  /// A word for how something is.
  public init(_ text: String, tone: Tone) {
    self.text = text
    self.tone = tone
  }

  /// The same, leading to a place on the page (`#id`) or a page beside it.
  public func linking(to link: String) -> PageCell {
    var cell = self
    cell.link = link
    return cell
  }

  /// The same as a place that links can lead to, by an id that no other has on the page.
  public func placed(as id: String) -> PageCell {
    var cell = self
    cell.place = id
    return cell
  }

  /// The same, as text of a program: a name, a type, a pattern.
  public var code: PageCell {
    var cell = self
    cell.isCode = true
    return cell
  }
}

extension Tone {
  /// The sign, which readers of the screen pass over: the word says the same.
  var markup: Markup { Markup("span", ["class": "sign", "aria-hidden": "true"], text: sign) }
}
