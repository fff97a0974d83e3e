import Records
import TestSupport
import Testing
import Values

/// In which encoding a text is, and which records have bytes that it does not define.
@Suite struct TextEncodingTests {
  /// What is found of a text.
  private struct Found: Equatable {
    var encoding: TextEncoding
    /// Of each record.
    var undecodable: [Int?]
    var offsets: [Int]
    var fields: [[String]]
  }

  /// Reads a text in pieces of several sizes into buffers of several sizes; all must find the same.
  private func find(_ bytes: [UInt8], as given: TextEncoding? = nil) throws -> Found {
    var found: Found?
    for (chunk, buffer) in [(Int.max, 256 << 10), (1, 16), (7, 64), (3, 1000)] {
      var reader = try RecordReader(
        MemoryStream(bytes, chunk: chunk), format: .delimited(DelimitedFormat()), encoding: given,
        bufferSize: buffer)
      var undecodable: [Int?] = []
      var offsets: [Int] = []
      var fields: [[String]] = []
      while try reader.next() {
        undecodable.append(reader.undecodable)
        offsets.append(reader.place.byteOffset)
        fields.append(reader.texts)
      }
      let this = Found(
        encoding: reader.encoding, undecodable: undecodable, offsets: offsets, fields: fields)
      #expect(found == nil || found == this, "pieces of \(chunk)")
      found = this
    }
    return try #require(found)
  }

  private static let ascii = Array(
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,b\n".utf8)

  @Test func `nothing but ASCII is ASCII`() throws {
    for text in ["", "a,b\nc\n"] {
      let found = try find(Array(text.utf8))
      #expect(found.encoding == .ascii)
      #expect(found.undecodable.allSatisfy { $0 == nil })
    }
  }

  @Test func `whole sequences make it UTF-8, and others those of a record`() throws {
    let lines: [[UInt8]] = [
      Self.ascii, Array("é\u{20AC}\u{1F600},ü\n".utf8), [0x61, 0xD1, 0x62, 0xD1, 0x0A], Array("x\n".utf8),
      [0x2C, 0xE2, 0x82, 0x0A], Array("ß".utf8),
    ]
    let found = try find(Array(lines.joined()))
    #expect(found.encoding == .utf8)
    let starts = lines.indices.map { lines[..<$0].joined().count }
    #expect(found.offsets == starts)
    #expect(found.undecodable == [nil, nil, starts[2] + 1, nil, starts[4] + 1, nil])
  }

  @Test func `a sequence that the end of the text cuts off is undecodable`() throws {
    let found = try find(Array("é\nx".utf8) + [0xE2, 0x82])
    #expect(found.encoding == .utf8)
    #expect(found.undecodable == [nil, 4])
  }

  @Test func `a UTF-8 byte order mark decides where nothing else does, and against what is given`() throws {
    let text: [UInt8] = [0xEF, 0xBB, 0xBF, 0x61, 0x0A, 0x62, 0xD1, 0x0A]
    for given in [nil, TextEncoding.windows1252] {
      let found = try find(text, as: given)
      #expect(found.encoding == .utf8)
      #expect(found.undecodable == [nil, 6])
      #expect(found.offsets == [3, 5])
    }
  }

  @Test func `letters alone are Latin-1, and quotes among them make it Windows-1252`() throws {
    let latin = Self.ascii + [0x53, 0xE3, 0x6F, 0x0A]
    #expect(try find(latin).encoding == .latin1)
    let quoted = try find(latin + Self.ascii + [0x93, 0x78, 0x94, 0x0A])
    #expect(quoted.encoding == .windows1252)
    #expect(quoted.undecodable == [nil, nil, nil, nil])
  }

  @Test func `a byte that Windows-1252 leaves undefined is undecodable, at its place`() throws {
    let text = Self.ascii + [0x61, 0x96, 0x0A, 0x61, 0x62, 0x81, 0x9D, 0x0A, 0x63, 0x0A]
    let found = try find(text)
    #expect(found.encoding == .windows1252)
    #expect(found.undecodable == [nil, nil, Self.ascii.count + 5, nil])
    #expect(try find(text, as: .latin1).undecodable == [nil, nil, nil, nil])
  }

  @Test func `what is given is not guessed`() throws {
    let text = Self.ascii + [0x4E, 0xD1, 0x0A]
    let utf8 = try find(text, as: .utf8)
    #expect(utf8.encoding == .utf8)
    #expect(utf8.undecodable == [nil, Self.ascii.count + 1])
    #expect(try find(text, as: .ascii).undecodable == [nil, Self.ascii.count + 1])
    #expect(try find(text, as: .windows1252).undecodable == [nil, nil])
    #expect(try find(Array("é\n".utf8), as: .latin1).encoding == .latin1)
  }

  @Test func `the encoding is decided once`() throws {
    // Far behind the first letters come sequences that would be UTF-8.
    let far = [UInt8](repeating: 0x61, count: 300_000) + [0x0A]
    var reader = DelimitedReader(
      MemoryStream([0xE9, 0x0A] + far + Array("éàü\n".utf8)), bufferSize: 4096)
    while try reader.next() { #expect(reader.undecodable == nil) }
    #expect(reader.encoding == .latin1)
    reader = DelimitedReader(MemoryStream(Array("é\n".utf8) + far + [0xE9, 0x0A]), bufferSize: 4096)
    var last: Int?
    while try reader.next() { last = reader.undecodable }
    #expect(reader.encoding == .utf8)
    #expect(last == 3 + far.count)
  }

  @Test func `more undecodable records than a buffer holds are all found`() throws {
    let line: [UInt8] = [0xD1, 0x2C, 0x31, 0x0A]
    let found = try find(Array((0..<2000).flatMap { _ in line }), as: .utf8)
    #expect(found.undecodable == (0..<2000).map { $0 * 4 })
  }

  @Test(arguments: [TextEncoding.utf16LE, .utf16BE])
  func `UTF-16 is read as UTF-8, with places in the source`(encoding: TextEncoding) throws {
    let lines = ["a,é\r\n", "\u{20AC}\u{1F600},\"x\ny\"\n", "c,d"]
    let found = try find(Self.wide(lines.joined(), encoding, mark: true))
    #expect(found.encoding == encoding)
    #expect(found.fields == [["a", "é"], ["\u{20AC}\u{1F600}", "x\ny"], ["c", "d"]])
    #expect(found.undecodable == [nil, nil, nil])
    #expect(found.offsets == [2, 12, 32])
    let given = try find(Self.wide(lines.joined(), encoding, mark: false), as: encoding)
    #expect(given.fields == found.fields)
    #expect(given.offsets == [0, 10, 30])
  }

  @Test(arguments: [TextEncoding.utf16LE, .utf16BE])
  func `half a character of UTF-16 is undecodable, at its place`(encoding: TextEncoding) throws {
    let units: [UInt16] = [
      0x61, 0x0A, 0x20AC, 0xD83D, 0x62, 0x0A, 0x63, 0xDE00, 0x0A, 0xD83D, 0xD83D, 0xDE00, 0x0A, 0x64,
    ]
    let text = Self.bytes([0xFEFF] + units, encoding)
    #expect(try find(text).undecodable == [nil, 8, 16, 20, nil])
    // An odd byte at the end.
    #expect(try find(text + [0x65]).undecodable == [nil, 8, 16, 20, 30])
  }

  @Test func `fixed places count the bytes of an eight-bit encoding`() throws {
    let format = RecordFormat.fixedWidth(FixedWidthFormat(fields: [1...3, 4...5], length: 5...5))
    var reader = try RecordReader(
      MemoryStream([0x4E, 0xD1, 0x41, 0x31, 0x32, 0x0A, 0x61, 0x81, 0x20, 0x33, 0x34, 0x0A], chunk: 3),
      format: format)
    var numbers: [String] = []
    var undecodable: [Int?] = []
    while try reader.next() {
      numbers.append(reader.texts[1])
      undecodable.append(reader.undecodable)
    }
    #expect(numbers == ["12", "34"])
    #expect(undecodable == [nil, 7])
  }

  @Test func `a sheet is in UTF-8`() throws {
    let bytes = try XLSXFixture(rows: XLSXFixture.lines(["é"])).bytes()
    var reader = try RecordReader(MemoryStream(bytes), format: .xlsx(XLSXFormat()))
    var undecodable: [Int?] = []
    while try reader.next() { undecodable.append(reader.undecodable) }
    let encoding = reader.encoding
    #expect(encoding == .utf8)
    #expect(undecodable == [nil])
  }

  private static func wide(_ text: String, _ encoding: TextEncoding, mark: Bool) -> [UInt8] {
    bytes((mark ? [0xFEFF] : []) + Array(text.utf16), encoding)
  }

  private static func bytes(_ units: [UInt16], _ encoding: TextEncoding) -> [UInt8] {
    units.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return encoding == .utf16BE ? [high, low] : [low, high]
    }
  }
}
