import Definitions
import PipelineCore
import Values

/// Looks values of an indicator up in its code list, finds those that have lost their leading zeros, and counts
/// those that the list lacks.
struct CodeLookup {
  /// The list's name.
  let list: String
  /// For each byte whether it is a code: most are of one.
  private let single: [Bool]
  /// The codes of seven bytes at most, each as one word; a list has few of them.
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
    short = codes.compactMap { $0.count <= 7 ? Self.word($0.span) : nil }
    long = Set(codes.filter { $0.count > 7 })
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
  mutating func look(_ value: Span<UInt8>) -> [UInt8]? { holds(value) ? nil : note(value) }

  /// Whether the list has some bytes for a code.
  @inline(__always)
  func holds(_ value: Span<UInt8>) -> Bool {
    if value.count == 1 { return single[Int(value[0])] }
    if value.count <= 7 { return short.contains(Self.word(value)) }
    return !long.isEmpty && long.contains(value.withUnsafeBufferPointer { Array($0) })
  }

  @inline(never)
  private mutating func note(_ value: Span<UInt8>) -> [UInt8]? {
    if let code = shortened[value.withUnsafeBufferPointer { Array($0) }] { return code }
    unknown.note(value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    return nil
  }

  /// Up to seven bytes as one word, which begins with their number so that no two share one.
  private static func word(_ value: Span<UInt8>) -> UInt64 {
    var word = UInt64(value.count)
    for place in value.indices { word = word << 8 | UInt64(value[place]) }
    return word
  }
}

extension CodeList {
  /// Whether all codes are values of a type as the list writes them, and hold nothing that COPY escapes.
  func isStored(as type: ValueType) -> Bool {
    var scratch: [UInt8] = []
    return codes.allSatisfy { code in
      let bytes = Array(code.code.utf8)
      return bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }
        && type.normalise(bytes.span, scratch: &scratch) == .slice(bytes.indices)
    }
  }
}
