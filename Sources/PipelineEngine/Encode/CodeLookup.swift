import Definitions
import PipelineCore

/// Looks values of an indicator up in its code list and counts those that the list lacks.
struct CodeLookup {
  /// The list's name.
  let list: String
  /// For each byte whether it is a code: most are of one.
  private let single: [Bool]
  /// The codes of eight bytes at most, each as one word; a list has few of them.
  private let short: [UInt64]
  private let long: Set<[UInt8]>
  /// How many records have a value that the list lacks, by value.
  private(set) var unknown: [String: Int] = [:]
  /// The same beyond the first ``keptValues`` values.
  private(set) var others = 0

  /// So many unknown values are distinguished.
  private static let keptValues = 20

  init(_ list: CodeList) {
    self.list = list.name
    let codes = list.codes.map { Array($0.code.utf8) }
    let bytes = Set(codes.filter { $0.count == 1 }.map { $0[0] })
    single = (0...UInt8.max).map(bytes.contains)
    short = codes.compactMap { code in
      code.count <= 8 ? code.withUnsafeBufferPointer { Self.word(Span(_unsafeElements: $0)) } : nil
    }
    long = Set(codes.filter { $0.count > 8 })
  }

  /// How many values were not known.
  var unknownCount: Int { unknown.values.reduce(others, +) }

  mutating func look(_ value: Span<UInt8>) {
    if value.count == 1 {
      if single[Int(value[0])] { return }
    } else if value.count <= 8 {
      if short.contains(Self.word(value)) { return }
    } else if !long.isEmpty, long.contains(value.withUnsafeBufferPointer { Array($0) }) {
      return
    }
    note(value)
  }

  @inline(never)
  private mutating func note(_ value: Span<UInt8>) {
    let text = value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    if unknown[text] != nil || unknown.count < Self.keptValues {
      unknown[text, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// Up to eight bytes as one word; no value holds a NUL byte, so that no two share one.
  private static func word(_ value: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for place in value.indices { word = word << 8 | UInt64(value[place]) }
    return word
  }
}
