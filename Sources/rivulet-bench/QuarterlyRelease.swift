/// A release of the relative value file as its publisher names it.
struct QuarterlyRelease {
  let year: Int
  /// From 0.
  let quarter: Int

  /// Fifty that follow each other, all of years with the same arithmetic: 2010A to 2022B.
  static let fifty = (0..<50).map { QuarterlyRelease(year: 2010 + $0 / 4, quarter: $0 % 4) }

  /// The archive's name: RVU10A.zip.
  var archive: String { "RVU\(year % 100)\(letter).zip" }
  /// The release's name: 2010A.
  var name: String { "\(year)\(letter)" }

  private var letter: String { ["A", "B", "C", "D"][quarter] }

  private var month: String { ["January", "April", "July", "October"][quarter] }

  private static let title = " National Physician Fee Schedule Relative Value File "

  /// The first bytes of a file with this release in its banner in the place of the one that is there; nil
  /// where there is no banner.
  func inBanner(of head: [UInt8]) -> [UInt8]? {
    guard let title = head.firstRange(of: Array(QuarterlyRelease.title.utf8)), title.lowerBound >= 4,
      let end = head[title.upperBound...].firstRange(of: Array(" Release".utf8))
    else { return nil }
    let banner = "\(year)\(QuarterlyRelease.title)\(month)"
    return head[..<(title.lowerBound - 4)] + Array(banner.utf8) + head[end.lowerBound...]
  }
}
