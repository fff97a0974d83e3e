import Definitions
import PipelineCore
import Records
import Values

/// The rules by which records of one entry are no rows of their own.
struct RecordSkips: Sendable {
  fileprivate enum Condition {
    /// With the type of the column that the first field is for.
    case singleField(ValueType?)
    case startsWith([UInt8])
    case noDigit(field: Int)
    case value(field: Int, oneOf: [[UInt8]], isOther: Bool)
  }

  private let rules: [(name: String, condition: Condition, refusal: String?)]
  /// Whether any of them refuses the records that it is about.
  private let refuses: Bool
  /// The name of the rule that tells records of other kinds.
  private let kindRule: String?
  private let goesOn: Condition?
  /// The first field of the record as its publisher wrote it.
  private let firstField: Int
  /// The name of the rule for records that continue the one before, where there is one.
  let continuation: String?
  /// The fields whose text such records continue.
  let joined: [Int]
  /// The fields of the key, which such records have in common with the one that they continue.
  let sameKey: [Int]

  init(_ head: SourceHead, key: [String]) {
    func field(_ name: String) -> Int? {
      head.layout.columns.firstIndex { $0.name == name }.flatMap { head.fields[$0] }
    }
    func value(_ name: String, _ values: [String]) -> Condition? {
      field(name).map { .value(field: $0, oneOf: values.map { Array($0.utf8) }, isOther: false) }
    }
    let firstField = head.hasReasons ? 1 : 0
    self.firstField = firstField
    kindRule = head.kind?.rule
    rules = head.skips.compactMap { rule in
      let condition: Condition? =
        switch rule.condition {
        case .singleField:
          .singleField(head.fields.firstIndex(of: firstField).map { head.layout.everyColumn[$0].type })
        case .startsWith(let text): .startsWith(Array(text.utf8))
        case .noDigit(let name): field(name).map { .noDigit(field: $0) }
        case .value(let name, let values): value(name, values)
        case .otherValue(let name, let values):
          field(name).map { .value(field: $0, oneOf: values.map { Array($0.utf8) }, isOther: true) }
        }
      return condition.map { (rule.rule, $0, rule.refusal) }
    }
    refuses = rules.contains { $0.refusal != nil }
    let rule = head.layout.continuation
    goesOn = rule.flatMap { value($0.column, $0.values) }
    continuation = goesOn == nil ? nil : rule?.rule
    joined = rule?.joined.compactMap(field) ?? []
    sameKey = key.compactMap(field)
  }

  /// The first rule that leaves a record out.
  func rule(_ reader: borrowing RecordReader) -> String? {
    guard let rule = first(reader), rule.refusal == nil else { return nil }
    return rule.name
  }

  /// Why a record is refused, where the first rule that it meets says so.
  func refusal(_ reader: borrowing RecordReader) -> Fault? {
    guard refuses, let rule = first(reader), let refusal = rule.refusal else { return nil }
    return Fault(column: nil, rule: rule.name, explanation: refusal)
  }

  private func first(
    _ reader: borrowing RecordReader
  ) -> (name: String, condition: Condition, refusal: String?)? {
    guard !rules.isEmpty else { return nil }
    return reader.withRecord { bytes, fields in
      rules.first { $0.condition.holds(bytes, fields, from: firstField) }
    }
  }

  /// What a record is that is of none of the kinds wanted, where records tell their kinds.
  func otherKind(_ reader: borrowing RecordReader) -> String? {
    guard let kindRule, let rule = rules.first(where: { $0.name == kindRule }),
      case .value(let field, _, true) = rule.condition
    else { return nil }
    return reader.withRecord { bytes, fields in
      guard field < fields.count, rule.condition.holds(bytes, fields, from: firstField) else { return nil }
      let text = bytes.extracting(bytes.trimmed(fields[field].range))
      // A kind is a word; what is longer is none, and would fill the memory.
      guard (1...64).contains(text.count) else { return "" }
      return text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Whether a record is left out: by a rule, and not malformed beyond what its rule excuses.
  func leavesOut(_ reader: borrowing RecordReader) -> Bool {
    if let malformation = reader.malformation, !excuses(reader, malformation) { return false }
    return rule(reader) != nil
  }

  /// Whether a record continues the one before it.
  func isContinuation(_ reader: borrowing RecordReader) -> Bool {
    guard let goesOn else { return false }
    return reader.withRecord { bytes, fields in goesOn.holds(bytes, fields, from: firstField) }
  }

  /// Whether a record is malformed only for its length, and no row of its own anyway: a footnote may have
  /// any.
  func excuses(_ reader: borrowing RecordReader, _ malformation: Malformation) -> Bool {
    switch malformation {
    case .longerThanLayout: rule(reader) != nil
    // The last of a file that was cut off is short, too.
    case .shorterThanLayout: rule(reader) != nil || isContinuation(reader) && !reader.isUnended
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

  fileprivate func holds(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>, from first: Int) -> Bool {
    switch self {
    case .singleField(let type):
      guard fields.count > first else { return false }
      for index in (first + 1)..<max(first + 1, fields.count) where bytes.holdsText(fields[index].range) {
        return false
      }
      return !Self.isValue(bytes.extracting(fields[first].range), type)
    case .startsWith(let text):
      let start = first == 0 ? 0 : first < fields.count ? fields[first].lowerBound : bytes.count
      guard bytes.count - start >= text.count else { return false }
      for place in text.indices where bytes[start + place] != text[place] { return false }
      return true
    case .noDigit(let field):
      guard field < fields.count else { return false }
      var holdsText = false
      for place in fields[field].range {
        if (0x30...0x39).contains(bytes[place]) { return false }
        holdsText = holdsText || bytes[place] != 0x20
      }
      return holdsText
    case .value(let field, let values, let isOther):
      guard field < fields.count else { return false }
      let text = bytes.trimmed(fields[field].range)
      let isHeld = values.contains { value in
        guard value.count == text.count else { return false }
        for (place, byte) in zip(text, value) where bytes[place] != byte { return false }
        return true
      }
      return isHeld != isOther
    }
  }
}

extension Span<UInt8> {
  /// A place without the blanks at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, self[lower] == 0x20 { lower += 1 }
    while upper > lower, self[upper - 1] == 0x20 { upper -= 1 }
    return lower..<upper
  }
}
