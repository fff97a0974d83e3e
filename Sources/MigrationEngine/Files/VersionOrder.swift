/// In which order versions come.
public enum VersionOrder: Sendable, Equatable {
  /// By the numbers in them: 10 follows 9 and 8.10 follows 8.9, whatever zeros they begin with.
  case numeric
  /// As a plan lists them; those that it does not list come last.
  case listed([String: Int])

  /// Whether `version` comes before `other`.
  public func precedes(_ version: String, _ other: String) -> Bool {
    switch self {
    case .numeric: VersionOrder.numbersPrecede(version, other)
    case .listed(let places): places[version, default: .max] < places[other, default: .max]
    }
  }

  /// Whether two texts are the same version.
  public func isSame(_ version: String, _ other: String) -> Bool {
    switch self {
    case .numeric: !precedes(version, other) && !precedes(other, version)
    case .listed: version == other
    }
  }

  private static func numbersPrecede(_ version: String, _ other: String) -> Bool {
    let left = numbers(version)
    let right = numbers(other)
    for place in 0..<max(left.count, right.count) {
      // 1 and 1.0 are one version.
      let (one, two) = (place < left.count ? left[place] : "", place < right.count ? right[place] : "")
      if one != two { return one.utf8.count == two.utf8.count ? one < two : one.utf8.count < two.utf8.count }
    }
    return false
  }

  /// The parts of a dotted version, without the zeros they begin with.
  private static func numbers(_ version: String) -> [Substring] {
    version.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "_" }.map { $0.drop { $0 == "0" } }
  }
}
