import Testing
import Values

@Suite struct NormaliseTests {
  @Test(arguments: [
    ("text", " a  b\t", "a  b"), ("text", "", "blank"), ("text", " \t\r\n\u{B}\u{C}", "blank"),
    ("text", "Ärztin 8½", "Ärztin 8½"), ("text", "a\0b", "!nul-byte"), ("text", "\0", "!nul-byte"),
    ("text", "a long text with a\0 in it", "!nul-byte"),
    ("code", " ab1 ", "AB1"), ("code", "AB-1", "AB-1"), ("code", "zZ", "ZZ"), ("code", "Ä", "!not-printable"),
    ("code", "a\u{7F}", "!not-printable"), ("code", "A\0", "!nul-byte"), ("code", "", "blank"),
    ("digits(5)", "01112", "01112"), ("digits(5)", "2102", "02102"), ("digits(2)", " 1 ", "01"),
    ("digits(2)", "001", "!too-many-digits"), ("digits(5)", "1 2", "!not-digits"),
    ("digits(5)", "-1", "!not-digits"),
    ("digits(5)", "1.0", "!not-digits"), ("digits(5)", "", "blank"), ("digits(5)", "0", "00000"),
    ("hcpcs", "99213", "99213"), ("hcpcs", "0001f", "0001F"), ("hcpcs", "0042T", "0042T"),
    ("hcpcs", "0001U", "0001U"),
    ("hcpcs", "0002m", "0002M"), ("hcpcs", "0001A", "0001A"), ("hcpcs", "g0008", "G0008"),
    ("hcpcs", " J1234 ", "J1234"),
    ("hcpcs", "0001X", "!not-hcpcs"), ("hcpcs", "100", "00100"), ("hcpcs", "9921", "09921"),
    ("hcpcs", "99", "!not-hcpcs"), ("hcpcs", "1.0", "!not-hcpcs"), ("hcpcs", "992133", "!not-hcpcs"),
    ("hcpcs", "G000T", "!not-hcpcs"), ("hcpcs", "AB123", "!not-hcpcs"), ("hcpcs", "99 13", "!not-hcpcs"),
    ("hcpcs", "HCPCS", "!not-hcpcs"), ("hcpcs", "\u{1A}", "!not-hcpcs"), ("hcpcs", "", "blank"),
    ("modifier", "26", "26"), ("modifier", "tc", "TC"), ("modifier", "x1", "X1"),
    ("modifier", "5", "!not-a-modifier"),
    ("modifier", "2-", "!not-a-modifier"), ("modifier", "TCX", "!not-a-modifier"), ("modifier", " ", "blank"),
    ("flag(NA)", "NA", "t"), ("flag(NA)", " NA ", "t"), ("flag(NA)", "", "f"), ("flag(NA)", "  ", "f"),
    ("flag(NA)", "na", "!not-the-flag"), ("flag(NA)", "N", "!not-the-flag"),
    ("flag(NA)", "NAN", "!not-the-flag"),
    ("flag(12345678)", "12345678", "t"), ("flag(12345678)", "12345679", "!not-the-flag"),
    ("integer", "0", "0"), ("integer", "-7", "-7"), ("integer", "+7", "+7"), ("integer", "007", "007"),
    ("integer", "2147483647", "2147483647"), ("integer", "2147483648", "!integer-too-large"),
    ("integer", "-2147483648", "-2147483648"), ("integer", "-2147483649", "!integer-too-large"),
    ("integer", "99999999999999999999999999", "!integer-too-large"), ("integer", "1x", "!not-an-integer"),
    ("integer", "42949672961", "!integer-too-large"),
    ("integer", "99999999999999999999999999x", "!not-an-integer"),
    ("integer", "1.0", "!not-an-integer"), ("integer", "-", "!not-an-integer"), ("integer", "", "blank"),
  ])
  func `a field becomes its value or a named failure`(type: String, field: String, expected: String) {
    #expect(normalised(type, field) == expected, "\(type) of \(field.debugDescription)")
  }

  @Test(arguments: [
    ("0.00", "0.00"), (" 32.35 ", "32.35"), (".5", ".5"), ("1.", "1."), ("-0.25", "-0.25"), ("+1", "+1"),
    ("123456.78", "123456.78"), ("000123456.7800", "000123456.7800"), ("1.500", "1.500"), ("0", "0"),
    ("-.5", "-.5"),
    ("1234567", "!decimal-too-large"), ("1.234", "!too-many-decimals"), ("0.001", "!too-many-decimals"),
    ("$1.00", "!not-a-decimal"), ("1,234.50", "!not-a-decimal"), ("(1.00)", "!not-a-decimal"),
    ("1.00-", "!not-a-decimal"), ("1e3", "!not-a-decimal"), ("NaN", "!not-a-decimal"),
    ("Infinity", "!not-a-decimal"),
    (".", "!not-a-decimal"), ("-", "!not-a-decimal"), ("-.", "!not-a-decimal"), ("--1", "!not-a-decimal"),
    ("1.2.3", "!not-a-decimal"), ("1 2", "!not-a-decimal"), ("0x10", "!not-a-decimal"),
    ("1_0", "!not-a-decimal"),
    ("NA", "!not-a-decimal"), ("", "blank"),
  ])
  func `a decimal is taken as PostgreSQL takes it, without rounding`(field: String, expected: String) {
    #expect(normalised("decimal(8,2)", field) == expected, "\(field)")
  }

  @Test func `a decimal may fill its column and no more`() {
    for whole in 0...6 {
      for decimals in 0...4 where whole + decimals > 0 {
        let text = String(repeating: "9", count: whole) + "." + String(repeating: "9", count: decimals)
        let expected = whole > 3 ? "!decimal-too-large" : decimals > 2 ? "!too-many-decimals" : text
        #expect(normalised("decimal(5,2)", text) == expected)
      }
    }
  }

  @Test func `every single byte is a value or refused, as its type says`() {
    for byte in UInt8.min...UInt8.max {
      let character = String(UnicodeScalar(byte))
      let isBlank = byte == 0x20 || (9...13).contains(byte)
      let isDigit = ("0"..."9").contains(character)
      if isBlank {
        for type in ["text", "code", "digits(1)", "hcpcs", "modifier", "decimal(1,0)", "integer", "date"] {
          #expect(normalised(type, [byte]) == "blank")
        }
        continue
      }
      #expect(normalised("digits(1)", [byte]) == (isDigit ? character : "!not-digits"))
      #expect(normalised("integer", [byte]) == (isDigit ? character : "!not-an-integer"))
      #expect(normalised("decimal(1,0)", [byte]) == (isDigit ? character : "!not-a-decimal"))
      let isAlphanumeric = byte < 0x80 && (isDigit || character.first?.isLetter == true)
      #expect(
        normalised("modifier", [byte, 0x31])
          == (isAlphanumeric ? character.uppercased() + "1" : "!not-a-modifier"))
    }
  }

  @Test func `no failure's text can hold a value`() {
    for failure in ValueFailure.allCases {
      #expect(!failure.description.isEmpty)
      #expect(failure.name.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
    }
  }
}
