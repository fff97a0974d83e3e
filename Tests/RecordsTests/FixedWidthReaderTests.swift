import Records
import TestSupport
import Testing
import Values

@Suite("Fixed-width records") struct FixedWidthReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let input: String
    /// The fields of each record between `|`, a malformed one with its reason in front.
    let records: [String]
    var testDescription: String { name }

    init(_ name: String, _ input: String, _ records: [String]) {
      (self.name, self.input, self.records) = (name, input, records)
    }
  }

  /// Fields 1-2, 4-5 and, over both, 2-6.
  static let format = FixedWidthFormat(fields: [1...2, 4...5, 2...6], length: 3...6)

  static let cases: [Case] = [
    Case("nothing", "", []),
    Case("LF", "ab-cde\nfg-hij\n", ["ab|cd|b-cde", "fg|hi|g-hij"]),
    Case("CRLF", "ab-cde\r\nfg-hij\r\n", ["ab|cd|b-cde", "fg|hi|g-hij"]),
    Case("bare CR", "ab-cde\rfg-hij\r", ["ab|cd|b-cde", "fg|hi|g-hij"]),
    Case(
      "all three mixed", "abc\ndef\r\nghi\rjkl\n\rmno",
      ["ab||bc", "de||ef", "gh||hi", "jk||kl", "||", "mn||no"]),
    Case("no final line end", "ab-cde", ["ab|cd|b-cde"]),
    Case("cut off in its blanks", "ab-cde\nfg-h", ["ab|cd|b-cde", "shorter-than-layout: fg|h|g-h"]),
    Case("without its blanks, as others", "ab-cde\nab-\nfg-h", ["ab|cd|b-cde", "ab||b-", "fg|h|g-h"]),
    Case("without its blanks, before a control-Z", "ab-cde\nfg-h\u{1A}", ["ab|cd|b-cde", "fg|h|g-h"]),
    Case("short lines", "abc\nab-c\n", ["ab||bc", "ab|c|b-c"]),
    Case("too short", "ab\nab-cde\n", ["shorter-than-layout: ab||b", "ab|cd|b-cde"]),
    Case("too long", "ab-cdef\nab-cde\n", ["longer-than-layout: ab|cd|b-cde", "ab|cd|b-cde"]),
    Case("blanks at the end do not count", "ab-cde   \t\n", ["ab|cd|b-cde"]),
    Case("blank lines", "\n  \nab-cde\n", ["||", "  || ", "ab|cd|b-cde"]),
    Case("byte order mark", "\u{FEFF}ab-cde\n", ["ab|cd|b-cde"]),
    Case("control-Z", "ab-cde\r\n\u{1A}", ["ab|cd|b-cde"]),
    Case("control-Z and a line end", "ab-cde\r\n \u{1A}\r\n\r\n", ["ab|cd|b-cde"]),
    Case("control-Z behind the last record", "ab-cde\u{1A}", ["ab|cd|b-cde"]),
    Case("text after control-Z", "abc\n\u{1A}\ndef\n", ["ab||bc", "after-end-mark: de||ef"]),
    Case("quotes and commas are text", "\",\"\"\"\"\n", ["\",|\"\"|,\"\"\"\""]),
  ]

  @Test("are distinguished by line ends and places", arguments: cases)
  func reads(_ example: Case) throws {
    for chunk in [1, 2, 3, 1000] {
      let records = try readFixedWidth(Array(example.input.utf8), Self.format, chunk: chunk, bufferSize: 4)
      let found = records.map {
        ($0.malformation.map { $0.name + ": " } ?? "") + $0.fields.joined(separator: "|")
      }
      #expect(found == example.records, "chunk \(chunk)")
    }
  }

  @Test("are those of a naive reader, whatever the bytes and the pieces they come in")
  func property() throws {
    let alphabet: [UInt8] = [10, 13, 10, 13, 32, 32, 9, 26, 0, 11, 97, 98, 99, 0xE1, 0x8D, 0x8A]
    for chunk in 1...64 {
      for round in 0..<20 {
        var dice = RandomNumbers(seed: UInt64(chunk * 1000 + round))
        // Mostly text, so that lines have all lengths about the record's.
        let bytes = (0..<dice.below(160)).map { _ in
          dice.below(4) == 0 ? alphabet[dice.below(alphabet.count)] : UInt8(97 + dice.below(26))
        }
        let shortest = dice.below(6)
        let format = FixedWidthFormat(
          fields: (0..<dice.below(5)).map { _ in
            let first = 1 + dice.below(12)
            return first...(first + dice.below(8))
          }, length: shortest...(shortest + dice.below(10)))
        let encoding: TextEncoding = dice.below(2) == 0 ? .utf8 : .latin1
        let found = try readFixedWidth(
          bytes, format, encoding, chunk: chunk, bufferSize: 4 + dice.below(40))
        let expected = NaiveFixedWidthReader(bytes: bytes, format: format, encoding: encoding).records()
        #expect(found == expected, "chunk \(chunk), round \(round)")
      }
    }
  }

  /// One line end more than fits the buffer that is read at first, so that the encoding is known only later.
  static let late = String(repeating: "ab-cde\n", count: 20)

  @Test(
    "count characters, however many bytes they have",
    arguments: [
      ("\u{E1}b-c\u{A0}e\n", "\u{E1}b|c\u{A0}|b-c\u{A0}e"), ("ab-\u{20AC}", "ab|\u{20AC}|b-\u{20AC}"),
      ("\u{1F600}b-c", "\u{1F600}b|c|b-c"), ("e\u{301}-cdef", "longer-than-layout: e\u{301}|cd|\u{301}-cde"),
      ("\u{E1}\u{A0}", "shorter-than-layout: \u{E1}\u{A0}||\u{A0}"),
      ("\u{E1}b-cde  \t\n", "\u{E1}b|cd|b-cde"),
      ("\u{E1}b-cd\u{E1}\u{E1}", "longer-than-layout: \u{E1}b|cd|b-cd\u{E1}"),
      ("ab-\u{E1}\u{1A}", "ab|\u{E1}|b-\u{E1}"),
    ])
  func characters(line: String, record: String) throws {
    let text = Self.late + line
    let wide: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), wide] {
      for chunk in [1, 3, 1000] {
        let found = try readFixedWidth(bytes, Self.format, chunk: chunk, bufferSize: 16)
        let last = try #require(found.last)
        #expect(
          (last.malformation.map { $0.name + ": " } ?? "") + last.fields.joined(separator: "|") == record)
        #expect(found.dropLast().allSatisfy { $0.fields == ["ab", "cd", "b-cde"] } && found.count == 21)
      }
    }
  }

  @Test("count bytes where each is a character, also of sequences that are UTF-8 by chance")
  func eightBit() throws {
    let bytes = Array("ab-cd\u{E1}\n".utf8)
    for (encoding, malformation) in [
      (TextEncoding.latin1, Malformation.longerThanLayout), (.windows1252, .longerThanLayout), (.utf8, nil),
    ] {
      let found = try readFixedWidth(bytes, Self.format, encoding, chunk: 1000, bufferSize: 16)
      #expect(found.map(\.malformation) == [malformation])
    }
  }

  @Test("have a limit, so that a file without line ends does not fill the memory")
  func limit() throws {
    let format = FixedWidthFormat(fields: [1...2], length: 1...4, recordLimit: 100)
    let bytes = Array("ab\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: 5000) + Array("\r\ncd\n".utf8)
    for chunk in [1, 7, 4096] {
      let records = try readFixedWidth(bytes, format, chunk: chunk, bufferSize: 16)
      #expect(records.map(\.malformation) == [nil, .tooLong, nil])
      #expect(records.map(\.raw.utf8.count) == [2, 100, 2])
      #expect(records.map(\.line) == [1, 2, 3] && records.map(\.byteOffset) == [0, 3, 5005])
    }
  }

  @Test("and delimited ones are read alike by one reader")
  func either() throws {
    let formats: [(RecordFormat, String)] = [
      (.delimited(DelimitedFormat()), "ab,cd\n\na\"b,c\n"), (.fixedWidth(Self.format), "ab-cd\n\nx\n"),
    ]
    for (format, text) in formats {
      var reader = try RecordReader(MemoryStream(Array(text.utf8)), format: format)
      var found: [String] = []
      while try reader.next() {
        found.append(
          "\(reader.place.line) \(reader.texts[0]) \(reader.isBlank) "
            + "\(reader.malformation == nil) \(reader.raw.count)")
      }
      let last = if case .delimited = format { "3 a\"b false false 5" } else { "3 x false false 1" }
      #expect(found == ["1 ab false true 5", "2  true true 0", last])
    }
  }
}

/// All records of some bytes, fed in pieces of at most `chunk` bytes into a buffer of `bufferSize`.
func readFixedWidth(
  _ bytes: [UInt8], _ format: FixedWidthFormat, _ encoding: TextEncoding? = nil, chunk: Int, bufferSize: Int
) throws -> [ReadRecord] {
  var reader = FixedWidthReader(
    MemoryStream(bytes, chunk: chunk), format: format, encoding: encoding, bufferSize: bufferSize)
  return try records(&reader)
}
