import Glibc
import Host

/// Reading a provider directory's practitioners, four fields and their addresses each, against Python's fastest readers of
/// the same values: orjson for lines of JSON, lxml for XML.
///
/// Ours is a process that reads the file from the system's cache, start and end included, on one thread.
struct TreeParsingFigure {
  let name: FigureName

  /// Bytes of the file at least: enough for the start of a process not to count.
  private static let size = 200_000_000

  /// What is to be read in a second, in 1,000,000 bytes.
  private var rate: Double { name == .parsingXML ? 60 : 150 }

  /// The ratio, and how long ours takes for what is to be read in a second.
  func measure(in workbench: Workbench) throws -> [Figure] {
    let isXML = name == .parsingXML
    let module = try PythonModule(
      isXML ? "lxml.etree" : "orjson", package: isXML ? "lxml" : "orjson", in: workbench)
    let file = workbench.path("parsing.\(isXML ? "xml" : "ndjson")")
    defer { unlink(file) }
    let count = try write(file, isXML: isXML)
    let runs = try workbench.compare(
      ours: { try workbench.parse(file, expecting: count) },
      yardstick: {
        try module.time(
          "", isXML ? Self.elements : Self.lines, file: file, expecting: count)
      })
    let megabytes = Double(Files.size(file) ?? 0) / 1e6
    let (ours, theirs) = (runs.ours.map(\.seconds), runs.yardstick.map(\.seconds))
    let rated = Figure("\(name.rawValue)-rate", seconds: ours.map { $0 * rate / megabytes }, limit: 1)
    let ratio = Figure(
      name.rawValue, ours: ours, yardstick: theirs, limit: 1,
      details: [
        ("MB", Int(megabytes)), ("MB/s", Int(megabytes / Spread(ours).median)),
        ("MB/s of the yardstick", Int(megabytes / Spread(theirs).median)),
      ])
    return [ratio, rated]
  }

  private static let lines = """
    count = 0
    for line in open(file, 'rb'):
        one = orjson.loads(line)
        (one['resourceType'], one['id'], one['identifier'][0]['value'], one['name'][0]['family'])
        [(a['city'], a['state']) for a in one['address']]
        count += 1
    """

  private static let elements = """
    count = 0
    n = '{http://hl7.org/fhir}'
    for _, one in lxml.etree.iterparse(file, tag=n + 'Practitioner'):
        (one.find(n + 'id').get('value'), one.find(n + 'identifier/' + n + 'value').get('value'),
         one.find(n + 'name/' + n + 'family').get('value'))
        [(a.find(n + 'city').get('value'), a.find(n + 'state').get('value')) for a in one.findall(n + 'address')]
        one.clear()
        while one.getparent().getparent().getprevious() is not None:
            del one.getparent().getparent().getparent()[0]
        count += 1
    """

  /// Writes practitioners until there are enough bytes; gives how many.
  private func write(_ file: String, isXML: Bool) throws -> Int {
    let output = try ByteFile(file)
    var (bytes, count) = (0, 0)
    if isXML { try output.write(Array("<Bundle xmlns=\"http://hl7.org/fhir\">\n".utf8)[...]) }
    while bytes < Self.size {
      count += 1
      let record = Array((isXML ? Practitioner.xml(count) : Practitioner.json(count)).utf8)
      try output.write(record[...])
      bytes += record.count
    }
    if isXML { try output.write(Array("</Bundle>\n".utf8)[...]) }
    return count
  }
}

/// A practitioner as directories have them: most of it is told again in its narrative.
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

  static func xml(_ number: Int) -> String {
    """
    <entry><resource><Practitioner xmlns="http://hl7.org/fhir"><id value="p-\(number)"/>
      <meta><profile value="http://example.org/practitioner"/></meta>
      <text><status value="generated"/>\(narrative(number))</text>
      <identifier><use value="official"/><system value="http://hl7.org/fhir/sid/us-npi"/>
        <value value="\(1_000_000_000 + number)"/></identifier>
      <active value="true"/>
      <name><use value="official"/><family value="Family\(number)"/><given value="Given"/><given value="M"/>
        <suffix value="MD"/></name>
      <telecom><system value="phone"/><value value="203-555-0100"/><use value="work"/></telecom>
      <address><use value="work"/><line value="1 High Street"/><line value="Floor 2"/><city value="Hartford"/>
        <state value="CT"/><postalCode value="06101"/></address>
      <address><use value="home"/><line value="2 Low Street"/><city value="Boston"/><state value="MA"/>
        <postalCode value="02101"/></address>
      <gender value="female"/>
      <qualification><identifier><value value="L\(number)"/></identifier><code><coding>
        <system value="http://nucc.org/provider-taxonomy"/><code value="207R00000X"/>
        <display value="Internal Medicine"/></coding></code></qualification>
    </Practitioner></resource></entry>

    """
  }

  private static func narrative(_ number: Int) -> String {
    """
    <div xmlns="http://www.w3.org/1999/xhtml"><p><b>Practitioner \(number)</b></p><table class="grid"><tr>\
    <td style="display: none">-</td><td><b>Code</b></td></tr><tr><td style="display: none">*</td>\
    <td><span title="Codes: 207R00000X">Internal Medicine</span></td></tr></table></div>
    """
  }
}
