import Glibc
import Host

/// Splitting a text file into records and fields against a program that does less (`wc -l` counts line ends) or
/// other ones that do the same.
///
/// Ours is a process that reads the file from the system's cache, start and end included, on one thread. No value is
/// looked at. Python's modules are measured without their start, on one thread, with all columns as text.
struct ParsingFigure {
  let name: FigureName
  let bundle: SourceBundle

  /// Bytes of the file at least: enough for the start of a process not to count.
  private static let size = 100_000_000

  func measure(in workbench: Workbench) throws -> Figure {
    let yardstick = try yardstick(in: workbench)
    let kind = name == .parsingText ? "txt" : "csv"
    let one = workbench.path("pprrvu.\(kind)")
    let file = workbench.path("parsing.\(kind)")
    defer { for file in [one, file] { unlink(file) } }
    try bundle.extractTable(kind, to: one)
    let copies = try repeatFile(one, to: file)
    let expected = try RecordCount(of: one).records * copies
    let runs = try workbench.compare(
      ours: { try workbench.parse(file, expecting: expected) },
      yardstick: { try yardstick(file, expected) })
    let megabytes = Double(Files.size(file) ?? 0) / 1e6
    let (ours, theirs) = (runs.ours.map(\.seconds), runs.yardstick.map(\.seconds))
    return Figure(
      name.rawValue, ours: ours, yardstick: theirs, limit: limit,
      details: [
        ("MB", Int(megabytes)), ("MB/s", Int(megabytes / Spread(ours).median)),
        ("MB/s of the yardstick", Int(megabytes / Spread(theirs).median)),
      ])
  }

  /// What does the same work must not be faster.
  private var limit: Double? { name == .parsingDuckDB || name == .parsingPolars ? 1 : nil }

  /// The other side: takes the file and the number of its records.
  private func yardstick(in workbench: Workbench) throws -> (String, Int) throws -> ProgramRun {
    switch name {
    case .parsingDuckDB:
      let module = try PythonModule("duckdb", package: "duckdb", in: workbench)
      return { file, expected in
        try module.time(
          "connection = duckdb.connect(config={'threads': 1})",
          "count = connection.execute(\"SELECT count(*) FROM read_csv(?, header=false, all_varchar=true, "
            + "delim=',', quote='\\\"', null_padding=true, parallel=false)\", [file]).fetchone()[0]",
          file: file, expecting: expected)
      }
    case .parsingPolars:
      let module = try PythonModule("polars", package: "polars", in: workbench)
      return { file, expected in
        try module.time(
          "", "count = polars.read_csv(file, has_header=False, infer_schema=False).height", file: file,
          expecting: expected)
      }
    default:
      return { file, _ in try workbench.run(["wc", "-l", file]) }
    }
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
