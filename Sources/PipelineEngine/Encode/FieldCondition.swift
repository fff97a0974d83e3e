import Definitions
import PipelineCore
import Records
import Values

/// Whether a column's rules hold in a record: by the field of another column.
final class FieldCondition: Sendable {
  private let value: FieldValue
  private let values: [[UInt8]]
  /// Those that are stored as they are written, which one look finds in most fields.
  private let plain: [PackedText]
  /// Whether it holds where nothing is stored but the default.
  private let holdsBlank: Bool

  /// What must hold of a record for the rules of a column to hold: all of it.
  ///
  /// `columns`: the columns of the table.
  /// `fields`: the numbers of their fields.
  /// `own`: the columns of a child table, whose conditions are by these where they have such a name.
  static func all(
    of column: LayoutColumn, among columns: [LayoutColumn], fields: [Int?], butFor own: [LayoutColumn] = []
  ) -> [FieldCondition] {
    [column.applies, column.country.map(Applicability.init(numbersOf:))].compactMap { applies in
      applies.flatMap { applies in
        own.contains { $0.name == applies.column }
          ? nil : FieldCondition(applies, among: columns, fields: fields)
      }
    }
  }

  /// Where nothing of a column counts, by a column of the record that a child's row is of; nil where it does in
  /// every record.
  ///
  /// `columns`, `fields`, `own`: as of ``all(of:among:fields:butFor:)``.
  static func blanking(
    _ column: LayoutColumn, among columns: [LayoutColumn], fields: [Int?], butFor own: [LayoutColumn] = []
  ) -> FieldCondition? {
    guard let rule = column.blankWhen?.applies, !own.contains(where: { $0.name == rule.column }) else {
      return nil
    }
    return FieldCondition(rule, among: columns, fields: fields)
  }

  private init?(_ applies: Applicability, among columns: [LayoutColumn], fields: [Int?]) {
    guard let value = FieldValue(applies.column, among: columns, fields: fields) else { return nil }
    let values = applies.values.map { Array($0.utf8) }
    self.value = value
    self.values = values
    holdsBlank = values.contains(value.defaultBytes)
    plain = values.filter(value.storesAsItIs).compactMap { PackedText($0.span) }
  }

  /// Whether the other field has one of the values; one that the file lacks is blank.
  @inline(__always)
  func holds(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, encoding: TextEncoding, placeholders: Placeholders,
    scratch: inout [UInt8]
  ) -> Bool {
    guard let place = value.place(in: fields) else { return holdsBlank }
    let text = bytes.extracting(place)
    if let packed = PackedText(text), plain.contains(packed), !placeholders.hold(text) { return true }
    return value.holds(bytes, fields, encoding: encoding, placeholders: placeholders, scratch: &scratch) {
      text in
      values.contains { text.isEqual($0) }
    }
  }
}

/// A text of at most seven bytes, which is compared at once.
struct PackedText: Equatable, Sendable {
  private let packed: UInt64

  /// nil where the text is longer.
  @inline(__always)
  init?(_ text: Span<UInt8>) {
    guard text.count < 8 else { return nil }
    var packed = UInt64(text.count)
    for place in text.indices { packed = packed << 8 | UInt64(text[place]) }
    self.packed = packed
  }
}

/// The value of another column of the same table, or of the record that a child's row is of, as it is stored.
struct FieldValue: Sendable {
  private let field: Int?
  private let type: ValueType
  private let words: StoredWords
  /// What is stored where the field is blank.
  let defaultBytes: [UInt8]

  /// `columns`: the columns of the table.
  /// `fields`: the numbers of their fields.
  init?(_ name: String, among columns: [LayoutColumn], fields: [Int?]) {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return nil }
    (field, type) = (fields[index], columns[index].type)
    words = StoredWords(columns[index])
    defaultBytes = columns[index].defaultText.map { Array($0.utf8) } ?? []
  }

  /// Where the field is; nil where nothing is in it, and where the file lacks it.
  @inline(__always)
  func place(in fields: Span<FieldRange>) -> Range<Int>? {
    guard let field, field < fields.count, !fields[field].isEmpty else { return nil }
    return fields[field].range
  }

  /// Whether a text is stored as it is written.
  func storesAsItIs(_ text: [UInt8]) -> Bool {
    var scratch: [UInt8] = []
    guard !text.isEmpty, words.isEmpty else { return false }
    switch type.normalise(text.span, encoding: .utf8, scratch: &scratch) {
    case .slice(let range): return range == text.indices
    case .scratch: return scratch == text
    case .blank, .invalid: return false
    }
  }

  /// Whether something is so of the value, which is empty where nothing is stored. Nothing is of one that is not
  /// of its type.
  @inline(__always)
  func holds(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, encoding: TextEncoding, placeholders: Placeholders,
    scratch: inout [UInt8], _ isSo: (Span<UInt8>) -> Bool
  ) -> Bool {
    guard let place = place(in: fields) else { return isSo(defaultBytes.span) }
    let text = bytes.extracting(place)
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
