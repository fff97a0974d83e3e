import Records
import TestSupport
import Testing
import Values

/// What records hold and nobody reads is counted by path, the same of JSON and of XML.
@Suite("Unread elements")
struct UnreadElementTests {
  private static let people = Wanted(
    fields: ["id", "name[use=official].family", "extension[url=urn:known].valueCode"],
    groups: [(["address"], ["city"]), (["given"], ["."])],
    kind: TreePlan.Kind("resourceType", wanted: ["Person"]), keepsUnread: true,
    tellers: [TreePlan.Teller("extension", by: "url")])

  private static let json = #"""
    {"resourceType":"Person","id":"1","meta":{"profile":["urn:p","urn:q"],"versionId":null},
    "text":{"status":"generated","div":"<div><p>CANARY</p>CANARY</div>"},"active":true,"given":["a","b"],
    "name":[{"use":"official","family":"A","given":["B"]},{"use":"old","family":"CANARY"}],
    "birthDate":"2000-01-01","_birthDate":{"extension":[{"url":"urn:b","valueCode":"CANARY"}]},
    "photo":[{"contentType":"image/png"},{"contentType":"image/gif"},{}],"empty":"","none":[],
    "extension":[{"url":"urn:known","valueCode":"x"},{"url":"urn:new","valueCode":"CANARY"},
      {"valueBoolean":false,"url":"urn:b","extension":[{"url":"c","valueString":"s"}]}],
    "address":[{"city":"Ely","country":"UK"}]}
    """#

  private static let xml = """
    <Person xmlns="http://hl7.org/fhir"><id value="1"/><meta><profile value="urn:p"/><profile value="urn:q"/></meta>
    <text><status value="generated"/><div xmlns="http://www.w3.org/1999/xhtml"><p>CANARY</p>CANARY</div></text>
    <active value="true"/><given value="a"/><given value="b"/>
    <name><use value="official"/><family value="A"/><given value="B"/></name>
    <name><use value="old"/><family value="CANARY"/></name>
    <birthDate value="2000-01-01"><extension url="urn:b"><valueCode value="CANARY"/></extension></birthDate>
    <photo><contentType value="image/png"/></photo><photo><contentType value="image/gif"/></photo><photo/>
    <empty value=""/><extension url="urn:known"><valueCode value="x"/></extension>
    <extension url="urn:new"><valueCode value="CANARY"/></extension>
    <extension url="urn:b"><valueBoolean value="false"/>
      <extension url="c"><valueString value="s"/></extension></extension>
    <address><city value="Ely"/><country value="UK"/></address></Person>
    """

  private static let found = [
    "_birthDate.extension[url=urn:b].valueCode 1", "active 1", "address.country 1", "birthDate 1",
    "extension[url=urn:b].extension[url=c].valueString 1", "extension[url=urn:b].valueBoolean 1",
    "extension[url=urn:new].valueCode 1", "meta.profile 2", "name.family 1", "name.given 1",
    "photo.contentType 2", "text.div 1", "text.status 1",
  ]

  private static func lines(_ elements: UnreadElements, except: [TreePath] = []) -> [String] {
    elements.found(except: except).map { "\($0.path) \($0.count)" }.sorted()
  }

  @Test("are found in JSON, in lines of it and in XML", arguments: [1, 7, Int.max])
  func sameInEachForm(chunk: Int) throws {
    let line = Self.json.split(separator: "\n").joined()
    for (text, syntax) in [
      (Self.json, TreeFormat.Syntax.json), (line, .jsonLines), (Self.xml, .xml),
      ("{\"entry\":[{\"resource\":\(line)}]}", .json),
      ("<Bundle><entry><resource>\(Self.xml)</resource></entry></Bundle>", .xml),
    ] {
      #expect(
        Self.lines(try Self.people.unread(text, as: syntax, chunk: chunk)) == Self.found, "\(syntax)")
    }
  }

  @Test("are only those of records that are taken, and those that are not left out on purpose")
  func takenAndKnown() throws {
    let lines = #"""
      {"resourceType":"Other","id":"1","a":1}
      {"a":{"b":1,"c":[2,{"d":3}]},"resourceType":"Person"}
      {"resourceType":"Person","a":
      {"resourceType":"Person","extension":[{"url":"urn:x","valueCode":"y"},{"url":"urn:z","valueCode":"y"}]}
      """#
    let format = TreeFormat(.jsonLines, plan: try Self.people.plan())
    var reader = try TreeReader(MemoryStream(Array(lines.utf8), chunk: .max), format: format)
    var number = 0
    while try reader.next() {
      number += 1
      if number % 2 == 0 { reader.countUnread() }
    }
    let known = try ["a.c", "extension[url=urn:x|urn:y]"].map { try TreePath($0) }
    #expect(Self.lines(reader.unread, except: known) == ["a.b 1", "extension[url=urn:z].valueCode 1"])
    #expect(
      Self.lines(reader.unread) == [
        "a.b 1", "a.c 1", "a.c.d 1", "extension[url=urn:x].valueCode 1", "extension[url=urn:z].valueCode 1",
      ])
  }

  @Test("are counted together where there are too many to distinguish, and what is no JSON is one value")
  func hostile() throws {
    let many = (0..<2000).map { "\"n\($0)\(String(repeating: "x", count: 120))\":{\"a\":1}" }
    let found = try Self.people.unread("{\"id\":1,\(many.joined(separator: ","))}", as: .json)
    let paths = found.found()
    #expect(paths.count == 256 && paths.allSatisfy { $0.path.utf8.count == 122 })
    #expect(paths.reduce(0) { $0 + $1.count } + found.others == 2000)
    let deep = String(repeating: "[", count: 300) + "1" + String(repeating: "]", count: 300)
    let odd = try Self.people.unread(
      #"{"a":{"b":tru,"c":1},"d":\#(deep),"e\u0031":{"f\u0031":1}}"#, as: .jsonLines)
    #expect(Self.lines(odd) == ["a 1", "d 1", "e1.f1 1"])
  }

  @Test("of several files are added up")
  func added() throws {
    var sum = UnreadElements()
    for _ in 0..<3 { sum.add(try Self.people.unread(Self.xml, as: .xml)) }
    #expect(sum.found().map(\.count).reduce(0, +) == 3 * 15)
    #expect(sum.found().map(\.path).sorted() == Self.found.map { String($0.dropLast(2)) })
    var silent = Self.people
    silent.keepsUnread = false
    #expect(try silent.unread(Self.json, as: .json).found() == [])
  }
}
