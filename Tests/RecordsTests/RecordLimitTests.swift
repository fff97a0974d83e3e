import Records
import Testing

@Suite struct RecordLimitTests {
  private func read(_ text: String, limit: Int, bufferSize: Int) throws -> [ReadRecord] {
    try RecordsTests.read(
      Array(text.utf8), chunk: 3, bufferSize: bufferSize, format: DelimitedFormat(recordLimit: limit))
  }

  @Test(arguments: ["\n", "\r\n", "\r"], [4, 5, 8, 64])
  func `a record of the limit is good and one byte more is too long`(lineEnd: String, bufferSize: Int) throws
  {
    for length in 0...40 {
      let text = ["a,b", String(repeating: "x", count: length), "c,d"].map { $0 + lineEnd }.joined()
      let records = try read(text, limit: 10, bufferSize: bufferSize)
      #expect(records.map(\.line) == [1, 2, 3])
      #expect(records.map(\.malformation) == [nil, length > 10 ? .tooLong : nil, nil])
      #expect(records[1].raw == String(repeating: "x", count: min(length, 10)))
      #expect(records[2].fields == ["c", "d"])
      #expect(records[2].byteOffset == text.utf8.count - 3 - lineEnd.utf8.count)
    }
  }

  @Test func `a long quoted field on one line is too long`() throws {
    let records = try read("a\n\"xxxxxxxxxxxxxxx\",b\nc\n", limit: 10, bufferSize: 8)
    #expect(records.map(\.malformation) == [nil, .tooLong, nil])
    #expect(records.last?.line == 3)
  }

  @Test func `an unclosed quote costs one line and not the rest of the file`() throws {
    let lines = (1...1000).map { $0 == 500 ? "\($0),\"open" : "\($0),closed" }
    let records = try read(lines.joined(separator: "\n"), limit: 64, bufferSize: 16)
    #expect(records.count == 1000)
    #expect(records.filter { $0.malformation != nil }.map(\.line) == [500])
    #expect(records.last?.fields == ["1000", "closed"])
  }

  @Test func `lines are counted through records that are too long`() throws {
    let text = "\"a\nb\",xxxxxxxxxxxxxxxxxx\r\nc\n"
    let records = try read(text, limit: 10, bufferSize: 4)
    #expect(records.map(\.line) == [1, 3])
    #expect(records.map(\.malformation) == [.tooLong, nil])
  }

  @Test func `a file without line ends needs no more memory than a record may have`() throws {
    let stream = EndlessLine(count: 3_000_000)
    var reader = DelimitedReader(stream, format: DelimitedFormat(recordLimit: 1000), bufferSize: 4096)
    let first = try reader.next()
    #expect(first)
    #expect(reader.malformation == .tooLong)
    #expect(reader.raw.count == 1000)
    let second = try reader.next()
    #expect(!second)
    #expect(stream.largestRead <= 4096)
  }
}

/// One line that goes on and on.
private final class EndlessLine: ByteStream {
  private var rest: Int
  private(set) var largestRead = 0

  init(count: Int) { rest = count }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    largestRead = max(largestRead, buffer.count)
    let count = min(rest, buffer.count)
    buffer[..<count].initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"))
    rest -= count
    return count
  }
}
