import Glibc

/// Changes of inputs that nothing leads: bits and bytes, pieces that are left out, repeated, or come from
/// another input, and words of the format.
struct RandomChange {
  /// Where numbers end, in any format.
  private static let numbers = [
    "0", "-1", "65536", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "1e400", "-0.0", "99999999999999999999999999999999999999",
  ]

  private let words: [[UInt8]]
  private let longest: Int

  /// Changes that put in some words, and leave at most so many bytes.
  init(words: [String], longest: Int) {
    self.words = (words + Self.numbers).map { Array($0.utf8) }
    self.longest = longest
  }

  /// One of the inputs with up to eight changes. The C library's generator decides (`srand48`).
  func next(of inputs: [[UInt8]]) -> [UInt8] {
    var bytes = pick(inputs)
    for _ in 0...below(8) { change(&bytes, inputs) }
    return Array(bytes.prefix(longest))
  }

  private func change(_ bytes: inout [UInt8], _ inputs: [[UInt8]]) {
    let place = below(bytes.count + 1)
    let end = min(bytes.count, place + 1 + below(32))
    switch below(9) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where place < bytes.count: bytes[place] = UInt8(below(256))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count + 1))
    case 4: bytes.insert(contentsOf: piece(of: pick(inputs)), at: place)
    case 5: bytes.replaceSubrange(place..<end, with: piece(of: pick(inputs)))
    case 6 where below(4) == 0: bytes.removeSubrange(place...)
    case 7: bytes.insert(contentsOf: repeatElement(UInt8(below(256)), count: below(64)), at: place)
    default: bytes.insert(contentsOf: pick(words), at: place)
    }
  }

  private func piece(of bytes: [UInt8]) -> ArraySlice<UInt8> {
    let start = below(bytes.count + 1)
    return bytes[start..<min(bytes.count, start + below(128))]
  }

  private func pick(_ choices: [[UInt8]]) -> [UInt8] { choices.isEmpty ? [] : choices[below(choices.count)] }

  /// A number from 0, less than a bound that is not 0.
  private func below(_ bound: Int) -> Int { lrand48() % bound }
}
