import Values

/// A text with tables in it, which are laid out only where it is known what they are shown on.
public struct ConsoleText: Sendable, ExpressibleByStringInterpolation {
  private enum Piece: Sendable {
    case text(String)
    case table(TextTable)
    /// Of two tables the one that a terminal has room for, and the one that programs read.
    case either(TextTable, TextTable)
  }

  private var pieces: [Piece] = []

  /// A text without a table.
  public init(_ text: String) { if !text.isEmpty { pieces = [.text(text)] } }

  /// A text without a table.
  public init(stringLiteral text: String) { self.init(text) }

  /// A table and nothing else.
  public init(_ table: TextTable) { pieces = [.table(table)] }

  /// A table for a terminal, which folds what is wide, and a narrower one for everything else.
  public init(atTerminal table: TextTable, elsewhere other: TextTable) { pieces = [.either(table, other)] }

  /// There is nothing to show.
  public var isEmpty: Bool { pieces.isEmpty }

  /// The whole as lines; what would steer a terminal is shown by its number.
  public func text(in style: TableStyle) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text.printable()
      case .table(let table): table.text(in: style)
      case .either(let table, let other): (style.width == nil ? other : table).text(in: style)
      }
    }.joined()
  }

  /// One after the other.
  public static func + (first: ConsoleText, second: ConsoleText) -> ConsoleText {
    var both = first
    both.pieces += second.pieces
    return both
  }

  /// One after the other.
  public static func + (first: ConsoleText, second: String) -> ConsoleText { first + ConsoleText(second) }

  /// One after the other.
  public static func + (first: String, second: ConsoleText) -> ConsoleText { ConsoleText(first) + second }

  /// Adds a text at the end.
  public static func += (text: inout ConsoleText, more: ConsoleText) { text.pieces += more.pieces }

  /// Adds a text at the end.
  public static func += (text: inout ConsoleText, more: String) { text += ConsoleText(more) }
}

extension Sequence<ConsoleText> {
  /// One text of all, with another between them.
  public func joined(separator: String = "") -> ConsoleText {
    var whole = ConsoleText("")
    for (index, text) in enumerated() { whole += (index > 0 ? ConsoleText(separator) : "") + text }
    return whole
  }
}
