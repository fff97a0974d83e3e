import Records
import TestSupport
import Testing
import Values

/// Files made to do harm, and broken ones: refused or given as malformed in bounded time. What memory they
/// need is looked at where the program reads them.
@Suite struct HostileTreeTests {
  private static let wanted = Wanted(fields: ["id", "name.family"], groups: [(["address"], ["city"])])

  @Test func whatIsBrokenInOneLineLeavesTheOthers() throws {
    let cases: [(String, Malformation)] = [
      (#"{"id":"x""#, .truncated), (#"{"id":"x"#, .truncated), (#"{"id""#, .truncated), ("{", .truncated),
      (#"{"id":"x"} {"id":"y"}"#, .trailingText), (#"{"id":"x"}]"#, .trailingText),
      (#"["id"]"#, .notAnObject), ("12", .notAnObject), ("nonsense", .badSyntax),
      (#"{"id":"x","id":"y"}"#, .repeatedName), (#"{"name":{"family":1,"family":2}}"#, .repeatedName),
      (#"{"id":"\ud800"}"#, .loneSurrogate), (#"{"id":"\udc00x"}"#, .loneSurrogate),
      (#"{"id":"\ud800\u0041"}"#, .loneSurrogate), (#"{"id":"\x"}"#, .badSyntax),
      (#"{"id":"\u12g4"}"#, .badSyntax),
      (#"{"id":01}"#, .badSyntax), (#"{"id":1.}"#, .badSyntax), (#"{"id":tru}"#, .badSyntax),
      (#"{"id":NaN}"#, .badSyntax), (#"{'id':1}"#, .badSyntax), (#"{"id":1,}"#, .badSyntax),
      (#"{"id" 1}"#, .badSyntax), (#"{"id":1 "name":2}"#, .badSyntax), ("{\"id\":\"a\tb\"}", .badSyntax),
      ("{\"id\":\"a\u{0}b\"}", .badSyntax), (#"{"x":[{"a":1}"#, .truncated), (#"{"x":tru}"#, .badSyntax),
    ]
    let text = cases.map { $0.0 + "\n" + #"{"id":"good"}"# + "\n" }.joined()
    let records = try Self.wanted.read(text, as: .jsonLines)
    #expect(records.count == 2 * cases.count)
    for (index, (text, malformation)) in cases.enumerated() {
      #expect(records[2 * index].malformation == malformation, "\(text)")
      #expect(records[2 * index].raw == text)
      #expect(records[2 * index].place.line == 2 * index + 1)
      #expect(records[2 * index + 1].fields == ["good", ""])
    }
  }

  @Test func bytesThatAreNoUTF8AreReportedEvenWhereNobodyLooks() throws {
    let bad: [UInt8] = Array(#"{"skipped":""#.utf8) + [0xC3, 0x28] + Array("\"}\n{\"id\":\"good\"}".utf8)
    let records = try Self.wanted.read(bad, as: .jsonLines)
    #expect(records.map(\.malformation) == [.badUTF8, nil])
    for tail in [[0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]] {
      let line = Array(#"{"id":"aaaaaaaaaaaaaaaa"#.utf8) + tail + Array("\"}".utf8)
      #expect(try Self.wanted.read(line, as: .jsonLines).map(\.malformation) == [.badUTF8])
    }
  }

  @Test func aDocumentIsReadAsFarAsItsBracketsTell() throws {
    let records = try Self.wanted.read(#"[{"id":1},{"id":1.},{"id":2},{"id":3"#, as: .json)
    #expect(records.map(\.malformation) == [nil, .badSyntax, nil, .truncated])
    let trailing = try Self.wanted.read(#"{"id":1} {"id":2}"#, as: .json)
    #expect(trailing.map(\.malformation) == [nil, .trailingText])
    #expect(
      try Self.wanted.read(#"[{"id":1} {"id":2}]"#, as: .json).map(\.malformation) == [nil, .badSyntax])
    #expect(
      try Self.wanted.read(#"{"entry":[{"resource":{"id":1}}"#, as: .json).map(\.malformation) == [
        nil, .truncated,
      ])
    #expect(try Self.wanted.read("nothing", as: .json).map(\.malformation) == [.badSyntax])
    #expect(try Self.wanted.read("[", as: .json).map(\.malformation) == [.truncated])
  }

  @Test func arraysInArraysOnTheWayToARecordAreNotFollowedForEver() throws {
    let text = #"{"resourceType":"Bundle","entry":"# + String(repeating: "[", count: 100_000)
    #expect(try Self.wanted.read(text, as: .json).map(\.malformation) == [.tooDeep])
  }

  @Test func anXMLDocumentInUTF16IsRefusedWithItsFix() throws {
    let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a><id value=\"1\"/></a>"
    for mark in [[0xFF, 0xFE], []] as [[UInt8]] {
      let bytes = mark + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let outcome = Result { try Self.wanted.read(bytes, as: .xml) }
      #expect("\(outcome)".contains("iconv"), "\(outcome)")
    }
  }

  @Test func nestingBeyondAllMeaningIsRefused() throws {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    let objects = String(repeating: #"{"a":"#, count: 10_000) + "1" + String(repeating: "}", count: 10_000)
    for value in [deep, objects] {
      for name in ["skipped", "id", "address"] {
        let text = "{\"\(name)\":\(value)}"
        #expect(
          try Self.wanted.read(text + "\n" + #"{"id":1}"#, as: .jsonLines).map(\.malformation) == [
            .tooDeep, nil,
          ])
        #expect(
          try Self.wanted.read("[\(text),{\"id\":1}]", as: .json).map(\.malformation) == [.tooDeep, nil])
      }
    }
  }

  /// A hundred megabytes that are one text, made as they are read.
  private final class LongText: ByteStream {
    private var parts: [(text: [UInt8], times: Int)]
    private var rest: ArraySlice<UInt8> = []

    init(_ before: String, _ text: String, times: Int, _ after: String) {
      parts = [(Array(before.utf8), 1), (Array(text.utf8), times), (Array(after.utf8), 1)]
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
      while rest.isEmpty {
        guard let part = parts.first else { return 0 }
        if part.times == 0 {
          parts.removeFirst()
        } else {
          parts[0].times -= 1
          rest = part.text[...]
        }
      }
      let count = min(buffer.count, rest.count)
      buffer.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
  }

  @Test func aTextOfAHundredMegabytesIsPassedOver() throws {
    let piece = String(repeating: "abcdefgh ", count: 10_000)
    let forms: [(TreeFormat.Syntax, String, String)] = [
      (.jsonLines, "{\"id\":\"", "\"}\n{\"id\":\"after\"}\n"),
      (.json, "[{\"id\":\"", "\"},{\"id\":\"after\"}]"),
      (.json, "{\"entry\":[{\"resource\":{\"x\":\"", "\"}},{\"resource\":{\"id\":\"after\"}}]}"),
      (.json, "{\"x\":\"", "\"}"),
    ]
    for (syntax, before, after) in forms {
      let format = TreeFormat(syntax, plan: try Self.wanted.plan(), records: ["entry", "resource"])
      var reader = try TreeReader(LongText(before, piece, times: 1120, after), format: format)
      #expect(try reader.next())
      #expect(reader.malformation == .tooLong)
      #expect(reader.raw.count <= format.recordLimit)
      if before.contains("[") || syntax == .jsonLines {
        #expect(try reader.next())
        #expect(reader.malformation == nil)
      }
      #expect(try !reader.next())
    }
  }

  @Test func aDocumentOfManyRecordsGivesThemAll() throws {
    let record =
      "<entry><resource><A><id value='1'/><text>\(String(repeating: "x ", count: 1000))</text></A></resource></entry>"
    let forms: [(TreeFormat.Syntax, String, String, String)] = [
      (.json, "[{\"id\":0}", ",{\"id\":1,\"x\":\"\(String(repeating: "y", count: 2000))\"}", "]"),
      (
        .json, "{\"entry\":[{}",
        ",{\"resource\":{\"id\":1,\"x\":\"\(String(repeating: "y", count: 2000))\"}}", "]}"
      ),
      (.xml, "<Bundle>", record, "</Bundle>"),
    ]
    for (syntax, before, piece, after) in forms {
      let format = TreeFormat(syntax, plan: try Self.wanted.plan(), records: ["entry", "resource"])
      var reader = try TreeReader(LongText(before, piece, times: 30_000, after), format: format)
      var count = 0
      while try reader.next() { count += 1 }
      #expect(count >= 30_000)
    }
  }

  @Test(arguments: [
    "<!DOCTYPE A [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]><A><id value='&b;'/></A>",
    "<!DOCTYPE A [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><A><id>&x;</id></A>",
    "<!DOCTYPE A SYSTEM 'http://127.0.0.1:9/x.dtd'><A/>", "<!DOCTYPE A><A/>",
    "<A><id value='&undeclared;'/></A>", "<A><id>&undeclared;</id></A>", "<A><b></A>", "<A><b>",
    "<A></A><B/>",
    "<A><id value='\u{1}'/></A>", "<A><id value='<'/></A>", "<A x='1' x='2'/>", "text", "<A/>text",
  ]) func xmlThatMayDoHarmIsRefused(text: String) {
    #expect {
      try Self.wanted.read(text, as: .xml)
    } throws: {
      if case RecordsError.brokenXML = $0 { true } else { false }
    }
  }

  @Test func aBillionLaughsAreNotLaughed() {
    var text = "<!DOCTYPE A [<!ENTITY l0 'lol'>"
    for level in 1..<30 {
      text += "<!ENTITY l\(level) '" + String(repeating: "&l\(level - 1);", count: 10) + "'>"
    }
    #expect(throws: RecordsError.self) { try Self.wanted.read(text + "]><A>&l29;</A>", as: .xml) }
  }

  @Test func xmlOfTenThousandLevelsIsRefused() {
    for name in ["a", "address"] {
      let text =
        "<A>" + String(repeating: "<\(name)>", count: 10_000)
        + String(repeating: "</\(name)>", count: 10_000) + "</A>"
      #expect(throws: RecordsError.self) { try Self.wanted.read(text, as: .xml) }
    }
  }

  @Test func xmlThatIsNoUTF8IsRefused() {
    let bytes = Array("<A><id value='".utf8) + [0xC3, 0x28] + Array("'/></A>".utf8)
    #expect(throws: RecordsError.self) { try Self.wanted.read(bytes, as: .xml) }
  }

  @Test func aRecordOfXMLThatIsTooLongLeavesTheOthers() throws {
    var wanted = Self.wanted
    wanted.limit = 100_000
    let long =
      "<resource><A><id value='1'/>" + String(repeating: "<x>yyyyyyyyyyyyyyyyyy</x>", count: 20_000)
      + "</A></resource>"
    let short = "<resource><A><id value='2'/></A></resource>"
    let records = try wanted.read(
      Array("<Bundle><entry>\(short)</entry><entry>\(long)</entry><entry>\(short)</entry></Bundle>".utf8),
      as: .xml)
    #expect(records.map(\.malformation) == [nil, .tooLong, nil])
    #expect(records[1].raw.utf8.count == 100_000)
    #expect(records[1].raw.hasPrefix("<A>"))
    #expect(records[2].raw == "<A><id value='2'/></A>")
  }

  @Test func whatComesBeforeTheFirstRecordIsNoPartOfIt() throws {
    var wanted = Self.wanted
    wanted.limit = 64
    let before = "<Bundle><x>" + String(repeating: "y", count: 200) + "</x>"
    let record = "<A><id value='1'/></A>"
    let text = "\(before)<entry><resource>\(record)</resource></entry></Bundle>"
    let records = try wanted.read(Array(text.utf8), as: .xml, chunk: 20)
    #expect(records.map(\.malformation) == [nil])
    #expect(records.map(\.raw) == [record])
  }

  @Test func aNameWithAZeroIsNoElements() throws {
    var wanted = Self.wanted
    wanted.records = ["entry\0\0\0\0", "resource"]
    let text = "<Bundle><entry><resource><A><id value='1'/></A></resource></entry></Bundle>"
    #expect(try wanted.read(text, as: .xml).map(\.raw) == [text])
  }
}
