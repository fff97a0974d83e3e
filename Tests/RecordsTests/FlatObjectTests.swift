import Records
import TestSupport
import Testing
import Values

/// Objects of JSON that are what lines of a list are, as programs export them.
@Suite("Flat objects")
struct FlatObjectTests {
  private static let visits = Wanted(
    fields: ["id", "notes"], groups: [(["procedures"], ["code", "text"])], records: [], ignoresCase: true,
    keepsUnread: true)

  @Test("have names in any letter case, and no name in two of them")
  func letterCase() throws {
    let lines = #"""
      {"ID":"1","Notes":"n","PROCEDURES":[{"Code":"a","TEXT":"x"}]}
      {"id":"2","NOTES":"m","notes":"n"}
      {"i\u0064":"3","nöteS":"no","notes ":"no"}
      """#
    let records = try Self.visits.read(lines, as: .jsonLines)
    #expect(records.map(\.malformation) == [nil, .repeatedName, nil])
    #expect(records.map(\.fields) == [["1", "n"], [], ["3", ""]])
    #expect(records[0].groups == [[["a", "x"]]])
    var exact = Self.visits
    exact.ignoresCase = false
    #expect(try exact.read(lines, as: .jsonLines).map(\.fields) == [["", ""], ["2", "n"], ["3", ""]])
    // What a document in XML calls things has its letter case, whatever is wanted of JSON.
    #expect(try exact.read("<visit><ID>1</ID></visit>", as: .xml).map(\.fields) == [["", ""]])
  }

  @Test("say which properties any of them has, with a value or without")
  func seen() throws {
    let wanted = Wanted(
      fields: ["id", "notes", "address.city", "address.street", "extra"],
      groups: [(["procedures"], ["code", "text", "."])])
    let lines = #"""
      {"id":"1","address":{"city":"Ely"}}
      {"id":"2","procedures":[]}
      {"id":"3","notes":null,"procedures":[{"code":"a"}]}
      """#
    var seen = try wanted.seen(lines, as: .jsonLines)
    #expect((0..<5).map { seen.holds(field: $0) } == [true, true, true, false, false])
    #expect((0..<3).map { seen.holds(field: $0, ofGroup: 0) } == [true, false, true])
    seen = try wanted.seen(#"{"id":"1","address":null}"#, as: .jsonLines)
    #expect((0..<5).map { seen.holds(field: $0) } == [true, false, true, true, false])
    #expect(seen.holds(field: 0, ofGroup: 0) == false)
    seen = try wanted.seen("<a><id>1</id><address><street/></address></a>", as: .xml)
    #expect((0..<5).map { seen.holds(field: $0) } == [true, false, false, true, false])

    // More names than a word has bits.
    let names = (0..<70).map { "f\($0)" }
    let many = Wanted(fields: names, records: [])
    let last = try many.seen(#"{"f3":1,"f69":1}"#, as: .jsonLines)
    #expect(names.indices.filter { last.holds(field: $0) } == [3, 69])
  }

  @Test("may have the things within them as a text of JSON")
  func thingsAsText() throws {
    for (text, rows) in [
      (
        #""[{\"code\":\"a\",\"text\":\"say \\\"x\\\"\\n\"},{\"code\":\"b\"}]""#,
        [["a", "say \"x\"\n"], ["b", ""]]
      ),
      (#""{\"code\": 7}""#, [["7", ""]]), (#""[]""#, []), (#""""#, []), (#"" \n ""#, []), ("null", []),
      (#"[null,{"code":"a"}]"#, [["", ""], ["a", ""]]),
      (#"["{\"code\":\"a\"}",{"code":"b"}]"#, [["a", ""], ["b", ""]]),
    ] as [(String, [[String]])] {
      let records = try Self.visits.read(
        "{\"id\":\"\\u0031\",\"procedures\":\(text),\"notes\":\"n\"}", as: .jsonLines)
      #expect(records.map(\.malformation) == [nil], "\(text)")
      #expect(records.first?.fields == ["1", "n"], "\(text)")
      #expect(records.first?.groups == [rows], "\(text)")
    }
    for text in [#""99213""#, "5", "true", #""[{\"code\":""#, #""[{}] more""#, #"["a"]"#, #""[\"a\"]""#] {
      let records = try Self.visits.read("{\"id\":\"1\",\"procedures\":\(text)}", as: .jsonLines)
      #expect(records.map(\.malformation) == [.textForThings], "\(text)")
    }
  }

  @Test("and trees keep the place of what is null in a list, as XML does")
  func placesOfNull() throws {
    let wanted = Wanted(
      fields: ["given[1]", "given[1:]", "line[2]", "id[use!=old].value"], groups: [(["given"], ["."])],
      joining: " ")
    let json =
      #"{"given":["A",null,"C","D"],"line":[null,null,"x"],"id":[{"use":"old","value":"1"},{"value":"2"}]}"#
    let xml = """
      <a><given value="A"/><given id="x"/><given value="C"/><given value="D"/><line/><line/><line value="x"/>
      <id><use value="old"/><value value="1"/></id><id><value value="2"/></id></a>
      """
    for (text, syntax) in [(json, TreeFormat.Syntax.json), (xml, .xml)] {
      let record = try #require(try wanted.read(text, as: syntax).first)
      #expect(record.fields == ["", "C D", "x", "2"], "\(syntax)")
      #expect(record.groups == [[["A"], [""], ["C"], ["D"]]], "\(syntax)")
    }
  }
}
