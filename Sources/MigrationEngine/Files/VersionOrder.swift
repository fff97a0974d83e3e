/// In which order versions come.
public enum VersionOrder: Sendable, Equatable {
  /// By the numbers in them: 10 follows 9 and 8.10 follows 8.9, whatever zeros they begin with.
  case numeric
  /// As a plan lists them; those that it does not list come last.
  case listed([String: Int])

  /// What distinguishes and orders versions.
  public func key(_ version: String) -> VersionKey {
    switch self {
    case .numeric: VersionKey(place: 0, parts: VersionOrder.numbers(in: version))
    case .listed(let places): VersionKey(place: places[version] ?? .max, parts: [version])
    }
  }

  /// Without the zeros they begin with, and without noughts at the end.
  private static func numbers(in version: String) -> [String] {
    var parts = version.utf8.split(omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
    }.map { String(Substring($0.drop { $0 == UInt8(ascii: "0") })) }
    while parts.last == "" { parts.removeLast() }
    return parts
  }

  /// The number after one, as wide as that is written; of several numbers with points between the last goes on.
  static func next(after version: String) -> String {
    // Digit by digit: nobody says how many there are.
    let nines = version.reversed().prefix { $0 == "9" }.count
    let head = version.dropLast(nines)
    let noughts = String(repeating: "0", count: nines)
    guard let digit = head.last?.wholeNumberValue else { return head + "1" + noughts }
    return head.dropLast() + "\(digit + 1)" + noughts
  }

  /// Whether `version` comes before `other`.
  public func precedes(_ version: String, _ other: String) -> Bool { key(version) < key(other) }

  /// Whether two texts are the same version.
  public func isSame(_ version: String, _ other: String) -> Bool { key(version) == key(other) }
}

/// A version, ready to be compared: 1, 01 and 1.0 are one.
public struct VersionKey: Hashable, Comparable, Sendable {
  fileprivate let place: Int
  fileprivate let parts: [String]

  /// Place by place; of two numbers the one with fewer digits is the smaller.
  public static func < (left: VersionKey, right: VersionKey) -> Bool {
    if left.place != right.place { return left.place < right.place }
    for (one, two) in zip(left.parts, right.parts) where one != two {
      return one.utf8.count == two.utf8.count ? one < two : one.utf8.count < two.utf8.count
    }
    return left.parts.count < right.parts.count
  }
}
