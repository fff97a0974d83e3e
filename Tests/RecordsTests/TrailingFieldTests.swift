import Records
import TestSupport
import Testing

@Suite("The last field of a record")
struct TrailingFieldTests {
  private static func isLeftOut(_ lines: String) -> Bool {
    let records = lines.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return TrailingField.isLeftOut(of: records, width: 3)
  }

  @Test(
    "is left out where some records are a field short, and none is otherwise",
    arguments: [
      ("a,b", true), ("a,b\nc,d,e", true), ("a,b\n\nas of today\nc,d,e,", true), ("a,b,c\nd,e,f", false),
      ("a,b\nc,d,", false), ("a,b\nc,d, ", false), ("a,b,c,d\na", false), ("a,b\nc,d,e,f", false),
      ("", false),
    ] as [(String, Bool)])
  func shown(lines: String, isLeftOut: Bool) { #expect(Self.isLeftOut(lines) == isLeftOut) }

  @Test("may be missing in records of four fields and more, and not in those of two")
  func widths() {
    #expect(!TrailingField.isLeftOut(of: [["a"], ["b", "c"]], width: 2))
    // One of ten leaves it out, one of eleven is broken.
    let whole = Array(repeating: ["a", "b", "c"], count: 9)
    #expect(TrailingField.isLeftOut(of: whole + [["a", "b"]], width: 3))
    #expect(!TrailingField.isLeftOut(of: whole + [["a", "b"], ["a", "b", "c"]], width: 3))
    #expect(!TrailingField.isLeftOut(of: [["a", "b"], ["c", "d", "e"]], width: 4))
    #expect(TrailingField.isLeftOut(of: [["a", "b", "c"], ["c", "d", "e", "f"]], width: 4))
  }

  @Test("is read as a blank one, until a record has a blank one itself", arguments: [1, 7, Int.max])
  func read(chunk: Int) throws {
    let text = "a,b\n\"c\"\"\",\"d\"\ne,f,g\nh\n,,\ni,j\nk,l,\nm,n\n"
    var reader = DelimitedReader(
      MemoryStream(Array(text.utf8), chunk: chunk), format: DelimitedFormat(widthWithTrailing: 3))
    var found: [String] = []
    while try reader.next() {
      found.append(reader.texts.joined(separator: "|") + (reader.lacksTrailing ? " short" : ""))
    }
    #expect(found == ["a|b| short", "c\"|d| short", "e|f|g", "h", "||", "i|j| short", "k|l|", "m|n"])
  }
}
