import Records
import TestSupport
import Testing
import Values

@Suite struct TreeReaderTests {
  private static let person = Wanted(
    fields: [
      "resourceType", "id", "identifier[system=http://a/npi|http://b/npi].value", "name[use=official].family",
      "name.given[1]", "active",
    ],
    groups: [
      (["address"], ["line[0]", "line[1]", "city"]), (["speciality"], ["."]),
      (["home", "works"], ["@", "ref"]),
    ], kind: .init("resourceType"))

  private static let json = """
    {"resourceType":"Person","text":{"div":"<b title=\\"{]\\">no\\\\</b>"},"id":"p1","name":[{"use":"old",
    "family":"Before"},{"family":"Now","use":"official","given":["Ann","B\\u00e9\\ud83d\\ude00"]}],"active":true,
    "identifier":[{"system":"http://c","value":"no"},{"value":"123","system":"http://b/npi"}],
    "address":[{"line":["1 High St","Floor 2"],"city":"Ely"},{"city":null,"line":[]},{"city":"Oxford"}],
    "speciality":["x","y"],"works":[{"ref":"w1"},{"ref":"w2"}],"home":{"ref":"h"}}
    """

  private static let xml = """
    \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
    <!-- A person. -->
    <Person xmlns="http://hl7.org/fhir"><active value="true"/><works><ref value="w1"/></works>
      <text><div xmlns="http://www.w3.org/1999/xhtml"><b title="{]">no</b><id value="wrong"/></div></text>
      <name><family value="Before"/><use value="old"/></name><speciality value="x"/>
      <name><given value="Ann"/><given value="B&#xe9;&#x1F600;"/><family value="Now"/><use value="official"/></name>
      <home><ref value="h"/></home><speciality>y</speciality><works><ref>w2</ref></works>
      <identifier><value value="no"/><system value="http://c"/></identifier><id value="p1"/>
      <identifier><system value="http://b/npi"/><value value="123"/></identifier>
      <address><city value="Ely"/><line value="1 High St"/><line value="Floor 2"/></address>
      <address><city value=""/></address><address><city value="Oxford"/></address>
    </Person>
    """

  private static func check(_ record: ReadTree?) {
    #expect(record?.malformation == nil)
    #expect(record?.fields == ["Person", "p1", "123", "Now", "B\u{e9}\u{1F600}", "true"])
    #expect(
      record?.groups == [
        [["1 High St", "Floor 2", "Ely"], ["", "", ""], ["", "", "Oxford"]], [["x"], ["y"]],
        [["home", "h"], ["works", "w1"], ["works", "w2"]],
      ])
  }

  @Test func fieldsAndRowsAreThoseOfTheirPaths() throws {
    let records = try Self.person.read(Self.json, as: .json)
    #expect(records.count == 1)
    Self.check(records.first)
    #expect(records.first?.raw == Self.json)
  }

  @Test(arguments: [Int.max, 7, 1])
  func aFieldMayBeAllThereIs(chunk: Int) throws {
    let wanted = Wanted(fields: ["id", "*list", "*thing", "*text", "*none"], records: [])
    let text = #"""
      {"list": [1, {"a": "]}\""}], "id": "x", "thing": { "deep": [[], null] }, "text": "a b", "none": null}
      """#
    let records = try wanted.read(Array(text.utf8), as: .jsonLines, chunk: chunk)
    #expect(records.map(\.malformation) == [nil])
    #expect(
      records.first?.fields == [
        "x", #"[1, {"a": "]}\""}]"#, #"{ "deep": [[], null] }"#, #""a b""#, "",
      ])
  }

  @Test func xmlSaysTheSameAsJSONInAnyOrderOfElements() throws {
    let records = try Self.person.read(Self.xml, as: .xml)
    #expect(records.count == 1)
    Self.check(records.first)
    #expect(records.first?.raw.hasPrefix("<Person xmlns") == true)
    #expect(records.first?.raw.hasSuffix("</Person>") == true)
  }

  /// However the bytes come, a record is the same.
  @Test(arguments: [1, 2, 3, 7, 64]) func piecesOfAnySizeGiveTheSameRecords(chunk: Int) throws {
    let line = Self.json.split(separator: "\n").joined()
    let sources: [(String, TreeFormat.Syntax)] = [
      (Self.json, .json), ("[\(Self.json) ,\n\(Self.json)]", .json), (Self.xml, .xml),
      ("\u{FEFF}\(line)\r\n\n\(line)", .jsonLines),
      ("{\"entry\":[{\"resource\":\(Self.json)}, {\"fullUrl\":\"x\"}],\"resourceType\":\"Bundle\"}", .json),
      (
        "<Bundle><entry><link/><resource>\n\(Self.xml.split(separator: "\n").dropFirst(2).joined())"
          + "</resource></entry></Bundle>", .xml
      ),
    ]
    for (text, syntax) in sources {
      let whole = try Self.person.read(text, as: syntax)
      #expect(!whole.isEmpty)
      whole.forEach { Self.check($0) }
      let pieces = try Self.person.read(Array(text.utf8), as: syntax, chunk: chunk, bufferSize: 16)
      #expect(pieces == whole)
    }
  }

  @Test func aBundleIsKnownByWhatItHoldsWhereverItSaysItsType() throws {
    let wanted = Wanted(fields: ["id"])
    for text in [
      #"{"resourceType":"Bundle","entry":[{"fullUrl":"u","resource":{"id":"a"}},{"resource":{"id":"b"}}]}"#,
      #"{"entry":[{"resource":{"id":"a"}},{"x":[1,{"resource":{"id":"no"}}],"resource":{"id":"b"}}],"resourceType":"Bundle"}"#,
      #" {"link":[{"resource":{"id":"no"}}], "entry" : {"resource" : [{"id":"a"} , {"id":"b"}]} } "#,
    ] {
      let records = try wanted.read(text, as: .json)
      #expect(records.map(\.fields) == [["a"], ["b"]])
      #expect(records.map(\.raw) == [#"{"id":"a"}"#, #"{"id":"b"}"#])
      #expect(records.map(\.place.line) == [1, 2])
      let bytes = Array(text.utf8)
      for record in records {
        #expect(bytes[record.place.byteOffset...].starts(with: record.raw.utf8))
      }
    }
    #expect(try wanted.read(#"{"entry":[]}"#, as: .json).isEmpty)
    #expect(try wanted.read("", as: .json).isEmpty)
  }

  @Test func theBytesOfAnXMLRecordAreThoseOfItsElement() throws {
    let text =
      "<Bundle>\n<entry><resource> <A><id value='1'/></A> </resource></entry><entry><resource><B/></resource>"
      + "</entry><entry><search/></entry></Bundle>"
    let records = try Wanted(fields: ["id", "kind"], kind: .init("kind")).read(text, as: .xml)
    #expect(records.map(\.raw) == ["<A><id value='1'/></A>", "<B/>"])
    #expect(records.map(\.fields) == [["1", "A"], ["", "B"]])
    let bytes = Array(text.utf8)
    for record in records { #expect(bytes[record.place.byteOffset...].starts(with: record.raw.utf8)) }
  }

  @Test func ofRecordsOfOtherKindsOnlyTheKindIsRead() throws {
    let wanted = Wanted(fields: ["kind", "id"], kind: .init("kind", wanted: ["A", "C"]))
    let lines = "{\"kind\":\"A\",\"id\":1}\n{\"kind\":\"B\",\"id\":2,!\n{\"kind\":\"C\",\"id\":3}"
    #expect(try wanted.read(lines, as: .jsonLines).map(\.fields) == [["A", "1"], ["B", ""], ["C", "3"]])
    let xml =
      "<Bundle><entry><resource><B><id value='2'/></B></resource></entry><entry><resource><C><id value='3'/>"
    #expect(
      try wanted.read(xml + "</C></resource></entry></Bundle>", as: .xml).map(\.fields)
        == [["B", ""], ["C", "3"]])
  }

  @Test func textsAreJoinedWhereThatIsWanted() throws {
    let wanted = Wanted(
      fields: ["name[1].given", "name.given"], groups: [(["name"], ["given"])], joining: " ")
    let record = try wanted.read(
      #"{"name":[{"given":["A","B\n"]},{"given":["C"]},{"given":"D"}]}"#, as: .json)[0]
    #expect(record.fields == ["C", "A B\n C D"])
    #expect(record.groups == [[["A B\n"], ["C"], ["D"]]])
  }

  @Test func numbersStayAsTheyAreWritten() throws {
    let record = try Wanted(fields: ["a", "b", "c", "d"]).read(
      #"{"a":1e999,"b":-0.10,"c":123456789012345678901234567890,"d":false}"#, as: .json)[0]
    #expect(record.fields == ["1e999", "-0.10", "123456789012345678901234567890", "false"])
  }

  @Test func pathsSayWhatIsWrongWithThem() {
    for (text, mistake) in [
      ("", TreePath.Mistake.noName(after: "")), ("a..b", .noName(after: "a.")), ("a.", .noName(after: "a.")),
      ("a[1", .openBracket("[1")), ("a[b]", .badFilter("b")), ("a[=b]", .badFilter("=b")),
      ("a[b=]", .badFilter("b=")), ("a[-1]", .badFilter("-1")), ("a[0]b", .noName(after: "a[0]")),
    ] {
      #expect(throws: mistake, "\(text)") { try TreePath(text) }
    }
    #expect((try? TreePath("a[].b[x.y=1|2][0]"))?.plain == "a.b")
    #expect((try? TreePath("a[url=http://x.y/z].b"))?.steps.count == 2)
  }
}
