/// The National Provider Identifier of the United States.
///
/// Ten digits, the first 1 or 2, the last a check digit: by the Luhn formula the digits of 80840, which
/// stands for health in the United States, and those of the NPI give a sum that ends in 0.
///
/// Source: CMS, "Requirements for National Provider Identifier (NPI) and NPI Check Digit".
public enum NPI {
  /// What the digits of the prefix 80840 add to the sum.
  private static let prefixSum = 24

  /// Whether the bytes are an NPI, with nothing before, between or after its digits.
  public static func isValid(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count == 10, bytes[0] == ASCII.zero &+ 1 || bytes[0] == ASCII.zero &+ 2 else { return false }
    var sum = prefixSum
    for place in 0..<10 {
      guard ASCII.isDigit(bytes[place]) else { return false }
      let digit = Int(bytes[place] &- ASCII.zero)
      // Every second digit counts double, from the one before the check digit leftwards.
      let product = place & 1 == 0 ? 2 &* digit : digit
      sum &+= product > 9 ? product &- 9 : product
    }
    return sum % 10 == 0
  }
}
