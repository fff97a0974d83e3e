/// A number format of zeros alone, such as `00000`, perhaps with dashes between, such as `00000-0000`: what a
/// cell of it shows is a code that the spreadsheet keeps as a number.
struct SheetCode: Equatable {
  /// Zeros and dashes, as they are shown.
  private let pattern: [UInt8]

  /// A format by its code; nil for one of another kind. What follows a semicolon is for negative numbers.
  init?(code: String) {
    var pattern: [UInt8] = []
    for byte in code.utf8.prefix(while: { $0 != UInt8(ascii: ";") }) {
      switch byte {
      case UInt8(ascii: "0"), UInt8(ascii: "-"): pattern.append(byte)
      // Before a dash that is shown as it is.
      case UInt8(ascii: "\\"): continue
      default: return nil
      }
    }
    // A single zero is any number.
    guard pattern.count(where: { $0 == UInt8(ascii: "0") }) > 1 else { return nil }
    self.pattern = pattern
  }

  /// Appends a whole number of digits, each 0 to 9, with the zeros and dashes of the format; digits for which
  /// it has no place come before the others.
  func append(_ digits: [UInt8], to bytes: inout [UInt8]) {
    let places = pattern.count { $0 == UInt8(ascii: "0") }
    var rest = digits[...]
    for _ in 0..<max(0, digits.count - places) { bytes.append(UInt8(ascii: "0") + rest.removeFirst()) }
    var missing = places - rest.count
    for byte in pattern {
      if byte != UInt8(ascii: "0") {
        bytes.append(byte)
      } else if missing > 0 {
        bytes.append(byte)
        missing -= 1
      } else {
        bytes.append(UInt8(ascii: "0") + rest.removeFirst())
      }
    }
  }
}
