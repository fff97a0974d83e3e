import Glibc
import Host

/// Reading a provider directory's practitioners from lines of JSON, four fields and their addresses each,
/// against orjson, Python's fastest reader, of the same values.
///
/// Ours is a process that reads the file from the system's cache, start and end included, on one thread.
struct TreeParsingFigure {
  /// Bytes of the file at least: enough for the start of a process not to count.
  private static let size = 200_000_000

  func measure(in workbench: Workbench) throws -> Figure {
    let module = try PythonModule("orjson", package: "orjson", in: workbench)
    let file = workbench.path("parsing.ndjson")
    defer { unlink(file) }
    let count = try write(file)
    let runs = try workbench.compare(
      ours: { try workbench.parse(file, expecting: count) },
      yardstick: { try module.time(Self.lines, file: file, expecting: count) })
    let megabytes = Double(Files.size(file) ?? 0) / 1e6
    let ours = runs.ours.map(\.seconds)
    return Figure(
      FigureName.parsingNDJSON.rawValue, ours: ours, yardstick: runs.yardstick.map(\.seconds), limit: 1,
      details: [("MB", Int(megabytes)), ("MB/s", Int(megabytes / Spread(ours).median))])
  }

  private static let lines = """
    count = 0
    for line in open(file, 'rb'):
        one = orjson.loads(line)
        (one['resourceType'], one['id'], one['identifier'][0]['value'], one['name'][0]['family'])
        [(a['city'], a['state']) for a in one['address']]
        count += 1
    """

  /// Writes practitioners until there are enough bytes; gives how many.
  private func write(_ file: String) throws -> Int {
    let output = try ByteFile(file)
    var (bytes, count) = (0, 0)
    while bytes < Self.size {
      count += 1
      let record = Array(Practitioner.json(count).utf8)
      try output.write(record[...])
      bytes += record.count
    }
    return count
  }
}

/// A practitioner as directories have them: its narrative repeats most of it.
private enum Practitioner {
  static func json(_ number: Int) -> String {
    let narrative = narrative(number).replacing("\"", with: "\\\"")
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

  private static func narrative(_ number: Int) -> String {
    """
    <div xmlns="http://www.w3.org/1999/xhtml"><p><b>Practitioner \(number)</b></p><table class="grid"><tr>\
    <td style="display: none">-</td><td><b>Code</b></td></tr><tr><td style="display: none">*</td>\
    <td><span title="Codes: 207R00000X">Internal Medicine</span></td></tr></table></div>
    """
  }
}
