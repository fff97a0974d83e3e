import Glibc
import Host

/// Splitting a delimited file into records and fields against `wc -l`, which counts line ends.
///
/// Ours is a process that reads the file from the system's cache, start and end included, on one thread. No
/// value is looked at.
struct ParsingFigure {
  let bundle: SourceBundle

  /// Bytes of the file at least: enough for the start of a process not to count.
  private static let size = 100_000_000

  func measure(in workbench: Workbench) throws -> Figure {
    let one = workbench.path("pprrvu.csv")
    let file = workbench.path("parsing.csv")
    defer { for file in [one, file] { unlink(file) } }
    try bundle.extractTable("csv", to: one)
    let expected = try RecordCount(of: one).records * repeatFile(one, to: file)
    let runs = try workbench.compare(
      ours: { try workbench.parse(file, expecting: expected) },
      yardstick: { try workbench.run(["wc", "-l", file]) })
    let megabytes = Double(Files.size(file) ?? 0) / 1e6
    let ours = runs.ours.map(\.seconds)
    return Figure(
      FigureName.parsing.rawValue, ours: ours, yardstick: runs.yardstick.map(\.seconds), limit: nil,
      details: [("MB", Int(megabytes)), ("MB/s", Int(megabytes / Spread(ours).median))])
  }

  /// Writes a file over and over until there are enough bytes; gives how often.
  private func repeatFile(_ one: String, to file: String) throws -> Int {
    let bytes = try Files.read(one)
    let copies = (ParsingFigure.size + bytes.count - 1) / max(1, bytes.count)
    let output = try ByteFile(file)
    for _ in 0..<copies { try output.write(bytes[...]) }
    return copies
  }
}

extension Workbench {
  /// Reads a file by our own reader, in a process of its own.
  func parse(_ file: String, expecting records: Int) throws -> ProgramRun {
    let run = try self.run([Machine.program, "--parse", file])
    let found = Int(run.output.prefix { $0.isNumber }) ?? 0
    guard found == records else {
      throw BenchError.wrongCount(what: "records parsed", expected: records, found: found)
    }
    return run
  }
}
