import Foundation
import Records
import TestSupport
import Testing

@Suite("The values of a document in XML")
struct XMLLeavesTests {
  private func entry(_ text: String) throws -> (Scratch, SourceEntry) {
    let scratch = try Scratch()
    try scratch.write("list.xml", text)
    return (scratch, try #require(try Discovery.entries(of: scratch.path + "/list.xml").first))
  }

  @Test(
    "are those of what repeats nearest to it",
    arguments: [
      ("<a><b x='1'/><b x='2'/></a>", ["b"]), ("<a><c><b>1</b></c><b><d>1</d></b><b><d>2</d></b></a>", ["b"]),
      ("<a><h>x</h><c><b><d>1</d></b><b><d>2</d></b></c></a>", ["c", "b"]),
      ("<a><c><b><d>1</d><e>2</e></b></c></a>", ["c", "b"]), ("<a><d>1</d><e>2</e></a>", []),
      ("<a><d>1</d><d>2</d><e>3</e></a>", []),
    ] as [(String, [String])])
  func way(text: String, expected: [String]) throws {
    let (scratch, entry) = try entry(text)
    defer { withExtendedLifetime(scratch) {} }
    #expect(try XMLLeaves.recordWay(of: entry) == expected)
  }

  @Test("have the names that lead to them, and say what repeats")
  func leaves() throws {
    let (scratch, entry) = try entry(
      """
      <l><r id="1"><n value="A"/><p t="w"> 2 </p><x>a</x><x>b</x><y><z>1</z></y><y><z>2</z></y><e/></r>
      <r id="2"><q><s>B</s></q></r></l>
      """)
    defer { withExtendedLifetime(scratch) {} }
    var found: [String] = []
    try XMLLeaves.read(entry, records: ["r"]) { leaves in
      found += leaves.map { leaf in
        let value =
          switch leaf.value {
          case .text(let text): String(decoding: text, as: UTF8.self)
          case .null: "-"
          case .things: "things"
          }
        return leaf.path.joined(separator: ".") + (leaf.isItem ? "[]" : "") + "=" + value
      }
      return true
    }
    #expect(
      found == [
        "id=1", "n=A", "p=2", "p.t=w", "x[]=a", "x[]=b", "y[]=things", "e=-", "id=2", "q.s=B",
      ])
  }
}
