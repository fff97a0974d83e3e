import Host
import Records
import Sampler

/// The release that everything is measured with: the real one where it is there, else a synthetic one of the
/// same size.
struct SourceBundle {
  fileprivate let workbench: Workbench

  private static let name = "RVU25D.zip"
  /// Rows of PPRRVU in the real bundle.
  private static let rows = 19_090

  private var real: String { workbench.data("rvu/" + Self.name) }

  /// What is measured with, in words.
  var kind: String {
    Files.exists(real) ? "the real \(Self.name)" : "a synthetic release of the size of \(Self.name)"
  }

  /// The bundle's path.
  func file() throws -> String {
    if Files.exists(real) { return real }
    let path = workbench.path(Self.name)
    if !Files.exists(path) {
      workbench.say("  '\(real)' is not there: a synthetic release takes its place")
      _ = try workbench.run([
        workbench.options.rivulet, "sample", "cms-rvu", "-o", path, "--rows", "\(Self.rows)", "--project",
        workbench.project,
      ])
    }
    return path
  }

  /// Writes PPRRVU's workbook into a file.
  ///
  /// Throws ``BenchError/missing(_:)`` where the bundle does not have it.
  func extractWorkbook(to file: String) throws {
    let bundle = try self.file()
    guard let entry = try Discovery.entries(of: bundle).first(where: { Self.isTable($0, "xlsx") }) else {
      throw BenchError.missing("'\(bundle)' has no PPRRVU xlsx")
    }
    let output = try OutputFile(file)
    try Self.pieces(of: entry) { try output.write($0) }
    try output.close()
  }

  private static func isTable(_ entry: SourceEntry, _ kind: String) -> Bool {
    let name = entry.name.lowercased()
    return name.hasPrefix("pprrvu") && name.hasSuffix("." + kind)
  }

  /// Piece by piece: what this program once had in memory counts as that of the programs it starts.
  private static func pieces(of entry: SourceEntry, _ take: ([UInt8]) throws -> Void) throws {
    let stream = try entry.open()
    var buffer = [UInt8](repeating: 0, count: 128 << 10)
    while case let count = try stream.read(into: &buffer, from: 0), count > 0 {
      try take(Array(buffer[..<count]))
    }
  }

  // MARK: Fifty

  /// The same bundle as fifty releases that follow each other: their paths and names.
  func fiftyReleases() throws -> [(path: String, name: String)] { try releases(50) }

  /// The same bundle as up to 200 releases, all of years with the same arithmetic, 2010A to 2022B, and after
  /// fifty their corrections.
  ///
  /// The names of the archive and of its entries and the banner of PPRRVU say the release, as they have to
  /// agree.
  func releases(_ count: Int) throws -> [(path: String, name: String)] {
    let quarters = [("A", "January"), ("B", "April"), ("C", "July"), ("D", "October")]
    return try (0..<count).map { number in
      let (place, correction) = (number % 50, ["", "R", "R1", "R2"][number / 50])
      let (year, (letter, month)) = (2010 + place / 4, quarters[place % 4])
      let copy = workbench.path("RVU\(year % 100)\(letter)\(correction).zip")
      if !Files.exists(copy) { try write(copy, year: year, month: month) }
      return (copy, "\(year)\(letter)\(correction)")
    }
  }

  private static let title = " National Physician Fee Schedule Relative Value File "

  private func write(_ copy: String, year: Int, month: String) throws {
    try Interruption.shared.check()
    let banner = "\(year)\(Self.title)\(month)"
    let zip = try ZipWriter(copy)
    for entry in try Discovery.entries(of: file()) {
      // PPRRVU2025_Oct.csv, GPCI2025.csv, 25LOCCO.csv
      let name = (entry.entry ?? entry.name)
        .replacing("25", with: "\(year % 100)").replacing("_Oct", with: "_\(month.prefix(3))")
      try zip.beginEntry(name)
      var isHead = Self.isTable(entry, "csv")
      try Self.pieces(of: entry) { piece in
        if isHead {
          guard let title = piece.firstRange(of: Array(Self.title.utf8)), title.lowerBound >= 4,
            let end = piece[title.upperBound...].firstRange(of: Array(" Release".utf8))
          else { throw BenchError.failed("'\(entry.name)' has no banner that names its release") }
          try zip.write(Array(piece[..<(title.lowerBound - 4)]) + Array(banner.utf8))
          try zip.write(Array(piece[end.lowerBound...]))
        } else {
          try zip.write(piece)
        }
        isHead = false
      }
    }
    try zip.finish()
  }
}

extension Workbench {
  var bundle: SourceBundle { SourceBundle(workbench: self) }
}
