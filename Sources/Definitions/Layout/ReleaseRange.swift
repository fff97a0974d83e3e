/// Releases from one to another, in the order of their names, both included.
///
/// A correction is of the release it corrects: `2011DR` is in `2010A-2011D`.
public struct ReleaseRange: Sendable, Hashable {
  /// The first release; nil for no beginning.
  public let first: String?
  /// The last release; nil for no end.
  public let last: String?

  /// The range that a text names: `2010A-2011D`, or `2014A-` and `-2009D` with an end left open.
  ///
  /// Nil where the text is none, or ends before it begins.
  public init?(_ text: String) {
    let ends = text.uppercased().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2, ends != ["", ""],
      ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) } }),
      ends[1].isEmpty || ends[0] <= ends[1]
    else { return nil }
    first = ends[0].isEmpty ? nil : ends[0]
    last = ends[1].isEmpty ? nil : ends[1]
  }

  /// Whether a release, in any case, is in the range.
  public func contains(_ release: String) -> Bool {
    let release = release.uppercased()
    if let first, release < first { return false }
    if let last, release > last, !release.hasPrefix(last) { return false }
    return true
  }
}

extension ReleaseRange: CustomStringConvertible {
  /// The range as a layout writes it.
  public var description: String { "\(first ?? "")-\(last ?? "")" }
}
