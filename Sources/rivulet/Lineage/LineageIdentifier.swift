import Host

/// The number of a run in OpenLineage: a UUID of version 7, which begins with the time.
enum LineageIdentifier {
  /// A new one.
  static func make() -> String {
    let time = UInt64(Machine.unixTime * 1000) & 0xffff_ffff_ffff
    let (first, second) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    let high = time << 16 | 0x7000 | first & 0x0fff
    let low = 0x8000_0000_0000_0000 | second >> 2
    let digits = Array(hexadecimal(high) + hexadecimal(low))
    let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return cuts.map { String(digits[$0]) }.joined(separator: "-")
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
