import Definitions
import Records
import Values

/// The rules by which records of one entry are no data.
struct RecordSkips: Sendable {
  fileprivate enum Condition {
    /// With the type of the column that the first field is for.
    case singleField(ValueType?)
    case startsWith([UInt8])
    case noDigit(field: Int)
  }

  private let rules: [(name: String, condition: Condition)]

  init(_ head: SourceHead) {
    rules = head.skips.compactMap { rule in
      switch rule.condition {
      case .singleField:
        let first = head.fields.firstIndex(of: 0).map { head.layout.columns[$0].type }
        return (rule.rule, .singleField(first))
      case .startsWith(let text): return (rule.rule, .startsWith(Array(text.utf8)))
      case .noDigit(let name):
        let column = head.layout.columns.firstIndex { $0.name == name }
        return column.flatMap { head.fields[$0] }.map { (rule.rule, .noDigit(field: $0)) }
      }
    }
  }

  /// The first rule that leaves a record out.
  func rule(_ reader: borrowing RecordReader) -> String? {
    guard !rules.isEmpty else { return nil }
    return reader.withRecord { bytes, fields in
      rules.first { $0.condition.holds(bytes, fields) }?.name
    }
  }

  /// Whether a record is malformed only for its length, and left out anyway: a footnote may have any.
  func excuses(_ reader: borrowing RecordReader, _ malformation: Malformation) -> Bool {
    switch malformation {
    case .longerThanLayout, .shorterThanLayout: rule(reader) != nil
    default: false
    }
  }
}

extension RecordSkips.Condition {
  /// Whether a field could be a value of its column: then its record was cut off, and is no footnote.
  private static func isValue(_ field: Span<UInt8>, _ type: ValueType?) -> Bool {
    guard let type, type != .text else { return false }
    var scratch: [UInt8] = []
    if case .invalid = type.normalise(field, scratch: &scratch) { return false }
    return true
  }

  fileprivate func holds(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Bool {
    switch self {
    case .singleField(let first):
      guard fields.count > 0 else { return false }
      for index in 1..<max(1, fields.count) {
        for place in fields[index].range where bytes[place] != 0x20 { return false }
      }
      return !Self.isValue(bytes.extracting(fields[0].range), first)
    case .startsWith(let text):
      guard bytes.count >= text.count else { return false }
      for place in text.indices where bytes[place] != text[place] { return false }
      return true
    case .noDigit(let field):
      var holdsText = false
      for place in fields[field].range {
        if (0x30...0x39).contains(bytes[place]) { return false }
        holdsText = holdsText || bytes[place] != 0x20
      }
      return holdsText
    }
  }
}
