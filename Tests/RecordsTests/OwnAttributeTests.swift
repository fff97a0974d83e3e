import Records
import TestSupport
import Testing

/// Records of XML that say all or some of what they say in attributes of their own element.
@Suite("A record's own element")
struct OwnAttributeTests {
  private static let wanted = Wanted(
    fields: ["id", "name", "city"], groups: [(["."], ["name", "city"]), (["tag"], ["."])],
    records: ["item"])
  private static let text = """
    <items id="no" xmlns:x="urn:x">
      <item id="1" name="A &amp; B" x:city="no"/>
      <item id='2' city="a > b"><name>C</name><tag>t</tag><tag>u</tag></item>
      <item><name>D</name></item>
      <x:item id="4" ></x:item>
    </items>
    """

  @Test("has its attributes as properties, and is kept with them", arguments: [1, 13, Int.max])
  func attributes(chunk: Int) throws {
    let records = try Self.wanted.read(Array(Self.text.utf8), as: .xml, chunk: chunk)
    #expect(
      records.map(\.fields) == [["1", "A & B", ""], ["2", "C", "a > b"], ["", "D", ""], ["4", "", ""]])
    // The record itself is one row.
    #expect(
      records.map(\.groups) == [
        [[["A & B", ""]], []], [[["C", "a > b"]], [["t"], ["u"]]], [[["D", ""]], []], [[["", ""]], []],
      ])
    #expect(
      records.map(\.raw) == [
        " id=\"1\" name=\"A &amp; B\" x:city=\"no\"/>",
        " id='2' city=\"a > b\"><name>C</name><tag>t</tag><tag>u</tag>", "<name>D</name>", " id=\"4\" >",
      ])
  }

  @Test("may be the document, or say of what kind it is")
  func document() throws {
    var wanted = Self.wanted
    wanted.records = []
    #expect(
      try wanted.read("<item id=\"1\"><name>A</name></item>", as: .xml).map(\.fields) == [["1", "A", ""]])
    wanted.records = ["entry"]
    let kinds = "<list><entry><Item id=\"1\"><name>A</name></Item></entry></list>"
    #expect(try wanted.read(kinds, as: .xml).map(\.fields) == [["1", "A", ""]])
  }

  @Test("has properties with capitals where a path has one")
  func capitals() throws {
    let wanted = Wanted(fields: ["Name", "Owner.Name"], groups: [], records: ["Item"])
    let text =
      "<Items><Item><Other><Name>no</Name></Other><Name>A</Name><Owner><Name>B</Name></Owner></Item></Items>"
    #expect(try wanted.read(text, as: .xml).map(\.fields) == [["A", "B"]])
  }
}
