public import Values

/// A column of a draft: what it is called, what its values are, and why.
public struct DraftColumn: Sendable {
  /// Where its values are.
  enum Place: Sendable, Equatable {
    /// What a header calls it.
    case header(String)
    /// The properties that lead to it, and whether there are several values.
    case path(String, isList: Bool)
    /// The number of the record.
    case recordNumber
  }

  /// The column of the table.
  public let name: String
  /// What it is called in the file; the path of a property in JSON; nil for the number of the record.
  public var source: String? {
    switch place {
    case .header(let header): header
    case .path(let path, _): path
    case .recordNumber: nil
    }
  }
  /// The type of its values.
  public let type: ValueType
  /// Whether no record is without it.
  public let isRequired: Bool
  /// Whether a value that is not of the type is left blank.
  public let blanksInvalid: Bool
  /// Whether the field is another column's too.
  public let isShared: Bool
  /// What the values show, where it is worth a word.
  public let remark: String?
  /// The words that mean nothing in this column.
  public internal(set) var blankWords: [String] = []
  /// The zeros that stand for no number.
  var zeroTexts: [String] = []
  let place: Place

  init(
    _ name: String, _ place: Place, _ type: ValueType, isRequired: Bool = false, blanksInvalid: Bool = false,
    isShared: Bool = false, remark: String? = nil
  ) {
    (self.name, self.place, self.type) = (name, place, type)
    (self.isRequired, self.blanksInvalid, self.isShared) = (isRequired, blanksInvalid, isShared)
    self.remark = remark
  }

  /// The column of PostgreSQL that holds it.
  var sqlType: String {
    switch type {
    case .npi: "bigint"
    case .integer: "integer"
    case .decimal(let precision, let scale): "numeric(\(precision),\(scale))"
    case .date: "date"
    case .flag: "boolean"
    default: "text"
    }
  }
}

extension DraftColumn {
  /// The share of values that must be of a type which the header names, for the others to be left blank.
  private static let (enough, ofSo) = (4, 5)

  /// The columns that a field of a file becomes: one, or two where it holds two things.
  static func columns(_ name: String, _ place: Place, _ seen: ColumnProfile) -> [DraftColumn] {
    var columns = typed(name, place, seen)
    // Ms. None is a person.
    if !ColumnHint(name).isPerson {
      for index in columns.indices {
        columns[index].blankWords = seen.words.keys.sorted() + columns[index].zeroTexts
      }
    }
    return columns
  }

  private static func typed(_ name: String, _ place: Place, _ seen: ColumnProfile) -> [DraftColumn] {
    let hint = ColumnHint(name)
    let words = hint.isPerson ? seen.words.values.reduce(0, +) : 0
    let isRequired = seen.blanks == words && seen.values + words > 0
    func one(_ type: ValueType, _ remark: String? = nil) -> [DraftColumn] {
      [DraftColumn(name, place, type, isRequired: isRequired, remark: remark)]
    }
    if case .path(_, isList: true) = place {
      return [DraftColumn(name, place, .text, remark: "several values, joined")]
    }
    guard seen.values > 0 else { return [DraftColumn(name, place, .text, remark: "blank in every record")] }
    if seen.fits(.npi) { return one(.npi) }
    if hint.isNPI, seen.npis > 0, seen.npis * ofSo >= (seen.values - seen.zeros) * enough {
      let wrong = seen.values - seen.npis - seen.zeros
      var column = DraftColumn(
        name, place, .npi, blanksInvalid: wrong > 0,
        remark: wrong > 0
          ? "\(wrong) values have a wrong check digit and are left blank"
          : "zeros alone say that there is none")
      column.zeroTexts = seen.zeroTexts.sorted()
      return [column]
    }
    if seen.fits(.date(.iso)) { return one(.date(.iso)) }
    if seen.fits(.date(.monthDayYear)) { return one(.date(.monthDayYear)) }
    if seen.fits(.date(.compact)) { return one(.date(.compact)) }
    if let phone = phone(name, place, hint, seen, isRequired) { return phone }
    if hint.isZIP { return zip(name, place, seen, isRequired) }
    if hint.isState, seen.fits(.state), seen.isTwoLetters { return one(.state) }
    if hint.isCountry { return one(.country) }
    if let number = number(hint, seen) { return one(number.type, number.remark) }
    if hint.isCredential { return one(.credential) }
    if hint.isSuffix { return one(.suffix) }
    if hint.isOrganization { return one(.organization) }
    if hint.isPerson { return one(.person) }
    return one(.text)
  }

  private static func phone(
    _ name: String, _ place: Place, _ hint: ColumnHint, _ seen: ColumnProfile, _ isRequired: Bool
  ) -> [DraftColumn]? {
    let isPhone =
      hint.isPhone ? seen.phones * ofSo >= seen.values * enough : seen.fits(.phone) && seen.hasPunctuatedPhone
    guard isPhone else { return nil }
    let others = seen.values - seen.phones
    let number = DraftColumn(
      name, place, .phone, isRequired: isRequired && others == 0 && seen.fits(.phone),
      blanksInvalid: others > 0,
      remark: others > 0 ? "\(others) values are no telephone numbers and are left blank" : nil)
    guard seen.extensions > 0 else { return [number] }
    return [
      number,
      DraftColumn(
        "\(name)_extension", place, .phoneExtension, blanksInvalid: others > 0, isShared: true,
        remark: "what is dialled after the number"),
    ]
  }

  private static func zip(
    _ name: String, _ place: Place, _ seen: ColumnProfile, _ isRequired: Bool
  ) -> [DraftColumn] {
    let type: ValueType = seen.isZIP ? .zipCode : .postalCode
    let code = DraftColumn(
      name, place, type, isRequired: isRequired, remark: "text, so that leading zeros stay")
    guard seen.addOns > 0 else { return [code] }
    return [
      code, DraftColumn("\(name)_plus4", place, .zip4, isShared: true, remark: "the four digits of a ZIP+4"),
    ]
  }

  private static func number(
    _ hint: ColumnHint, _ seen: ColumnProfile
  ) -> (type: ValueType, remark: String?)? {
    guard seen.isDecimal else { return nil }
    if seen.hasLeadingZero { return (.text, "numbers with leading zeros, kept as text") }
    if hint.isIdentifier { return (.text, "a number that something is known by, kept as text") }
    if seen.fits(.integer) { return (.integer, nil) }
    let (whole, decimals) = (max(seen.wholeDigits + 2, 8), seen.decimals)
    guard whole + decimals <= ValueType.mostDigits else { return nil }
    return (.decimal(precision: whole + decimals, scale: decimals), nil)
  }
}
