import Definitions
import PipelineCore
import PostgreSQL
import Records
import Values

/// What the key of a rejected record is, as far as its fields say it: by this a question for the key learns that
/// the record was there and was rejected.
///
/// A column whose value is missing or not of its type is left out. Nothing is kept of a layout with a sensitive
/// column.
final class RejectedKey {
  private var columns: [ColumnEncoder]
  private var scratch = ColumnEncoder.Scratch()
  private var buffer = CopyBuffer.discarding()

  /// The key's columns of an entry's layout; nil where none may be kept.
  init?(_ head: SourceHead, key: [String], lists: [String: CodeList] = [:], showsValues: Bool) {
    guard showsValues else { return nil }
    let isFixedWidth = if case .fixedWidth = head.format { true } else { false }
    let isJSON = if case .tree(let format) = head.format { format.syntax != .xml } else { false }
    columns = zip(head.layout.columns, head.fields).compactMap { column, field in
      // The number of a record says nothing to anybody who asks.
      guard key.contains(column.name), column.origin != .recordNumber else { return nil }
      return ColumnEncoder(
        column, field: field, isFixedWidth: isFixedWidth, isJSON: isJSON, lists: lists,
        conditions: FieldCondition.all(of: column, among: head.layout.columns, fields: head.fields),
        placeholders: ColumnPlaceholders(column, among: head.layout.columns, fields: head.fields),
        keepsLast: true)
    }
    scratch.placeholders = Placeholders(head.layout.placeholders, marks: head.layout.knowsPlaceholders)
    if columns.isEmpty { return nil }
  }

  /// The key as a JSON object, by column; nil where nothing of it is known.
  func text(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>, encoding: TextEncoding) -> String? {
    scratch.encoding = encoding
    var known: [(String, JSON)] = []
    for index in columns.indices {
      if case .field(let place) = columns[index].source, place >= fields.count { continue }
      let mark = buffer.mark
      defer { buffer.dropRows(from: mark) }
      do { try columns[index].write(bytes, fields, record: 0, &scratch, into: &buffer) } catch { continue }
      known.append((columns[index].name, .string(String(decoding: columns[index].last, as: UTF8.self))))
    }
    return known.isEmpty ? nil : JSON.object(known).text
  }
}
