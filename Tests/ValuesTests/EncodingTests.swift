import Foundation
import Testing
import Values

@Suite struct EncodingTests {
  @Test(arguments: [TextEncoding.windows1252, .latin1])
  func `every byte of an eight-bit encoding is the character that Foundation says`(encoding: TextEncoding) {
    for byte in UInt8(0x80)...0xFF {
      let known: String.Encoding = encoding == .latin1 ? .isoLatin1 : .windowsCP1252
      let isUndefined = encoding == .windows1252 && [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte)
      let expected = isUndefined ? "!undecodable" : String(data: Data([0x61, byte, 0x62]), encoding: known)
      #expect(normalised("text", [0x61, byte, 0x62], in: encoding) == expected)
    }
  }

  @Test func `no encoding is guessed field by field`() {
    for encoding in [TextEncoding.ascii, .utf8, .utf16LE, .utf16BE] {
      #expect(normalised("text", [0x61, 0xD1], in: encoding) == "!undecodable")
    }
    #expect(normalised("text", Array("é".utf8), in: .ascii) == "!undecodable")
    #expect(normalised("text", Array("é".utf8), in: .utf16LE) == "é")
    #expect(normalised("text", Array("é".utf8), in: .windows1252) == "Ã©")
    #expect(normalised("text", "plain", in: .latin1) == "plain")
  }

  @Test func `NUL is refused also beside other bytes that are not ASCII`() {
    #expect(normalised("text", [0xE1, 0x00]) == "!nul-byte")
  }

  @Test func `every sequence of two bytes is UTF-8 exactly where Swift says so`() {
    for first in UInt8(0x80)...0xFF {
      for second in UInt8(0x30)...0xFF {
        check([first, second])
      }
    }
  }

  @Test func `sequences of three and four bytes are UTF-8 exactly where Swift says so`() {
    let edges: [UInt8] = [0x30, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    for first in UInt8(0xC0)...0xFF {
      for second in edges {
        for third in edges {
          check([first, second, third])
          for fourth in edges { check([first, second, third, fourth]) }
        }
      }
    }
  }

  @Test func `text of every length and every place of a byte beyond ASCII is whole`() {
    for count in 1...40 {
      let plain = String(repeating: "x", count: count)
      #expect(normalised("text", plain) == plain)
      for place in 0..<count {
        var bytes = Array(plain.utf8)
        bytes[place] = 0xE1
        let letters = plain.enumerated().map { $0.offset == place ? "á" : String($0.element) }
        #expect(normalised("text", bytes, in: .windows1252) == letters.joined())
        #expect(normalised("text", bytes) == "!undecodable")
        bytes[place] = 0
        #expect(normalised("text", bytes) == "!nul-byte")
      }
    }
  }

  private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let valid = String(validating: bytes, as: UTF8.self)
    #expect(normalised("text", bytes) == valid ?? "!undecodable", sourceLocation: sourceLocation)
  }
}
