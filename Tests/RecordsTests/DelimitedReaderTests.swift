import Records
import TestSupport
import Testing

@Suite struct DelimitedReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let input: String
    /// The fields of each record between `|`, a malformed one with its reason in front.
    let records: [String]
    /// The lines on which the records begin; not looked at if empty.
    let lines: [Int]
    var testDescription: String { name }

    init(_ name: String, _ input: String, _ records: [String], lines: [Int] = []) {
      (self.name, self.input, self.records, self.lines) = (name, input, records, lines)
    }
  }

  static let cases: [Case] = [
    Case("nothing", "", []),
    Case("LF", "a,b\nc,d\n", ["a|b", "c|d"], lines: [1, 2]),
    Case("CRLF", "a,b\r\nc,d\r\n", ["a|b", "c|d"], lines: [1, 2]),
    Case("bare CR", "a,b\rc,d\r", ["a|b", "c|d"], lines: [1, 2]),
    Case("all three mixed", "a\nb\r\nc\rd\r\n", ["a", "b", "c", "d"], lines: [1, 2, 3, 4]),
    Case("LF CR is two line ends", "a\n\rb", ["a", "", "b"], lines: [1, 2, 3]),
    Case("no final line end", "a,b\nc,d", ["a|b", "c|d"]),
    Case("a final bare CR", "a\r", ["a"]),
    Case("blank lines are records", "a\n\n\nb\n", ["a", "", "", "b"], lines: [1, 2, 3, 4]),
    Case("empty fields", ",,\n", ["||"]),
    Case("a delimiter at the end", "a,", ["a|"]),
    Case("blanks are kept", " a , b \n", [" a | b "]),
    Case("quoted", "\"a\",\"b,c\"\n", ["a|b,c"]),
    Case("quoted and empty", "\"\",\"\"\n", ["|"]),
    Case(
      "runs of quoted and empty", "\"\",\"\",\"\",a,\"\",\"\"\r\n\"\",\"\",\"\"\"\",\"\"\n",
      ["|||a||", "||\"|"]),
    Case("quoted and empty to the end of the data", "\"\",\"\",", ["||"]),
    Case("quoted and empty, then text", "\"\",\"\"x,\"\"\nb\n", ["text-after-quote: |\"\"x|", "b"]),
    Case("doubled quotes", "\"a \"\"b\"\"\",c,\"\"\"\"\n", ["a \"b\"|c|\""]),
    Case("quoted at the end of the data", "a,\"b\"", ["a|b"]),
    Case("line ends inside quotes", "\"a\r\nb\nc\rd\",x\ny\n", ["a\r\nb\nc\rd|x", "y"], lines: [1, 5]),
    Case("byte order mark", "\u{FEFF}a,b\n", ["a|b"]),
    Case("byte order mark before a quote", "\u{FEFF}\"a\"\n", ["a"]),
    Case("only a byte order mark", "\u{FEFF}", []),
    Case("a byte order mark later is text", "a\n\u{FEFF}b\n", ["a", "\u{FEFF}b"]),
    Case("control-Z", "a,b\r\n\u{1A}", ["a|b"]),
    Case("control-Z with delimiters", "a,b\r\n\u{1A}, ,\r\n", ["a|b"]),
    Case("control-Z behind delimiters", "a,b\r\n, \u{1A}\u{1A}\r\n", ["a|b"]),
    Case("control-Z and blank lines", "a\n\u{1A}\n\n ,\n\u{1A}\n", ["a"]),
    Case("control-Z in text is text", "a\u{1A},b\nc\n", ["a\u{1A}|b", "c"]),
    Case(
      "text after control-Z is not lost", "a\n\u{1A}\n\nb,c\n", ["a", "after-end-mark: b|c"], lines: [1, 4]),
    Case("stray quote", "a\"b,c\nd\n", ["stray-quote: a\"b|c", "d"]),
    Case("blank before a quote", "a, \"b\"\nd\n", ["stray-quote: a| \"b\"", "d"]),
    Case("text after a quote", "\"a\"b,c\nd\n", ["text-after-quote: \"a\"b|c", "d"]),
    Case("blank after a quote", "\"a\" ,c\nd\n", ["text-after-quote: \"a\" |c", "d"]),
    Case(
      "quotes that are not doubled", "1,\"A \"B\"\",\"x\"\n2,\"y\"\n",
      ["text-after-quote: 1|\"A \"B\"\"|x", "2|y"]),
    Case(
      "a broken field and then a quoted line end", "a\"b,\"c\nd\"\ne\n", ["stray-quote: a\"b|c\nd", "e"],
      lines: [1, 3]),
    Case(
      "an unclosed quote, then quoted fields", "1,\"a\n2,b\n3,\"c, d\"\n",
      ["unclosed-quote: 1|\"a", "2|b", "3|c, d"], lines: [1, 2, 3]),
    Case(
      "an unclosed quote where all is quoted", "\"1\",\"a\r\n\"2\",\"b\"\r\n",
      ["unclosed-quote: 1|\"a", "2|b"], lines: [1, 2]),
    Case(
      "an unclosed quote and no other", "1,\"a\n2,b\n3,c\n", ["unclosed-quote: 1|\"a", "2|b", "3|c"]),
    Case(
      "a cut-off last record", "\"1\",\"a\"\n\"2\",\"b", ["1|a", "unclosed-quote: 2|\"b"]),
    Case("a lone quote at the end", "a\n\"", ["a", "unclosed-quote: \""]),
    Case(
      "an unclosed quote after a good field of two lines", "\"a\nb\",\"c\nd,e\n\"f\",g\n",
      ["unclosed-quote: a\nb|\"c", "d|e", "f|g"], lines: [1, 3, 4]),
  ]

  @Test(arguments: cases)
  func `a file of this kind is read`(_ sample: Case) throws {
    let records = try read(sample.input)
    let shown = records.map {
      ($0.malformation.map { "\($0.name): " } ?? "") + $0.fields.joined(separator: "|")
    }
    #expect(shown == sample.records)
    if !sample.lines.isEmpty { #expect(records.map(\.line) == sample.lines) }
  }

  @Test(arguments: cases)
  func `the records are the same in pieces of every size`(_ sample: Case) throws {
    let bytes = Array(sample.input.utf8)
    let whole = try read(bytes)
    #expect(whole == NaiveReader(bytes: bytes).records())
    for chunk in 1...64 {
      #expect(try read(bytes, chunk: chunk) == whole)
      #expect(try read(bytes, bufferSize: chunk) == whole)
      #expect(try read(bytes, chunk: 3, bufferSize: chunk) == whole)
    }
  }

  @Test(arguments: 0..<20)
  func `random bytes are read as the naive reader reads them`(seed: Int) throws {
    var random = RandomNumbers(seed: UInt64(seed) + 1)
    let alphabet = Array("aab\"\"\"\"\",,,\r\r\n\n\u{1A} ".utf8)
    for _ in 0..<400 {
      let length = random.below(48)
      let bytes = (0..<length).map { _ in alphabet[random.below(alphabet.count)] }
      let expected = NaiveReader(bytes: bytes).records()
      let chunk = 1 + random.below(64)
      let bufferSize = 1 + random.below(64)
      let input = String(decoding: bytes, as: UTF8.self).debugDescription
      #expect(try read(bytes) == expected, "\(input)")
      #expect(
        try read(bytes, chunk: chunk, bufferSize: bufferSize) == expected, "\(input) \(chunk) \(bufferSize)")
    }
  }

  @Test(arguments: 0..<20)
  func `whatever the bytes, raw records and line ends make up the whole`(seed: Int) throws {
    var random = RandomNumbers(seed: UInt64(seed) + 1)
    let alphabet = Array("aab\"\"\",,\r\n\n ".utf8)
    for limit in [1, 2, 5, 9, 17, 1000] {
      for _ in 0..<50 {
        let bytes = (0..<random.below(64)).map { _ in alphabet[random.below(alphabet.count)] }
        let format = DelimitedFormat(recordLimit: limit)
        let whole = try read(bytes, format: format)
        for bufferSize in [4, 5, 6, 7, 16] {
          #expect(
            try read(bytes, chunk: 1 + random.below(5), bufferSize: bufferSize, format: format) == whole)
        }
        var place = 0
        for record in whole {
          #expect(record.byteOffset == place)
          #expect(record.raw.utf8.count <= limit)
          place += record.raw.utf8.count
          // What a record has beyond the limit is passed over.
          if record.malformation == .tooLong {
            #expect(record.raw.utf8.count == limit)
            while place < bytes.count, bytes[place] != 10, bytes[place] != 13 { place += 1 }
          }
          if place < bytes.count {
            #expect(bytes[place] == 10 || bytes[place] == 13)
            place += bytes[place] == 13 && bytes[(place + 1)...].first == 10 ? 2 : 1
          }
        }
        #expect(place == bytes.count)
      }
    }
  }

  @Test func `other delimiters and quotes are understood`() throws {
    let format = DelimitedFormat(delimiter: UInt8(ascii: "|"), quote: UInt8(ascii: "'"))
    let records = try read(Array("a|'b|''c'''|d,\"e\nf".utf8), format: format)
    #expect(records.map(\.fields) == [["a", "b|'c'", "d,\"e"], ["f"]])
    let tabs = try read(Array("a\tb\t\"c\td\"\n".utf8), format: DelimitedFormat(delimiter: 9))
    #expect(tabs.map(\.fields) == [["a", "b", "c\td"]])
  }

  @Test func `a record of thousands of fields is read`() throws {
    for count in [63, 64, 65, 128, 5000] {
      let line = (0..<count).map(String.init).joined(separator: ",")
      let records = try read("\(line)\n\(line)\n")
      #expect(records.count == 2)
      #expect(records.allSatisfy { $0.fields.count == count && $0.fields.last == "\(count - 1)" })
      let empty = String(repeating: "\"\",", count: count - 1) + "\"x\""
      let quoted = try read("\(empty)\r\n\(empty)")
      #expect(quoted.count == 2)
      #expect(quoted.allSatisfy { $0.fields.count == count && $0.fields.last == "x" && $0.fields[0] == "" })
    }
  }

  @Test func `raw is the record as it is in the source`() throws {
    let records = try read("\"a \"\"b\"\"\", c\r\nd\"e\n")
    #expect(records.map(\.raw) == ["\"a \"\"b\"\"\", c", "d\"e"])
  }

  @Test(arguments: [
    ("", true), (" ,\t,", true), ("\"\",\" \"", true), ("\"\n\"", true), ("0", false), (",,x", false),
  ])
  func `a record is blank if no field holds text`(line: String, isBlank: Bool) throws {
    let records = try read(line + "\n")
    #expect(records.map(\.isBlank) == [isBlank])
  }

  @Test func `after the end there is no record`() throws {
    var reader = DelimitedReader(MemoryStream(Array("a\n".utf8)))
    #expect(try reader.next())
    for _ in 0..<3 {
      let more = try reader.next()
      #expect(!more)
      #expect(reader.raw.isEmpty)
    }
  }
}
