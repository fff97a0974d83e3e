import Records
import TestSupport
import Testing
import Values

/// Records that are read with what is around them, as entries of a Bundle say where their resources are.
@Suite("What is around a record")
struct AroundRecordTests {
  private static func plan() throws -> TreePlan {
    TreePlan(
      fields: [
        TreePlan.Field(try ["id", "resource.id", "..fullUrl"].map { try TreePath($0) }, after: "/:"),
        TreePlan.Field(try ["name", "resource.name"].map { try TreePath($0) }),
      ],
      groups: [
        TreePlan.Group(
          try ["line", "resource.line"].map { try TreePath($0) }, names: ["line", "line"],
          fields: [TreePlan.Field([.itself]), .pathName])
      ], kind: TreePlan.Kind("kind", wanted: ["A"], within: "resource"), keepsUnread: true)
  }

  private static func read(
    _ text: String, as syntax: TreeFormat.Syntax
  ) throws -> (records: [String], unread: [String]) {
    let format = TreeFormat(syntax, plan: try plan(), records: ["entry"])
    var reader = try TreeReader(MemoryStream(Array(text.utf8), chunk: 7), format: format)
    var records: [String] = []
    while try reader.next() {
      let malformation = reader.malformation
      records.append(malformation?.name ?? reader.texts.joined(separator: "|"))
      if malformation == nil { reader.countUnread() }
    }
    return (records, reader.unread.found(within: "resource").map { "\($0.path) \($0.count)" })
  }

  @Test("is read in any order, of documents of JSON and of XML, and records may be alone")
  func anyOrder() throws {
    let json = #"""
      {"type":"x","entry":[{"fullUrl":"https://x/A/7","resource":{"kind":"A","name":"one","line":["p","q"],"age":3}},
      {"resource":{"id":"a/b:c","name":"two","kind":"A"},"fullUrl":"urn:uuid:9","search":{"mode":"m"}},
      {"fullUrl":"plain","resource":{"kind":"A","age":4}},{"fullUrl":"u:8"}]}
      """#
    let xml = """
      <Bundle><type value="x"/><entry><fullUrl value="https://x/A/7"/><resource><A><name value="one"/><line value="p"/>
      <line value="q"/><age value="3"/></A></resource></entry>
      <entry><resource><A><id value="a/b:c"/><name value="two"/></A></resource><fullUrl value="urn:uuid:9"/>
      <search><mode value="m"/></search></entry>
      <entry><fullUrl value="plain"/><resource><A><age value="4"/></A></resource></entry>
      <entry><fullUrl value="u:8"/></entry></Bundle>
      """
    for (text, syntax) in [(json, TreeFormat.Syntax.json), (xml, .xml)] {
      let found = try Self.read(text, as: syntax)
      #expect(found.records == ["7|one|p|line|q|line", "a/b:c|two", "plain|", "8|"], "\(syntax)")
      #expect(found.unread == ["age 2", "search.mode 1"], "\(syntax)")
    }
    let lines = #"""
      {"kind":"A","id":"1","name":"n","line":["p"],"age":1}
      {"fullUrl":"x/2","resource":{"kind":"A","age":1}}
      """#
    let found = try Self.read(lines, as: .jsonLines)
    #expect(found.records == ["1|n|p|line", "2|"] && found.unread == ["age 2"])
    #expect(try Self.read(#"{"kind":"A","id":"1"}"#, as: .json).records == ["1|"])
    #expect(try Self.read(#"<A><id value="1"/></A>"#, as: .xml).records == ["1|"])
  }

  @Test("must not be that of several records")
  func several() throws {
    let text = #"{"entry":[{"fullUrl":"x/1","resource":[{"kind":"A"},{"kind":"A"}]}]}"#
    #expect(try Self.read(text, as: .json).records == ["not-an-object"])
  }
}
