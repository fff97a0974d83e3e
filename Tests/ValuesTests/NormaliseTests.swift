import Testing
import Values

@Suite struct NormaliseTests {
  private static let fields: TypeCases = [
    "text": [
      (" a  b\t", "a  b"), ("", "blank"), (" \t\r\n\u{B}\u{C}", "blank"), ("Ärztin 8½", "Ärztin 8½"),
      ("a\0b", "!nul-byte"), ("\0", "!nul-byte"), ("a long text with a\0 in it", "!nul-byte"),
    ],
    "code": [
      (" ab1 ", "AB1"), ("AB-1", "AB-1"), ("zZ", "ZZ"), ("Ä", "!not-printable"),
      ("a\u{7F}", "!not-printable"), ("A\0", "!nul-byte"), ("", "blank"),
    ],
    "digits(5)": [
      ("01112", "01112"), ("2102", "02102"), ("1 2", "!not-digits"), ("-1", "!not-digits"),
      ("1.0", "!not-digits"), ("", "blank"), ("0", "00000"),
    ],
    "digits(2)": [(" 1 ", "01"), ("001", "!too-many-digits")],
    "hcpcs": [
      ("99213", "99213"), ("0001f", "0001F"), ("0042T", "0042T"), ("0001U", "0001U"), ("0002m", "0002M"),
      ("0001A", "0001A"), ("g0008", "G0008"), (" J1234 ", "J1234"), ("0001X", "!not-hcpcs"), ("100", "00100"),
      ("1922", "01922"), ("9921", "!not-hcpcs"), ("0922", "!not-hcpcs"), ("99", "!not-hcpcs"),
      ("1.0", "!not-hcpcs"), ("992133", "!not-hcpcs"),
      ("G000T", "!not-hcpcs"), ("AB123", "!not-hcpcs"), ("99 13", "!not-hcpcs"), ("HCPCS", "!not-hcpcs"),
      ("\u{1A}", "!not-hcpcs"), ("", "blank"),
    ],
    "modifier": [
      ("26", "26"), ("tc", "TC"), ("x1", "X1"), ("5", "!not-a-modifier"), ("2-", "!not-a-modifier"),
      ("TCX", "!not-a-modifier"), (" ", "blank"),
    ],
    "flag(NA)": [
      ("NA", "t"), (" NA ", "t"), ("", "f"), ("  ", "f"), ("na", "!not-the-flag"), ("N", "!not-the-flag"),
      ("NAN", "!not-the-flag"),
    ],
    "flag(12345678)": [("12345678", "t"), ("12345679", "!not-the-flag")],
    "integer": [
      ("0", "0"), ("-7", "-7"), ("+7", "+7"), ("007", "007"), ("2147483647", "2147483647"),
      ("2147483648", "!integer-too-large"), ("-2147483648", "-2147483648"),
      ("-2147483649", "!integer-too-large"), ("99999999999999999999999999", "!integer-too-large"),
      ("1x", "!not-an-integer"), ("42949672961", "!integer-too-large"),
      ("99999999999999999999999999x", "!not-an-integer"), ("1.0", "!not-an-integer"),
      ("-", "!not-an-integer"), ("", "blank"),
    ],
    // As PostgreSQL takes it, without rounding.
    "decimal(8,2)": [
      ("0.00", "0.00"), (" 32.35 ", "32.35"), (".5", ".5"), ("1.", "1."), ("-0.25", "-0.25"), ("+1", "+1"),
      ("123456.78", "123456.78"), ("000123456.7800", "000123456.7800"), ("1.500", "1.500"), ("0", "0"),
      ("-.5", "-.5"), ("1234567", "!decimal-too-large"), ("1.234", "!too-many-decimals"),
      ("0.001", "!too-many-decimals"), ("$1.00", "!not-a-decimal"), ("1,234.50", "!not-a-decimal"),
      ("(1.00)", "!not-a-decimal"), ("1.00-", "!not-a-decimal"), ("1e3", "!not-a-decimal"),
      ("NaN", "!not-a-decimal"), ("Infinity", "!not-a-decimal"), (".", "!not-a-decimal"),
      ("-", "!not-a-decimal"), ("-.", "!not-a-decimal"), ("--1", "!not-a-decimal"),
      ("1.2.3", "!not-a-decimal"), ("1 2", "!not-a-decimal"), ("0x10", "!not-a-decimal"),
      ("1_0", "!not-a-decimal"), ("NA", "!not-a-decimal"), ("", "blank"),
    ],
  ]

  @Test(arguments: fields)
  func `a field becomes its value or a named failure`(
    type: String, values: [(field: String, expected: String)]
  ) {
    check(type, values)
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
