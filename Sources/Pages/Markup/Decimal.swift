import Reporting

extension Double {
  /// The number with so many decimals, at most nine, and commas between thousands: `-1,234.50`.
  ///
  /// What is no number, or too large for one, is a dash.
  public func decimal(_ places: Int) -> String {
    let scale = (0..<max(0, min(9, places))).reduce(1.0) { scale, _ in scale * 10 }
    let scaled = (magnitude * scale).rounded()
    guard scaled.isFinite, scaled < 1e18 else { return "–" }
    let whole = Int(scaled / scale)
    let digits = String(Int(scaled - Double(whole) * scale))
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard scale > 1 else { return sign + whole.grouped }
    let width = String(Int(scale)).count - 1
    return sign + whole.grouped + "." + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// A length of time in the largest unit of which there are at least two: `1.4 s`, `3.2 min`.
  public var duration: String {
    let units = [(86_400.0, "d"), (3_600, "h"), (60, "min")]
    guard let (size, unit) = units.first(where: { self >= 2 * $0.0 }) else {
      return decimal(self < 0.0995 ? 3 : self < 0.995 ? 2 : self < 9.95 ? 1 : 0) + " s"
    }
    return (self / size).decimal(1) + " " + unit
  }

  /// A number of bytes: `12.4 MB`, a thousand to the next unit.
  public var bytes: String {
    var (value, unit) = (self, "B")
    for next in ["kB", "MB", "GB", "TB"] where value >= 1000 { (value, unit) = (value / 1000, next) }
    return value.decimal(unit == "B" ? 0 : 1) + " " + unit
  }
}
