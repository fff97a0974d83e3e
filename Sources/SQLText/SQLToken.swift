/// A place in a text; the first line and the first column are 1, a column is a character.
public struct SQLPlace: Sendable, Hashable {
  /// The line.
  public var line: Int
  /// The column.
  public var column: Int

  /// A place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SQLPlace {
  /// The place of a byte of a text.
  init(of index: Int, in bytes: [UInt8], firstLine: Int) {
    let line = bytes[..<index].split(separator: 0x0a, omittingEmptySubsequences: false)
    self.init(line: firstLine + line.count - 1, column: 1 + (line.last ?? []).count { $0 & 0xc0 != 0x80 })
  }
}

/// A piece of SQL: a comment, a quote, a word, or a single mark.
public struct SQLToken: Sendable {
  /// What a token is.
  public enum Kind: Sendable, Equatable {
    /// A comment of either form.
    case comment
    /// Blanks and line ends.
    case blank
    /// A keyword or unquoted name.
    case word
    /// A string, a quoted name or a dollar quote.
    case quote
    /// The end of a statement.
    case semicolon
    /// Anything else, one byte of it.
    case mark
  }

  /// What it is.
  public let kind: Kind
  /// Its bytes in the text.
  public let range: Range<Int>
  /// Where it begins.
  public let place: SQLPlace
  /// A comment or quote that ends; false where the text ends first.
  public let isClosed: Bool
}
