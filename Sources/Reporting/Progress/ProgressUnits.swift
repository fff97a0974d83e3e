/// Amounts and times as progress shows them.
package enum ProgressUnits {
  /// Bytes in decimal units: `512 B`, `10.3 MB`.
  package static func bytes(_ count: Int) -> String {
    let unit = unit(of: count)
    return "\(number(count, in: unit)) \(unit.name)"
  }

  /// Bytes of a whole, in the unit of the whole; `isShort` without the word between.
  static func bytes(_ count: Int, of total: Int, isShort: Bool) -> String {
    let unit = unit(of: total)
    return number(count, in: unit) + (isShort ? "/" : " of ") + "\(number(total, in: unit)) \(unit.name)"
  }

  /// Seconds: `12 s`, `2:05 min`, `1:02:05 h`; `isShort` without `min` and `h`.
  static func time(_ seconds: Double, isShort: Bool = false) -> String {
    let whole = Int(max(0, min(seconds, 1e9)))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60):\(two(whole % 60))" + (isShort ? "" : " min") }
    return "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))" + (isShort ? "" : " h")
  }

  /// A share from 0 to 1; 100% is only what is whole.
  package static func percent(_ share: Double) -> String { "\(Int(max(0, min(1, share)) * 100))%" }

  /// A number in few letters: `950`, `45.2k`, `1.3M`.
  static func short(_ number: Int) -> String {
    if number < 10_000 { return "\(number)" }
    let (unit, name) = number < 1_000_000 ? (1e3, "k") : (1e6, "M")
    return tenths(Double(number) / unit) + name
  }

  private static func unit(of count: Int) -> (size: Int, name: String) {
    if count < 1_000 { return (1, "B") }
    if count < 1_000_000 { return (1_000, "kB") }
    if count < 1_000_000_000 { return (1_000_000, "MB") }
    return (1_000_000_000, "GB")
  }

  private static func number(_ count: Int, in unit: (size: Int, name: String)) -> String {
    unit.size == 1 ? "\(count)" : tenths(Double(count) / Double(unit.size))
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int(value * 10)
    return "\((tenths / 10).grouped).\(tenths % 10)"
  }
}
