import Glibc

extension Double {
  /// The number with so many digits after the point.
  func fixed(_ digits: Int) -> String {
    let scale = Int(pow(10, Double(digits)))
    let scaled = Int((magnitude * Double(scale)).rounded())
    let whole = (self < 0 ? "-" : "") + String(scaled / scale)
    guard digits > 0 else { return whole }
    let fraction = String(scaled % scale)
    return whole + "." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
