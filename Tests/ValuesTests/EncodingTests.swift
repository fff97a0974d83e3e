import Foundation
import Testing

@Suite struct EncodingTests {
  @Test func `a byte that is not UTF-8 is taken as Windows-1252`() {
    for byte in UInt8(0x80)...0xFF {
      let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]
      let expected =
        undefined.contains(byte)
        ? "!undecodable" : String(data: Data([0x61, byte, 0x62]), encoding: .windowsCP1252)
      #expect(normalised("text", [0x61, byte, 0x62]) == expected)
    }
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
        #expect(normalised("text", bytes) == letters.joined())
        bytes[place] = 0
        #expect(normalised("text", bytes) == "!nul-byte")
      }
    }
  }

  /// UTF-8 stays as it is; anything else comes out as other bytes, because code page 1252 maps none to itself.
  private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let valid = String(validating: bytes, as: UTF8.self)
    let answer = normalised("text", bytes)
    if let valid {
      #expect(answer == valid, sourceLocation: sourceLocation)
    } else {
      let mapped =
        bytes.contains { [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }
        ? "!undecodable" : String(data: Data(bytes), encoding: .windowsCP1252)
      #expect(answer == mapped, sourceLocation: sourceLocation)
    }
  }
}
