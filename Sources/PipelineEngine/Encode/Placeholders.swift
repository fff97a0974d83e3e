import Definitions
import PipelineCore
import Records
import Values

/// The texts that say in a publisher's files that nothing is there, in whatever letter case.
struct Placeholders: Sendable {
  /// In capitals.
  private let texts: [[UInt8]]
  /// For each byte whether a text begins with it: most fields need no more than a look at their first.
  private let begins: [Bool]
  /// Whether what people write where nothing is there is one of them, see ``Placeholder/isMark(_:)``.
  private let knowsMarks: Bool

  init(_ texts: [String], marks: Bool = false) {
    knowsMarks = marks
    self.texts = texts.map { $0.utf8.map(Self.upper) }
    let first = Set(self.texts.compactMap(\.first))
    begins = first.isEmpty ? [] : (0...UInt8.max).map { $0 == 0x20 || first.contains(Self.upper($0)) }
  }

  /// Whether a field is one of them, blanks at its ends left out.
  @inline(__always)
  func hold(_ field: Span<UInt8>) -> Bool {
    guard field.count > 0 else { return false }
    if knowsMarks, Placeholder.isMark(field) { return true }
    guard !begins.isEmpty, begins[Int(field[0])] else { return false }
    return isOne(field)
  }

  private func isOne(_ field: Span<UInt8>) -> Bool {
    var (start, end) = (0, field.count)
    while start < end, field[start] == 0x20 { start &+= 1 }
    while end > start, field[end &- 1] == 0x20 { end &-= 1 }
    return texts.contains { text in
      guard text.count == end &- start else { return false }
      for place in text.indices where Self.upper(field[start &+ place]) != text[place] { return false }
      return true
    }
  }

  @inline(__always)
  private static func upper(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte & 0xDF : byte }
}

/// What stands for a blank in one column's field beside what does so in all of them.
struct ColumnPlaceholders: Sendable {
  private let texts: Placeholders
  /// The field that must say nothing either; nil where there is no such condition.
  private let other: Int?
  private let hasCondition: Bool
  /// What says that nothing counts beside it.
  private let rival: FieldValue?
  /// Where nothing counts.
  private let blanking: FieldCondition?

  /// `columns`: the columns of the table.
  /// `fields`: the numbers of their fields.
  init?(_ column: LayoutColumn, among columns: [LayoutColumn], fields: [Int?]) {
    guard let rule = column.blankWhen else { return nil }
    texts = Placeholders(rule.texts)
    hasCondition = rule.without != nil
    other = rule.without.flatMap { name in columns.firstIndex { $0.name == name } }.flatMap { fields[$0] }
    rival = rule.with.flatMap { FieldValue($0, among: columns, fields: fields) }
    blanking = FieldCondition.blanking(column, among: columns, fields: fields)
  }

  /// Whether a field says nothing; a condition on a field that the file lacks holds.
  func hold(
    _ field: Int, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>, encoding: TextEncoding,
    common: Placeholders, scratch: inout [UInt8]
  ) -> Bool {
    if let rival {
      return rival.holds(bytes, fields, encoding: encoding, placeholders: common, scratch: &scratch) {
        !$0.isEmpty
      }
    }
    if let blanking {
      return blanking.holds(bytes, fields, encoding: encoding, placeholders: common, scratch: &scratch)
    }
    guard texts.hold(bytes.extracting(fields[field].range)) else { return false }
    guard hasCondition, let other, other < fields.count else { return true }
    let text = bytes.extracting(fields[other].range)
    return !bytes.holdsText(fields[other].range) || common.hold(text) || texts.hold(text)
  }
}
