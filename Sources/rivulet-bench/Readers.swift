import Glibc
import Host
import Records
import Sampler
import Values

/// Readers against those of Python that are known to be fast, which are measured without the start of Python.
///
/// Ours is a process that reads the file from the system's cache, start and end included, on one thread.
enum Readers {
  /// A provider directory's practitioners, four fields and their addresses each, from lines of JSON.
  static func linesOfJSON(in workbench: Workbench) throws -> Runs {
    let orjson = try PythonModule("orjson", package: "orjson", in: workbench)
    let file = workbench.path("parsing.ndjson")
    defer { unlink(file) }
    let output = try OutputFile(file)
    var (bytes, count) = (0, 0)
    // Enough for the start of a process not to count.
    while bytes < 200_000_000 {
      count += 1
      let record = practitioner(count)
      try output.write(record)
      bytes += record.utf8.count
    }
    try output.close()
    let work = """
      count = 0
      for line in open(file, 'rb'):
          one = orjson.loads(line)
          (one['resourceType'], one['id'], one['identifier'][0]['value'], one['name'][0]['family'])
          [(a['city'], a['state']) for a in one['address']]
          count += 1
      """
    var runs = try workbench.compare(
      ours: { _ in try workbench.parse(file, expecting: count) },
      yardstick: { _ in try orjson.time(work, file: file, expecting: count) })
    let megabytes = Double(bytes) / 1e6
    let speed = megabytes / Spread(runs.ours.map(\.seconds)).median
    runs.details = [("MB", Int(megabytes)), ("MB/s", Int(speed))]
    return runs
  }

  /// The workbook of PPRRVU. Ours reads it out of a zip, as a run does; python-calamine is given the workbook
  /// itself.
  static func workbook(in workbench: Workbench) throws -> Runs {
    let calamine = try PythonModule("python_calamine", package: "python-calamine", in: workbench)
    let workbook = workbench.path("pprrvu.xlsx")
    let zip = workbench.path("pprrvu.zip")
    defer { for file in [workbook, zip] { unlink(file) } }
    try workbench.bundle.extractWorkbook(to: workbook)
    let writer = try ZipWriter(zip)
    try writer.beginEntry("pprrvu.xlsx")
    try writer.write(Files.read(workbook))
    try writer.finish()
    let rows = try records(of: workbook)
    let work =
      "count = sum(1 for row in "
      + "python_calamine.CalamineWorkbook.from_path(file).get_sheet_by_index(0).iter_rows())"
    return try workbench.compare(
      ["rows": rows], ours: { _ in try workbench.parse(zip, expecting: rows) },
      yardstick: { _ in try calamine.time(work, file: workbook, expecting: rows) })
  }

  /// How many records a file of lines of JSON has, or the first sheet of a workbook; of an archive its first
  /// entry.
  ///
  /// Without the digest, which a run takes of the same bytes.
  static func records(of file: String) throws -> Int {
    let entry = try Discovery.entries(of: file)[0]
    if entry.name.lowercased().hasSuffix(".xlsx") {
      var reader = try XLSXReader(entry)
      return try count(&reader)
    }
    let npi = "identifier[system=http://hl7.org/fhir/sid/us-npi].value"
    let plan = TreePlan(
      fields: try ["resourceType", "id", npi, "name.family"].map { .init([try TreePath($0)]) },
      groups: [
        .init([try TreePath("address")], fields: try ["city", "state"].map { .init([try TreePath($0)]) })
      ])
    var reader = try TreeReader(
      try entry.open(), format: TreeFormat(.jsonLines, plan: plan, records: ["entry", "resource"]),
      place: entry)
    return try count(&reader)
  }

  private static func count<Source: RecordSource & ~Copyable>(_ reader: inout Source) throws -> Int {
    var records = 0
    while try reader.next() { records += 1 }
    return records
  }

  /// A practitioner as directories have them: its narrative repeats most of it.
  private static func practitioner(_ number: Int) -> String {
    let narrative = """
      <div xmlns="http://www.w3.org/1999/xhtml"><p><b>Practitioner \(number)</b></p><table class="grid"><tr>\
      <td style="display: none">-</td><td><b>Code</b></td></tr><tr><td style="display: none">*</td>\
      <td><span title="Codes: 207R00000X">Internal Medicine</span></td></tr></table></div>
      """.replacing("\"", with: "\\\"")
    return
      #"{"resourceType":"Practitioner","id":"p-\#(number)","meta":{"profile":["http://example.org/practitioner"]},"#
      + #""text":{"status":"generated","div":"\#(narrative)"},"#
      + #""identifier":[{"use":"official","system":"http://hl7.org/fhir/sid/us-npi","value":"\#(1_000_000_000 + number)"}],"#
      + #""active":true,"name":[{"use":"official","family":"Family\#(number)","given":["Given","M"],"suffix":["MD"]}],"#
      + #""telecom":[{"system":"phone","value":"203-555-0100","use":"work"}],"address":["#
      + #"{"use":"work","line":["1 High Street","Floor 2"],"city":"Hartford","state":"CT","postalCode":"06101"},"#
      + #"{"use":"home","line":["2 Low Street"],"city":"Boston","state":"MA","postalCode":"02101"}],"#
      + #""gender":"female","qualification":[{"code":{"coding":[{"system":"http://nucc.org/provider-taxonomy","#
      + #""code":"207R00000X","display":"Internal Medicine"}]},"identifier":[{"value":"L\#(number)"}]}]}"#
      + "\n"
  }
}

extension Workbench {
  /// Reads a file by our own reader, in a process of its own.
  fileprivate func parse(_ file: String, expecting records: Int) throws -> ProgramRun {
    let run = try self.run([Machine.program, "--parse", file])
    guard Int(run.output.prefix { $0.isNumber }) == records else {
      throw BenchError.failed("\(run.output) records were read instead of \(records)")
    }
    return run
  }
}

/// A module of Python's that is measured if it is installed.
private struct PythonModule {
  private let name: String
  private let workbench: Workbench

  /// A module, and the package that it is installed as.
  /// - Throws: ``BenchError/missing(_:)`` where it cannot be imported.
  init(_ name: String, package: String, in workbench: Workbench) throws {
    self.name = name
    self.workbench = workbench
    do {
      _ = try workbench.run(["python3", "-c", "import \(name)"])
    } catch {
      throw BenchError.missing("python3 has no module \(name) (pip install \(package))")
    }
  }

  /// Runs statements that find `file` and set `count` in a process of their own, and takes their seconds
  /// without the start of Python.
  func time(_ work: String, file: String, expecting expected: Int) throws -> ProgramRun {
    let script = """
      import sys, time
      import \(name)
      file = sys.argv[1]
      start = time.perf_counter()
      \(work)
      print(count, round((time.perf_counter() - start) * 1e9))
      """
    let run = try workbench.run(["python3", "-c", script, file])
    let numbers = run.output.split(separator: "\n").last?.split(separator: " ").compactMap { Int($0) } ?? []
    guard numbers.count == 2, numbers[0] == expected else {
      throw BenchError.failed("\(name) read \(run.output) records instead of \(expected)")
    }
    return ProgramRun(seconds: Double(numbers[1]) / 1e9, peakMemory: run.peakMemory, output: run.output)
  }
}
