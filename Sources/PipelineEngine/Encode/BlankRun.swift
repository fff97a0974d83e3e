import PipelineCore
import Records

/// Fields of slots that lie side by side: those of the first slot, then those of the second, and so on.
///
/// A wide record is mostly empty slots. That there is nothing in all that are left is seen by the bytes
/// between the first of their fields and the last, at a fraction of the time of a look at each.
struct BlankRun: Equatable {
  /// The field that it begins with.
  let first: Int
  /// How many fields a slot has in it.
  let width: Int
  /// How many slots.
  let slots: Int

  /// The runs that slots consist of; none where they do not.
  ///
  /// `slots`: the fields of each, in order.
  static func runs(of slots: [[Int]]) -> [BlankRun] {
    guard slots.count > 1, let start = slots.first, !start.isEmpty else { return [] }
    var runs: [BlankRun] = []
    for field in start {
      if let last = runs.last, last.first + last.width == field {
        runs[runs.count - 1] = BlankRun(first: last.first, width: last.width + 1, slots: slots.count)
      } else {
        runs.append(BlankRun(first: field, width: 1, slots: slots.count))
      }
    }
    let expected = slots.indices.map { slot in
      runs.flatMap { run in (0..<run.width).map { run.first + slot * run.width + $0 } }
    }
    return expected == slots ? runs : []
  }

  /// Whether the fields of a slot and of all behind it are empty: delimiters alone, or pairs of quotes
  /// between them. Where they are in another way, false.
  @inline(__always)
  func isEmpty(from slot: Int, _ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> Bool {
    let last = first &+ slots &* width &- 1
    let start = first &+ slot &* width
    guard start <= last else { return true }
    guard last < fields.count, fields[start].isEmpty, fields[last].isEmpty else { return false }
    let (lower, upper, gaps) = (fields[start].lowerBound, fields[last].upperBound, last &- start)
    if upper &- lower == gaps { return true }
    guard upper &- lower == 3 &* gaps, upper < bytes.count else { return false }
    return Self.isPairs(bytes, lower, upper)
  }

  /// Whether bytes are the end of a pair of quotes, a delimiter and the beginning of the next pair, again and
  /// again.
  private static func isPairs(_ bytes: Span<UInt8>, _ lower: Int, _ upper: Int) -> Bool {
    guard upper &- lower >= 3 else { return true }
    let (quote, delimiter) = (bytes[lower], bytes[lower &+ 1])
    guard quote == 0x22, delimiter != quote, bytes[lower &+ 2] == quote else { return false }
    // What repeats every three bytes is the same three bytes on.
    var place = lower
    while place &+ 11 <= upper {
      let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
      let next = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: place &+ 3, as: UInt64.self)
      if word != next { return false }
      place &+= 8
    }
    while place &+ 3 < upper {
      if bytes[place] != bytes[place &+ 3] { return false }
      place &+= 1
    }
    return true
  }
}
