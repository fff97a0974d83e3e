/// What the text of a field means, as a layout's `type` says it.
public enum ValueType: Equatable, Hashable, Sendable {
  /// `text`: any text, blanks at both ends removed.
  case text
  /// `line`: a text on one line, every run of blanks and line ends one blank.
  case line
  /// `unmarked`: the same without the mark of a footnote at its end: `Optician[5]` is `Optician`.
  case unmarked
  /// `code`: printable ASCII, upper-cased.
  case code
  /// `digits(n)`: digits, filled with zeros on the left to `count`.
  case digits(count: Int)
  /// `hcpcs`: a CPT or HCPCS Level II code, five characters; lost leading zeros are restored.
  case hcpcs
  /// `modifier`: a CPT or HCPCS modifier, two letters or digits.
  case modifier
  /// `decimal(p,s)`: an exact number of at most `precision` digits, `scale` of them after the point.
  case decimal(precision: Int, scale: Int)
  /// `integer`: a whole number of four bytes, PostgreSQL's `integer`.
  case integer
  /// `date`, `date(MM/DD/YYYY)`, `date(YYYYMMDD)`: a calendar date.
  case date(DateOrder)
  /// `npi`: a National Provider Identifier with its right check digit, nothing around it.
  case npi
  /// `phone`: a telephone number as E.164.
  case phone
  /// `phone(ext)`: a telephone number with what is dialled after it, as RFC 3966 writes them:
  /// `+18605492020;ext=12`.
  case phoneWithExtension
  /// `extension`: what is dialled after a telephone number.
  case phoneExtension
  /// `postal`: the five digits of a ZIP code, or a postal code of another country.
  case postalCode
  /// `zip`: the same where every address is in the United States: lost leading zeros of five digits are
  /// restored too.
  case zipCode
  /// `zip4`: the four digits that a ZIP+4 has more.
  case zip4
  /// `state`: the two letters of a state, also where its name is written out.
  case state
  /// `country`: the two letters of a country.
  case country
  /// `boolean`: true or false, as `true`, `yes`, `t`, `y` and `1` say it, or their opposites.
  case boolean
  /// `uuid`: a UUID in any case, with or without dashes and braces.
  case uuid
  /// `timestamp`: a moment as ISO 8601 has it; one without a zone is UTC.
  case timestamp
  /// `time`: a time of day, `09:30`, `09:30:15` or `9:30 PM`.
  case time
  /// `bytes`: bytes in base64, or in hexadecimal after `\x`.
  case bytes
  /// `sha256`: the SHA-256 digest of the text, of which nothing else is kept; one that is there as `\x` and
  /// hexadecimal digits.
  case sha256
  /// `json`, `json(array)`, `json(object,-a,-b)`: JSON that is kept as it is, only an array or an object, or
  /// without the properties of some names wherever they are.
  case json(JSONKind, without: [String])
  /// `texts`: an array of texts, from a JSON array.
  case texts
  /// `person`: a name of people, in capitals and small letters where the source has only one of them.
  case person
  /// `name(last)`, `name(first)`, `name(middle)`, `name(suffix)`, `name(credential)`: a part of a name in one
  /// field; `name(organization)`, `name(entity)`: where it may be that of an organisation.
  case fullName(NamePart)
  /// `suffix`: what is behind a name and distinguishes people of one name: `Jr.`, `III`.
  case suffix
  /// `title(suffix)`, `title(credential)`: a part of what is behind a name, in one field: `Jr., MD`.
  case title(NameTitles.Part)
  /// `credential`: degrees and licences: `M.D.,PH.D` is `MD, PhD`.
  case credential
  /// `organization`: a name of an organisation, in capitals and small letters likewise.
  case organization
  /// `flag(NA)`: true where the field is NA, false where it is blank.
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

  /// Whether a value is a telephone number, or what is dialled after one.
  public var isPhone: Bool {
    switch self {
    case .phone, .phoneWithExtension, .phoneExtension: true
    default: false
    }
  }

  /// Whether a value is a number.
  public var isNumber: Bool {
    switch self {
    case .decimal, .integer: true
    default: false
    }
  }

  /// The types whose text is a name and nothing else.
  private static let plain: KeyValuePairs<String, ValueType> = [
    "text": .text, "line": .line, "unmarked": .unmarked, "code": .code, "hcpcs": .hcpcs,
    "modifier": .modifier, "integer": .integer, "date": .date(.iso), "npi": .npi, "phone": .phone,
    "extension": .phoneExtension, "postal": .postalCode, "zip": .zipCode, "zip4": .zip4, "state": .state,
    "country": .country, "boolean": .boolean, "uuid": .uuid, "timestamp": .timestamp, "time": .time,
    "bytes": .bytes, "sha256": .sha256, "json": .json(.any, without: []), "texts": .texts,
    "person": .person, "suffix": .suffix, "credential": .credential, "organization": .organization,
  ]

  /// The names of all types, without what is in parentheses.
  public static let names = [
    "text", "line", "unmarked", "code", "digits", "hcpcs", "modifier", "decimal", "integer", "date", "npi",
    "phone", "extension", "postal", "zip", "zip4", "state", "country", "boolean", "uuid", "timestamp", "time",
    "bytes", "sha256", "json", "texts", "person", "name", "suffix", "title", "credential", "organization",
    "flag",
  ]

  /// The most digits a `decimal` or `digits` may have.
  public static let mostDigits = 38

  /// The type that a layout's text names; nil if there is none such.
  public init?(_ text: String) {
    let (name, argument) = Self.split(text)
    switch (name, argument) {
    case (_, nil):
      guard let plain = Self.plain.first(where: { $0.key == name }) else { return nil }
      self = plain.value
    case ("json", let words?):
      var words = words.split(separator: ",", omittingEmptySubsequences: false).map { Self.trimmed($0) }[...]
      let kind = words.first.flatMap { $0 == "any" ? nil : JSONKind(rawValue: String($0)) }
      if kind != nil { words.removeFirst() }
      guard words.allSatisfy({ $0.first == "-" && $0.count > 1 }) else { return nil }
      self = .json(kind ?? .any, without: words.map { String($0.dropFirst()) })
    case ("phone", "ext"): self = .phoneWithExtension
    case ("name", let part?):
      guard let part = NamePart(rawValue: part) else { return nil }
      self = .fullName(part)
    case ("title", let part?):
      guard let part = NameTitles.Part(rawValue: part) else { return nil }
      self = .title(part)
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
    if let plain = Self.plain.first(where: { $0.value == self }) { return plain.key }
    return switch self {
    case .digits(let count): "digits(\(count))"
    case .decimal(let precision, let scale): "decimal(\(precision),\(scale))"
    case .phoneWithExtension: "phone(ext)"
    case .fullName(let part): "name(\(part.rawValue))"
    case .title(let part): "title(\(part.rawValue))"
    case .date(let order): "date(\(order.rawValue))"
    case .json(let kind, let names):
      "json(\(((kind == .any ? [] : [kind.rawValue]) + names.map { "-" + $0 }).joined(separator: ",")))"
    case .flag(let mark): "flag(\(mark))"
    default: ""
    }
  }
}
