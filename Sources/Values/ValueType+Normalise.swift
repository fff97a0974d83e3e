/// What became of a field's bytes: PostgreSQL's text input of the value, or the reason why there is none.
public enum Normalised: Equatable, Sendable {
  /// The field holds nothing but blanks (or, for a date, nothing but zeros).
  case blank
  /// The value is these bytes of the field, as they are written.
  case slice(Range<Int>)
  /// The value had to be rewritten and is in the scratch array.
  case scratch
  /// The field is not of its type.
  case invalid(ValueFailure)
}

extension ValueType {
  /// Turns a field into PostgreSQL's text input of its value, or says why it has none.
  ///
  /// Blanks at both ends are dropped. What can be corrected with certainty is corrected: lower case, leading
  /// zeros that a `digits` or `hcpcs` column makes certain, the order of a date. Anything else is refused
  /// rather than guessed. Nothing is allocated once `scratch` has grown to the longest value.
  /// - Parameters:
  ///   - field: the field's bytes, without the quotes around them.
  ///   - encoding: the encoding of the field's file. What is in UTF-16 comes from its reader as UTF-8.
  ///   - scratch: holds the value afterwards if the answer is `.scratch`; its content is undefined otherwise.
  /// - Returns: where the value is, that it is blank, or why it is none of the type.
  public func normalise(
    _ field: Span<UInt8>, encoding: TextEncoding = .utf8, scratch: inout [UInt8]
  ) -> Normalised {
    let range = field.trimmed()
    guard !range.isEmpty else {
      guard case .flag = self else { return .blank }
      // A flag is never unknown: blank is its other value.
      scratch.replace(with: UInt8(ascii: "f"))
      return .scratch
    }
    switch self {
    case .text: return TextNormalisation.text(field, range, encoding, &scratch)
    case .line: return TextNormalisation.line(field, range, encoding, &scratch)
    case .unmarked: return TextNormalisation.unmarked(field, range, encoding, &scratch)
    case .code: return CodeNormalisation.code(field, range, &scratch)
    case .digits(let count): return CodeNormalisation.digits(field, range, count, &scratch)
    case .hcpcs: return CodeNormalisation.hcpcs(field, range, &scratch)
    case .modifier: return CodeNormalisation.modifier(field, range, &scratch)
    case .decimal(let precision, let scale):
      return NumberNormalisation.decimal(field, range, whole: precision &- scale, scale: scale)
    case .integer: return NumberNormalisation.integer(field, range)
    case .date(let order): return DateNormalisation.date(field, range, order, &scratch)
    // What is beside an NPI makes it doubtful, blanks included.
    case .npi: return NPI.isValid(field) ? .slice(range) : .invalid(.notNPI)
    case .phone: return PhoneNumber.number(field, range, &scratch)
    case .phoneWithExtension: return PhoneNumber.numberAndExtension(field, range, &scratch)
    case .phoneExtension: return PhoneNumber.extension(field, range, &scratch)
    case .postalCode: return PostalCode.code(field, range, encoding, &scratch)
    case .zipCode: return PostalCode.zip(field, range, encoding, &scratch)
    case .zip4: return PostalCode.addOn(field, range)
    case .state: return Region.state(field, range, encoding, &scratch)
    case .country: return Region.country(field, range, encoding, &scratch)
    case .boolean: return CodeNormalisation.boolean(field, range, &scratch)
    case .uuid: return UUIDNormalisation.uuid(field, range, &scratch)
    case .timestamp: return MomentNormalisation.timestamp(field, range, &scratch)
    case .time: return MomentNormalisation.time(field, range, &scratch)
    case .bytes: return BinaryNormalisation.bytes(field, range, &scratch)
    case .json(let kind, let names): return JSONText.json(field, range, kind, without: names, &scratch)
    case .texts: return JSONText.texts(field, range, &scratch)
    case .sha256: return BinaryNormalisation.digest(field, range, &scratch)
    case .person: return NameCase.person(field, range, encoding, &scratch)
    case .fullName(let part): return FullName.part(part, field, range, encoding, &scratch)
    case .suffix: return NameSuffix.suffix(field, range, encoding, &scratch)
    case .title(let part): return NameTitles.part(part, field, range, encoding, &scratch)
    case .credential: return Credential.list(field, range, encoding, &scratch)
    case .organization: return NameCase.organization(field, range, encoding, &scratch)
    case .flag(let mark): return CodeNormalisation.flag(field, range, mark, &scratch)
    }
  }

  /// The same of a record in which the type does not hold, of an address in another country for one: a text on
  /// one line, of a telephone number E.164 where it says its country, and of a part of a field nothing.
  public func normaliseElsewhere(
    _ field: Span<UInt8>, encoding: TextEncoding = .utf8, scratch: inout [UInt8]
  ) -> Normalised {
    let range = field.trimmed()
    guard !range.isEmpty else { return .blank }
    var isAbroad: Bool {
      if case .scratch = PhoneNumber.numberAbroad(field, range, &scratch) { true } else { false }
    }
    switch self {
    case .phone where isAbroad: return .scratch
    case .phoneWithExtension where isAbroad:
      return PhoneNumber.numberAndExtension(field, range, isAbroad: true, &scratch)
    // Where the number is kept as it is written, so is what is dialled after it.
    case .phoneExtension where isAbroad: return PhoneNumber.extension(field, range, &scratch)
    case _ where isPart: return .blank
    default: return TextNormalisation.line(field, range, encoding, &scratch)
    }
  }

  /// Whether it is a part of what is in its field, which is another column's too.
  private var isPart: Bool {
    switch self {
    case .phoneExtension, .zip4, .fullName, .title: true
    default: false
    }
  }
}
