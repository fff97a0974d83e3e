/// The digit that the Luhn formula puts behind a number.
enum CheckDigit {
  /// From 0 to 9: with it, the digits doubled by turns from the right have a sum that ends in 0.
  static func luhn(after number: Int64) -> Int64 {
    var rest = number.magnitude
    var sum: UInt64 = 0
    var isDoubled = true
    while rest > 0 {
      let digit = rest % 10
      let doubled = digit * 2
      sum += isDoubled ? (doubled > 9 ? doubled - 9 : doubled) : digit
      isDoubled.toggle()
      rest /= 10
    }
    return Int64((10 - sum % 10) % 10)
  }
}
