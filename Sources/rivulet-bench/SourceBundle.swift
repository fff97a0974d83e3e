import Host
import Records
import Sampler

/// The release that everything is measured with: the real one where it is there, else a synthetic one of the
/// same size.
struct SourceBundle {
  private static let name = "RVU25D.zip"
  /// Rows of PPRRVU in the real bundle.
  private static let rows = 19_090

  let path: String

  /// Throws ``Skip`` where there is neither.
  init(in workbench: Workbench) throws {
    let real = SourceBundle.real(workbench)
    if Files.exists(real) {
      path = real
      return
    }
    path = workbench.path(SourceBundle.name)
    guard !Files.exists(path) else { return }
    workbench.say("  '\(real)' is not there: a synthetic release takes its place")
    do {
      _ = try workbench.run([
        workbench.options.rivulet, "sample", "cms-rvu", "-o", path, "--rows", "\(SourceBundle.rows)",
        "--project", workbench.project,
      ])
    } catch BenchError.programFailed(_, _, let output) {
      throw Skip(reason: "'\(real)' is not there, and no synthetic release could be made: \(output)")
    }
  }

  /// What is measured with, in words.
  static func kind(in workbench: Workbench) -> String {
    Files.exists(real(workbench)) ? "the real \(name)" : "a synthetic release of the size of \(name)"
  }

  private static func real(_ workbench: Workbench) -> String {
    Path.join(workbench.data, "rvu/" + name)
  }

  /// The same bundle as another release, in the scratch folder; gives its path.
  ///
  /// The archive's name and the banner of PPRRVU both say the release, as they have to agree.
  func copy(as release: QuarterlyRelease, in workbench: Workbench) throws -> String {
    let copy = workbench.path(release.archive)
    guard !Files.exists(copy) else { return copy }
    try workbench.checkInterruption()
    let zip = try ZipWriter(copy)
    for entry in try Discovery.entries(of: path) {
      try zip.beginEntry(entry.entry ?? entry.name)
      let stream = try entry.open()
      var head = try SourceBundle.head(of: stream)
      if SourceBundle.isTable(entry) {
        guard let renamed = release.inBanner(of: head) else { throw BenchError.noBanner(file: entry.name) }
        head = renamed
      }
      try zip.write(head)
      try SourceBundle.drain(stream) { try zip.write(Array($0)) }
    }
    try zip.finish()
    return copy
  }

  /// Writes PPRRVU, as `csv`, `txt` or `xlsx`, into a file.
  ///
  /// Throws ``Skip`` where the bundle does not have it.
  func extractTable(_ kind: String, to file: String) throws {
    guard let entry = try Discovery.entries(of: path).first(where: { SourceBundle.isTable($0, kind) }) else {
      throw Skip(reason: "'\(path)' has no PPRRVU \(kind)")
    }
    let output = try ByteFile(file)
    try SourceBundle.drain(try entry.open()) { try output.write($0) }
  }

  private static func isTable(_ entry: SourceEntry, _ kind: String = "csv") -> Bool {
    let name = entry.name.lowercased()
    return name.hasPrefix("pprrvu") && name.hasSuffix("." + kind)
  }

  /// The first bytes of a stream, enough for a banner.
  private static func head(of stream: any ByteStream) throws -> [UInt8] {
    var head = [UInt8](repeating: 0, count: 4096)
    var count = 0
    while count < head.count {
      let read = try stream.read(into: &head, from: count)
      if read == 0 { break }
      count += read
    }
    return Array(head[..<count])
  }

  private static func drain(_ stream: any ByteStream, _ take: (ArraySlice<UInt8>) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 128 << 10)
    while true {
      let count = try stream.read(into: &buffer, from: 0)
      if count == 0 { return }
      try take(buffer[..<count])
    }
  }
}
