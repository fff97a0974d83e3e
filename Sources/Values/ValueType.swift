/// What the text of a field means, as a layout's `type` says it.
///
/// | text | meaning |
/// |---|---|
/// | `text` | any text, blanks at both ends removed |
/// | `line` | a text on one line: every run of blanks and line ends is one blank |
/// | `unmarked` | the same without the mark of a footnote at its end: `Optician[5]` is `Optician` |
/// | `code` | printable ASCII, upper-cased |
/// | `digits(n)` | digits, filled with zeros on the left to n |
/// | `hcpcs` | a CPT or HCPCS Level II code, five characters; lost leading zeros are restored |
/// | `modifier` | a CPT or HCPCS modifier, two letters or digits |
/// | `decimal(p,s)` | an exact number of at most p digits, s of them after the point |
/// | `integer` | a whole number of four bytes |
/// | `date`, `date(MM/DD/YYYY)`, `date(YYYYMMDD)` | a calendar date |
/// | `npi` | a National Provider Identifier with its right check digit, nothing around it |
/// | `phone` | a telephone number as E.164; `extension` what is dialled after it |
/// | `phone(ext)` | both of them: `+18605492020;ext=12` |
/// | `postal` | a ZIP code's five digits, or a postal code of another country; `zip4` what a ZIP+4 has more |
/// | `zip` | the same where every address is in the United States: lost leading zeros of five digits are restored too |
/// | `state` | the two letters of a state, also where its name is written out |
/// | `country` | the two letters of a country |
/// | `boolean` | true or false, as `true`, `yes`, `t`, `y` and `1` say it, or their opposites |
/// | `uuid` | a UUID in any case, with or without dashes and braces |
/// | `timestamp` | a moment as ISO 8601 has it; one without a zone is UTC |
/// | `time` | a time of day, `09:30`, `09:30:15` or `9:30 PM` |
/// | `bytes` | bytes in base64, or in hexadecimal after `\x` |
/// | `sha256` | the SHA-256 digest of the text, of which nothing else is kept; one that is there as `\x` and hexadecimal digits |
/// | `json`, `json(array)`, `json(object,-a,-b)` | JSON that is kept as it is, only an array or an object, or without the properties of some names wherever they are |
/// | `texts` | an array of texts, from a JSON array |
/// | `person` | a name of people, in capitals and small letters where the source has only one of them |
/// | `name(last)`, `name(first)`, `name(middle)`, `name(suffix)`, `name(credential)` | a part of a name in one field |
/// | `suffix` | what is behind a name: `Jr.`, `III` |
/// | `credential` | degrees and licences: `M.D.,PH.D` is `MD, PhD` |
/// | `organization` | a name of an organisation, in capitals and small letters likewise |
/// | `flag(NA)` | true where the field is NA, false where it is blank |
public enum ValueType: Equatable, Hashable, Sendable {
  /// Any text.
  case text
  /// A text on one line, every run of blanks one blank.
  case line
  /// A text on one line, without the mark of a footnote at its end.
  case unmarked
  /// Printable ASCII, upper-cased.
  case code
  /// Digits, filled with zeros on the left to `count`.
  case digits(count: Int)
  /// A CPT or HCPCS Level II code.
  case hcpcs
  /// A CPT or HCPCS modifier.
  case modifier
  /// An exact number of at most `precision` digits, `scale` of them after the point.
  case decimal(precision: Int, scale: Int)
  /// A whole number of four bytes, PostgreSQL's `integer`.
  case integer
  /// A calendar date.
  case date(DateOrder)
  /// A National Provider Identifier.
  case npi
  /// A telephone number as E.164.
  case phone
  /// A telephone number with what is dialled after it, as RFC 3966 writes them.
  case phoneWithExtension
  /// What is dialled after a telephone number.
  case phoneExtension
  /// The five digits of a ZIP code, or a postal code that is none.
  case postalCode
  /// The five digits of a ZIP code, lost leading zeros restored, or a text that is none.
  case zipCode
  /// The four digits that a ZIP+4 has more.
  case zip4
  /// A state, by its two letters.
  case state
  /// A country, by its two letters.
  case country
  /// True or false.
  case boolean
  /// A UUID.
  case uuid
  /// A moment.
  case timestamp
  /// A time of day.
  case time
  /// Bytes that come as text.
  case bytes
  /// The digest of a text that is a secret.
  case sha256
  /// JSON of some kind, without the properties of some names.
  case json(JSONKind, without: [String])
  /// An array of texts.
  case texts
  /// A name of people, its letter case set where it says nothing.
  case person
  /// A part of a name that is in one field.
  case fullName(NamePart)
  /// What distinguishes people of one name.
  case suffix
  /// Degrees and licences.
  case credential
  /// A name of an organisation, its letter case set where it says nothing.
  case organization
  /// True where the field is `mark`, false where it is blank.
  case flag(FlagMark)

  /// The order in which a date is written.
  ///
  /// An ISO date is understood in each.
  public enum DateOrder: String, CaseIterable, Sendable {
    /// 2025-01-31.
    case iso = "YYYY-MM-DD"
    /// 01/31/2025, also without leading zeros.
    case monthDayYear = "MM/DD/YYYY"
    /// 20250131.
    case compact = "YYYYMMDD"
  }

  /// What a JSON value is as a whole.
  public enum JSONKind: String, CaseIterable, Sendable {
    /// Any value.
    case any
    /// An array.
    case array
    /// An object.
    case object
  }

  /// Whether a value is JSON, of which in a tree all is taken that is at a path.
  public var isJSON: Bool { if case .json = self { true } else { self == .texts } }

  /// The names of all types, without what is in parentheses.
  public static let names = [
    "text", "line", "unmarked", "code", "digits", "hcpcs", "modifier", "decimal", "integer", "date", "npi",
    "phone", "extension", "postal", "zip", "zip4", "state", "country", "boolean", "uuid", "timestamp", "time",
    "bytes", "sha256", "json", "texts", "person", "name", "suffix", "credential", "organization", "flag",
  ]

  /// The most digits a `decimal` or `digits` may have.
  public static let mostDigits = 38

  /// The type that a layout's text names; nil if there is none such.
  public init?(_ text: String) {
    let (name, argument) = Self.split(text)
    switch (name, argument) {
    case ("text", nil): self = .text
    case ("line", nil): self = .line
    case ("unmarked", nil): self = .unmarked
    case ("code", nil): self = .code
    case ("hcpcs", nil): self = .hcpcs
    case ("modifier", nil): self = .modifier
    case ("integer", nil): self = .integer
    case ("npi", nil): self = .npi
    case ("phone", nil): self = .phone
    case ("extension", nil): self = .phoneExtension
    case ("postal", nil): self = .postalCode
    case ("zip", nil): self = .zipCode
    case ("zip4", nil): self = .zip4
    case ("state", nil): self = .state
    case ("country", nil): self = .country
    case ("boolean", nil): self = .boolean
    case ("uuid", nil): self = .uuid
    case ("timestamp", nil): self = .timestamp
    case ("time", nil): self = .time
    case ("bytes", nil): self = .bytes
    case ("sha256", nil): self = .sha256
    case ("texts", nil): self = .texts
    case ("json", nil): self = .json(.any, without: [])
    case ("json", let words?):
      var words = words.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }[...]
      let kind = words.first.flatMap { $0 == "any" ? nil : JSONKind(rawValue: String($0)) }
      if kind != nil { words.removeFirst() }
      guard words.allSatisfy({ $0.first == "-" && $0.count > 1 }) else { return nil }
      self = .json(kind ?? .any, without: words.map { String($0.dropFirst()) })
    case ("person", nil): self = .person
    case ("suffix", nil): self = .suffix
    case ("credential", nil): self = .credential
    case ("organization", nil): self = .organization
    case ("date", nil): self = .date(.iso)
    case ("phone", "ext"): self = .phoneWithExtension
    case ("name", let part?):
      guard let part = NamePart(rawValue: part) else { return nil }
      self = .fullName(part)
    case ("date", let order?):
      guard let order = DateOrder(rawValue: order) else { return nil }
      self = .date(order)
    case ("digits", let count?):
      guard let count = Self.count(count), count > 0 else { return nil }
      self = .digits(count: count)
    case ("decimal", let sizes?):
      let parts = sizes.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 2, let precision = Self.count(parts[0]), let scale = Self.count(parts[1]),
        precision > 0, scale <= precision
      else { return nil }
      self = .decimal(precision: precision, scale: scale)
    case ("flag", let mark?):
      guard let mark = FlagMark(mark) else { return nil }
      self = .flag(mark)
    default: return nil
    }
  }

  /// `decimal(8,2)` into its name and what is in the parentheses.
  private static func split(_ text: String) -> (name: String, argument: String?) {
    guard let open = text.firstIndex(of: "(") else { return (text, nil) }
    guard text.last == ")" else { return ("", nil) }
    let argument = text[text.index(after: open)...].dropLast()
    return (String(text[..<open]), String(trimmed(argument)))
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var rest = text.drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return rest
  }

  private static func count(_ text: some StringProtocol) -> Int? {
    let digits = trimmed(Substring(text))
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let count = Int(digits),
      count <= mostDigits
    else { return nil }
    return count
  }
}

extension ValueType: CustomStringConvertible {
  /// The type as a layout writes it.
  public var description: String {
    switch self {
    case .text: "text"
    case .line: "line"
    case .unmarked: "unmarked"
    case .code: "code"
    case .digits(let count): "digits(\(count))"
    case .hcpcs: "hcpcs"
    case .modifier: "modifier"
    case .decimal(let precision, let scale): "decimal(\(precision),\(scale))"
    case .integer: "integer"
    case .npi: "npi"
    case .phone: "phone"
    case .phoneWithExtension: "phone(ext)"
    case .phoneExtension: "extension"
    case .postalCode: "postal"
    case .zipCode: "zip"
    case .zip4: "zip4"
    case .state: "state"
    case .country: "country"
    case .person: "person"
    case .fullName(let part): "name(\(part.rawValue))"
    case .suffix: "suffix"
    case .credential: "credential"
    case .organization: "organization"
    case .date(.iso): "date"
    case .date(let order): "date(\(order.rawValue))"
    case .boolean: "boolean"
    case .uuid: "uuid"
    case .timestamp: "timestamp"
    case .time: "time"
    case .bytes: "bytes"
    case .sha256: "sha256"
    case .texts: "texts"
    case .json(.any, let names) where names.isEmpty: "json"
    case .json(let kind, let names):
      "json(\(((kind == .any ? [] : [kind.rawValue]) + names.map { "-" + $0 }).joined(separator: ",")))"
    case .flag(let mark): "flag(\(mark))"
    }
  }
}
