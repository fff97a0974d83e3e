import Glibc
import Host
import Records

/// Splitting a delimited file into records and fields against `wc -l`, which only counts line ends.
///
/// Both are processes that read the same file from the system's cache through `read`, start and end included. No
/// value is looked at.
struct ParsingFigure {
  let bundle: SourceBundle

  /// Bytes of the file at least: enough for the start of a process not to count.
  private static let size = 100_000_000

  func measure(in workbench: Workbench) throws -> Figure {
    let one = workbench.path("pprrvu.csv")
    let file = workbench.path("parsing.csv")
    defer { for file in [one, file] { unlink(file) } }
    try bundle.extractTable(to: one)
    let copies = try repeatFile(one, to: file)
    let expected = try RecordCount(of: one).records * copies
    let runs = try workbench.compare(
      ours: {
        let run = try workbench.run([Machine.program, "--parse", file])
        let found = Int(run.output.prefix { $0.isNumber }) ?? 0
        guard found == expected else {
          throw BenchError.wrongCount(what: "records parsed", expected: expected, found: found)
        }
        return run
      }, yardstick: { try workbench.run(["wc", "-l", file]) })
    let megabytes = Double(Files.size(file) ?? 0) / 1e6
    let (ours, yardstick) = (runs.ours.map(\.seconds), runs.yardstick.map(\.seconds))
    return Figure(
      FigureName.parsing.rawValue, ours: ours, yardstick: yardstick, limit: nil,
      details: [
        ("MB", Int(megabytes)), ("MB/s", Int(megabytes / Spread(ours).median)),
        ("MB/s of wc -l", Int(megabytes / Spread(yardstick).median)),
      ])
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

/// How many records a delimited file has.
struct RecordCount {
  let records: Int

  /// Reads the whole file.
  init(of file: String) throws {
    var reader = DelimitedReader(try FileStream(path: file))
    var records = 0
    while try reader.next() { records += 1 }
    self.records = records
  }
}
