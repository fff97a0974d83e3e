import Records
import Values

/// JSON and XML, of which the first line says what is wanted of the records.
extension FuzzedReader {
  static let trees = [
    FuzzedReader("ndjson", words: jsonWords) { input, _ in try readTree(&input, .jsonLines) },
    FuzzedReader("json", words: jsonWords) { input, _ in try readTree(&input, .json) },
    FuzzedReader("xml", words: xmlWords) { input, _ in try readTree(&input, .xml) },
    FuzzedReader("leaves", words: jsonWords + xmlWords) { input, folder in
      if input.choice(of: [true, false]) {
        _ = try JSONLeaves.read(input.rest)
      } else {
        let entry = SourceEntry(file: try folder.put("a.xml", input.rest))
        let way = try XMLLeaves.recordWay(of: entry)
        try XMLLeaves.read(entry, records: way) { _ in true }
      }
    },
  ]

  /// Reads records as the first line has it: `10;entry resource;id,name.family;address:city,state`, that is
  /// choices, the way to the records, fields, and groups of them.
  private static func readTree(_ input: inout FuzzInput, _ syntax: TreeFormat.Syntax) throws {
    let ignoresCase = input.choice(of: [false, true])
    let kind = input.choice(of: [
      nil, TreePlan.Kind("resourceType", wanted: ["Practitioner", "Patient"]), TreePlan.Kind("type"),
      TreePlan.Kind("resourceType", wanted: ["Patient"], within: "resource"),
    ])
    let (joining, takesAll): (String?, Bool) = input.choice(of: [(nil, false), (" ", false), (nil, true)])
    let limit = input.choice(of: [4 << 20, 64])
    let parts = input.line().split(separator: ";", omittingEmptySubsequences: false).dropFirst()
    func fields(_ texts: Substring) throws -> [TreePlan.Field] {
      try texts.split(separator: ",").prefix(20).map {
        let path = try TreePath(String($0))
        return TreePlan.Field([path], joining: joining, takesAll: takesAll, after: path.isAround ? "/" : nil)
      }
    }
    let groups = try parts.dropFirst(2).prefix(5).map { group in
      let parts = group.split(separator: ":", maxSplits: 1)
      return TreePlan.Group(
        [try TreePath(String(parts.first ?? ""))], fields: try fields(parts.count == 2 ? parts[1] : ""))
    }
    let plan = TreePlan(
      fields: try fields(parts.dropFirst().first ?? ""), groups: groups, kind: kind,
      ignoresCase: ignoresCase && syntax != .xml, keepsUnread: true,
      tellers: [TreePlan.Teller("extension", by: "url")], day: "2025-11-20")
    let way = (parts.first ?? "").split(separator: " ").map(String.init)
    let format = RecordFormat.tree(TreeFormat(syntax, plan: plan, records: way, recordLimit: limit))
    let bytes = input.rest
    var whole = try RecordReader(Pieces(bytes, most: .max), format: format, bufferSize: 64 << 10)
    let one = try Transcript(&whole, groups: groups.count)
    _ = (whole.seen, whole.unread)
    var pieces = try RecordReader(Pieces(bytes, most: 7), format: format, bufferSize: 64)
    let other = try Transcript(&pieces, groups: groups.count)
    one.expect(other)
  }

  private static let paths = [
    "identifier[system=urn:a|urn:b].value", "name[use!=old].given[1:]", "period[period.end>=day].start",
    "[period.start<=day]", "[system~=A]", "..fullUrl", " as ", ".", "line[0]",
    "extension[url=x].valueCode",
  ]

  private static let jsonWords =
    paths + [
      "{", "}", "[", "]", ":", ",", "\"", "\\u00e9", "\\ud83d\\ude00", "\\\"", "null", "true", "false",
      "-1.5e+7", "\"resourceType\":\"Patient\"", "\"extension\":[{\"url\":\"x\",", "\"name\":", "\u{FEFF}",
    ]

  private static let xmlWords =
    paths + [
      "<a ", "</a>", "/>", "value=\"", "xmlns=\"u\"", "xmlns:x=\"u\"", "<!--", "-->", "<![CDATA[", "]]>",
      "<?x ?>", "&amp;", "&#x10FFFF;", "<!DOCTYPE a [", "<Patient>", "<extension url=\"x\">",
      "encoding=\"UTF-16\"", "encoding=\"ISO-8859-1\"",
    ]
}
