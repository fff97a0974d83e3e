/// Why a field is not of its type.
///
/// No case and no text holds the value, which may be sensitive.
public enum ValueFailure: String, Error, CaseIterable, Sendable {
  /// A NUL byte, which PostgreSQL's text cannot hold.
  case nulByte = "nul-byte"
  /// A byte that the file's encoding does not define.
  case undecodable = "undecodable"
  /// A code with something else than printable ASCII.
  case notPrintable = "not-printable"
  /// Something else than digits.
  case notDigits = "not-digits"
  /// More digits than the column has.
  case tooManyDigits = "too-many-digits"
  /// Not of the form of a CPT or HCPCS code.
  case notHCPCS = "not-hcpcs"
  /// Not two letters or digits.
  case notModifier = "not-a-modifier"
  /// Not a plain decimal number.
  case notDecimal = "not-a-decimal"
  /// Digits after the point beyond the column's scale that are not zero.
  case tooManyDecimals = "too-many-decimals"
  /// More digits before the point than the column has.
  case decimalTooLarge = "decimal-too-large"
  /// Not a whole number.
  case notInteger = "not-an-integer"
  /// A whole number beyond four bytes.
  case integerTooLarge = "integer-too-large"
  /// Not of the form of a date.
  case notDate = "not-a-date"
  /// A date that no calendar has.
  case impossibleDate = "impossible-date"
  /// No National Provider Identifier.
  case notNPI = "not-an-npi"
  /// No telephone number.
  case notPhone = "not-a-phone-number"
  /// No UUID.
  case notUUID = "not-a-uuid"
  /// No moment as ISO 8601 writes it.
  case notTimestamp = "not-a-timestamp"
  /// No time of day.
  case notTime = "not-a-time"
  /// Neither yes nor no.
  case notBoolean = "not-a-boolean"
  /// Neither base64 nor hexadecimal.
  case notBinary = "not-binary"
  /// No JSON, or none that `jsonb` holds.
  case notJSON = "not-json"
  /// Something else than a JSON array.
  case notArray = "not-an-array"
  /// Something else than a JSON object.
  case notObject = "not-an-object"
  /// No JSON array of texts.
  case notTexts = "not-an-array-of-texts"
  /// Neither the flag's mark nor blank.
  case notFlag = "not-the-flag"

  /// The failure's name in reports and in the quarantine, such as `not-a-decimal`.
  public var name: String { rawValue }
}

extension ValueFailure: CustomStringConvertible {
  /// What is wrong, to follow "the value".
  public var description: String {
    switch self {
    case .nulByte: "holds a NUL byte, which PostgreSQL cannot store in text"
    case .undecodable: "holds a byte that is no character in the file's encoding"
    case .notPrintable: "holds a character that is not printable ASCII"
    case .notDigits: "holds something else than digits"
    case .tooManyDigits: "has more digits than its column"
    case .notHCPCS:
      "is not a HCPCS code: five digits, four digits and A, F, M, T or U, or a letter and four digits"
    case .notModifier: "is not a modifier: two letters or digits"
    case .notDecimal: "is not a plain decimal number (no exponent, currency sign or thousands separator)"
    case .tooManyDecimals: "has more decimals than its column"
    case .decimalTooLarge: "has more digits before the decimal point than its column"
    case .notInteger: "is not a whole number"
    case .integerTooLarge: "is beyond the range of a four-byte integer"
    case .notDate: "is not a date in the column's form"
    case .impossibleDate: "is a date that is in no calendar"
    case .notNPI: "is no NPI: ten digits, the first 1 or 2, the last the right check digit"
    case .notPhone: "is no telephone number: ten digits, or a number that begins with +"
    case .notUUID: "is no UUID: 32 hexadecimal digits, with dashes at their places or none"
    case .notTimestamp: "is no moment as ISO 8601 writes it, such as 2025-01-31T09:30:00Z"
    case .notTime: "is no time of day, such as 09:30"
    case .notBoolean: "is neither true nor false"
    case .notBinary: "is neither base64 nor hexadecimal digits after \\x"
    case .notJSON: "is no JSON that PostgreSQL can hold"
    case .notArray: "is no JSON array"
    case .notObject: "is no JSON object"
    case .notTexts: "is no JSON array of texts"
    case .notFlag: "is neither the flag's mark nor blank"
    }
  }
}
