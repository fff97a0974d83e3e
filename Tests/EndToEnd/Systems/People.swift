/// Users and rows of the tests, distinguished by their last digit.
enum People {
  static func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  static let ana = id(1)
  static let ben = id(2)
  static let carol = id(3)
}
