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

  private func isAmong(_ text: Span<UInt8>) -> Bool {
    values.contains { value in
      guard value.count == text.count else { return false }
      for place in text.indices where text[place] != value[place] { return false }
      return true
    }
  }
}

/// The value of another column of the same table, as its own type makes it.
struct FieldValue: Sendable {
  private let field: Int?
  private let type: ValueType

  /// `columns`: the columns of the table.
  /// `fields`: the numbers of their fields.
  init?(_ name: String, among columns: [LayoutColumn], fields: [Int?]) {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return nil }
    (field, type) = (fields[index], columns[index].type)
  }

  /// Whether something is so of the value, which is empty where the field is blank or the file lacks it. Nothing
  /// is of one that is not of its type.
  @inline(__always)
  func holds(
    _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, encoding: TextEncoding, placeholders: Placeholders,
    scratch: inout [UInt8], _ isSo: (Span<UInt8>) -> Bool
  ) -> Bool {
    guard let field, field < fields.count, !fields[field].isEmpty else { return isSo(Span()) }
    let text = bytes.extracting(fields[field].range)
    if placeholders.hold(text) { return isSo(Span()) }
    switch type.normalise(text, encoding: encoding, scratch: &scratch) {
    case .blank: return isSo(Span())
    case .slice(let range): return isSo(text.extracting(range))
    case .scratch: return isSo(scratch.span)
    case .invalid: return false
    }
  }
}
