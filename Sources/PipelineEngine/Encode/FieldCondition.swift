import Definitions
import PipelineCore
import Records
import Values

/// Whether a column's rules hold in a record: by the field of another column.
struct FieldCondition {
  private let value: FieldValue
  private let values: [[UInt8]]

  /// What must hold of a record for the rules of a column to hold: all of it.
  ///
  /// `columns`: the columns of the table.
  /// `fields`: the numbers of their fields.
  /// `own`: the columns of a child table, whose conditions are by these where they have such a name.
  static func all(
    of column: LayoutColumn, among columns: [LayoutColumn], fields: [Int?], butFor own: [LayoutColumn] = []
  ) -> [Self] {
    [column.applies, column.country.map(Applicability.init(numbersOf:))].compactMap { applies in
      applies.flatMap { applies in
        own.contains { $0.name == applies.column } ? nil : Self(applies, among: columns, fields: fields)
      }
    }
  }

  /// Where nothing of a column counts, by a column of the record that a child's row is of; nil where it does in
  /// every record.
  ///
  /// `columns`, `fields`, `own`: as of ``all(of:among:fields:butFor:)``.
  static func blanking(
    _ column: LayoutColumn, among columns: [LayoutColumn], fields: [Int?], butFor own: [LayoutColumn] = []
  ) -> Self? {
    guard let rule = column.blankWhen?.applies, !own.contains(where: { $0.name == rule.column }) else {
      return nil
    }
    return Self(rule, among: columns, fields: fields)
  }

  private init?(_ applies: Applicability, among columns: [LayoutColumn], fields: [Int?]) {
    guard let value = FieldValue(applies.column, among: columns, fields: fields) else { return nil }
    self.value = value
    values = applies.values.map { Array($0.utf8) }
  }

  /// Whether the other field has one of the values; one that the file lacks is blank.
  @inline(__always)
  func holds(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, encoding: TextEncoding, placeholders: Placeholders,
    scratch: inout [UInt8]
  ) -> Bool {
    value.holds(bytes, fields, encoding: encoding, placeholders: placeholders, scratch: &scratch, isAmong)
  }

  private func isAmong(_ text: Span<UInt8>) -> Bool { values.contains { text.isEqual($0) } }
}

/// The value of another column of the same table, or of the record that a child's row is of, as it is stored.
struct FieldValue: Sendable {
  private let field: Int?
  private let type: ValueType
  private let words: StoredWords
  private let defaultBytes: [UInt8]

  /// `columns`: the columns of the table.
  /// `fields`: the numbers of their fields.
  init?(_ name: String, among columns: [LayoutColumn], fields: [Int?]) {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return nil }
    (field, type) = (fields[index], columns[index].type)
    words = StoredWords(columns[index])
    defaultBytes = columns[index].defaultText.map { Array($0.utf8) } ?? []
  }

  /// Whether something is so of the value, which is empty where nothing is stored. Nothing is of one that is not
  /// of its type.
  @inline(__always)
  func holds(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, encoding: TextEncoding, placeholders: Placeholders,
    scratch: inout [UInt8], _ isSo: (Span<UInt8>) -> Bool
  ) -> Bool {
    guard let field, field < fields.count, !fields[field].isEmpty else { return isSo(defaultBytes.span) }
    let text = bytes.extracting(fields[field].range)
    if placeholders.hold(text) { return isSo(defaultBytes.span) }
    switch type.normalise(text, encoding: encoding, scratch: &scratch) {
    case .blank: return isSo(defaultBytes.span)
    case .slice(let range): return holds(text.extracting(range), isSo)
    case .scratch: return holds(scratch.span, isSo)
    case .invalid: return false
    }
  }

  @inline(__always)
  private func holds(_ value: Span<UInt8>, _ isSo: (Span<UInt8>) -> Bool) -> Bool {
    guard !words.isEmpty else { return isSo(value) }
    return words.word(for: value).map { isSo($0.span) } ?? false
  }
}

/// What is stored for the values of a column.
struct StoredWords: Sendable {
  private let words: [(value: [UInt8], word: [UInt8])]
  /// What is stored for any other value; nil where that is a fault.
  private let other: [UInt8]?

  init(_ column: LayoutColumn) {
    words = column.words.map { (Array($0.key.utf8), Array($0.value.utf8)) }
    other = column.words[LayoutColumn.anyOther].map { Array($0.utf8) }
  }

  /// Whether values are stored as they are.
  var isEmpty: Bool { words.isEmpty }

  /// What is stored for a value; nil where it is none of those known.
  func word(for value: Span<UInt8>) -> [UInt8]? {
    words.first { value.isEqual($0.value) }?.word ?? other
  }
}

extension Span<UInt8> {
  /// Whether the bytes are these.
  func isEqual(_ bytes: [UInt8]) -> Bool {
    guard count == bytes.count else { return false }
    for place in indices where self[place] != bytes[place] { return false }
    return true
  }
}
