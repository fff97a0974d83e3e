import Definitions
import PipelineCore

/// Looks values of an indicator up in its code list, finds those that have lost their leading zeros, and counts
/// those that the list lacks.
struct CodeLookup {
  /// The list's name.
  let list: String
  /// For each byte whether it is a code: most are of one.
  private let single: [Bool]
  /// The codes of eight bytes at most, each as one word; a list has few of them.
  private let short: [UInt64]
  private let long: Set<[UInt8]>
  /// The codes that begin with zeros, by what a spreadsheet leaves of them; of two that it makes the same, none.
  private let shortened: [[UInt8]: [UInt8]]
  /// How many records have a value that the list lacks, by value.
  private(set) var unknown = ValueCounts()

  init(_ list: CodeList) {
    self.list = list.name
    let codes = list.codes.map { Array($0.code.utf8) }
    let bytes = Set(codes.filter { $0.count == 1 }.map { $0[0] })
    single = (0...UInt8.max).map(bytes.contains)
    short = codes.compactMap { code in
      code.count <= 8 ? code.withUnsafeBufferPointer { Self.word(Span(_unsafeElements: $0)) } : nil
    }
    long = Set(codes.filter { $0.count > 8 })
    let zero = UInt8(ascii: "0")
    let numbers = codes.filter { code in
      code.count > 1 && code[0] == zero && code.allSatisfy { (zero...UInt8(ascii: "9")).contains($0) }
    }
    let rests = Dictionary(grouping: numbers) { code in
      code.allSatisfy { $0 == zero } ? [zero] : Array(code.drop { $0 == zero })
    }
    shortened = rests.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// Looks a value up; gives the only code that it is without its leading zeros, where the list has just that.
  mutating func look(_ value: Span<UInt8>) -> [UInt8]? {
    if value.count == 1 {
      if single[Int(value[0])] { return nil }
    } else if value.count <= 8 {
      if short.contains(Self.word(value)) { return nil }
    } else if !long.isEmpty, long.contains(value.withUnsafeBufferPointer { Array($0) }) {
      return nil
    }
    return note(value)
  }

  @inline(never)
  private mutating func note(_ value: Span<UInt8>) -> [UInt8]? {
    if let code = shortened[value.withUnsafeBufferPointer { Array($0) }] { return code }
    unknown.note(value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    return nil
  }

  /// Up to eight bytes as one word; no value holds a NUL byte, so that no two share one.
  private static func word(_ value: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    for place in value.indices { word = word << 8 | UInt64(value[place]) }
    return word
  }
}
