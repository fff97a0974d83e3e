import Records
import TestSupport
import Testing
import Values

/// The general face, over all formats.
@Suite struct RecordReaderTests {
  let folder: Scratch

  init() throws { folder = try Scratch() }

  private static let workbook = XLSXFixture(
    rows:
      "<row><c r=\"A1\"><v>7</v></c><c r=\"C1\" t=\"str\"><v>12</v></c><c r=\"D1\" s=\"1\"><v>45000</v></c>"
      + "<c r=\"F1\"><v>0.1</v></c></row><row r=\"3\"><c r=\"B3\"><v>5.0</v></c></row>",
    formats: ["m/d/yyyy"])

  private static var formats: [(format: RecordFormat, name: String, bytes: [UInt8])] {
    get throws {
      [
        (.delimited(DelimitedFormat()), "a.csv", Array("a,b\r\n\u{1A}".utf8)),
        (.fixedWidth(FixedWidthFormat(fields: [1...1], length: 1...9)), "a.txt", Array("abc\n\n".utf8)),
        (.xlsx(XLSXFormat()), "a.xlsx", try workbook.bytes()),
      ]
    }
  }

  @Test func `the digest and the number of bytes are the entry's, a file's own or an archive's`() throws {
    for (format, name, bytes) in try Self.formats {
      let file = SourceEntry(file: try folder.write(name, bytes))
      let zip = try folder.write(name + ".zip", ArchiveFixture.make(.zip, [(name, bytes)]))
      for entry in [file, try #require(Discovery.entries(of: zip).first)] {
        var reader = try RecordReader(entry, format: format)
        while try reader.next() {}
        let (count, digest) = (reader.byteCount, reader.sha256)
        #expect(count == bytes.count, "\(entry)")
        #expect(digest == SHA256.hex(of: bytes), "\(entry)")
      }
    }
  }

  @Test func `every format is read from a stream`() throws {
    for (format, _, bytes) in try Self.formats {
      var reader = try RecordReader(MemoryStream(bytes, chunk: 5), format: format)
      let records = try records(&reader)
      #expect(!records.isEmpty)
    }
  }

  @Test func `numeric cells are distinguished from texts, dates and what is absent`() throws {
    var reader = try RecordReader(MemoryStream(Self.workbook.bytes()), format: .xlsx(XLSXFormat()))
    var numbers: [[Int]] = []
    while try reader.next() {
      numbers.append((-1..<8).filter { reader.isNumber($0) })
    }
    #expect(numbers == [[0, 5], [], [1]])
    let (after, sheet) = (reader.isNumber(1), reader.sheet)
    #expect(!after)
    #expect(sheet == "One")
  }

  @Test func `a field of text is no numeric cell`() throws {
    var reader = try RecordReader(
      MemoryStream(Array("1,2\n".utf8)), format: .delimited(DelimitedFormat()))
    let hasNext = try reader.next()
    let (isNumber, sheet) = (reader.isNumber(0), reader.sheet)
    #expect(hasNext)
    #expect(!isNumber)
    #expect(sheet == nil)
  }
}
