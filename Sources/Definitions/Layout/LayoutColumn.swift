public import Values

/// A target column: where its value is, what it is, and what must hold of it.
public struct LayoutColumn: Sendable {
  /// Where a value comes from.
  public enum Origin: Sendable, Hashable {
    /// A field of the record.
    case field(FieldPlace)
    /// The same text for every row.
    case constant(String)
    /// The number of the record among the data records of its source, from 1.
    case recordNumber
    /// The name of the path by which a row of a child table was found.
    case pathName
  }

  /// The column of the target table.
  public var name: String
  /// Where its value comes from.
  public var origin: Origin
  /// What the text means, such as `decimal(8,2)`.
  public var type: ValueType
  /// Whether a blank value rejects the record, and a header without the column is not this layout's.
  public var isRequired = false
  /// Whether a header may lack the column.
  public var isOptional = false
  /// The text used for a blank value; nil makes NULL of it.
  public var defaultText: String?
  /// Whether a blank value takes that of the record above.
  public var fillsDown = false
  /// The lowest and the highest number allowed; nil allows any.
  public var range: DecimalRange?
  /// The only values allowed; empty allows any.
  public var oneOf: [String] = []
  /// Whether a value that is not of the type is left blank and reported, where it would reject the record
  /// otherwise.
  public var blanksInvalid = false
  /// Whether a value that is not of the type stays as it is written, in a column of text.
  public var keepsInvalid = false
  /// What a value may be that is not of the type: it is loaded as it is written, in a column of text, and
  /// reported. Nil where it rejects the record.
  public var oddForm: TextPattern?
  /// Patterns, one of which a value must match as a whole; empty allows any. They are slow: for small files.
  public var matches: [TextPattern] = []
  /// What is stored in place of a value, by value; one that is not among them rejects the record, unless
  /// ``anyOther`` is. Empty leaves values as they are.
  public var words: [String: String] = [:]
  /// What is in ``words`` for every value that is not among them.
  public static let anyOther = "*"
  /// The code list that values are looked up in; one that it lacks is a warning.
  public var list: String?
  /// Where the type and the rules hold; elsewhere the text stays as it is. Nil where they always do.
  public var applies: Applicability?
  /// The column of the same table that says of which country a telephone number is; nil where all are American.
  public var country: String?
  /// Which texts say that nothing is there, beside those of the version; nil where there are none.
  public var blankWhen: BlankRule?
  /// How many characters a code has; nil where the layout does not say.
  public var width: CodeWidth?
  /// Why a value that is not as asked does harm, in the definition's own words; nil where those of the rule do.
  public var because: String?
  /// Whether the field is that of another column too: a telephone number and its extension.
  public var sharesField = false
  /// Whether the table has no such column: its value only says what to do with a record.
  public var isInternal = false
  /// Whether checks alone look at it: it is staged, and the table has no such column. Of what is merged only.
  public var isChecked = false
  /// Whether values must never show in a log, message or report.
  public var isSensitive = false

  /// Whether the table has the column.
  public var isStored: Bool { !isInternal && !isChecked }

  /// Where the column's field is; nil for constants and record numbers.
  public var place: FieldPlace? {
    if case .field(let place) = origin { place } else { nil }
  }
}

extension LayoutColumn {
  private static let keys = [
    "name", "csv", "aliases", "at", "implied", "type", "required", "optional", "default", "fill", "range",
    "one_of", "matches", "invalid", "odd", "list", "sensitive", "internal", "constant", "from", "shared",
    "words", "json", "join", "after", "checked", "applies", "country", "blank_when", "width", "pad",
    "because",
  ]

  /// Reads a column.
  ///
  /// `slot`: which of a record's repeats it is for; nil for what does not repeat.
  static func read(
    _ node: YAMLNode, slot: RepeatSlot? = nil, in file: DefinitionFile
  ) -> (name: Marked<String>, column: Self)? {
    let known = keys + (slot == nil ? [] : ["step"])
    guard let fields = Fields(node, of: "a column", keys: known, in: file) else { return nil }
    let name = fields.needText("name")
    NameRule.column.check(name, called: "a column's name", in: file)
    let origin = origin(fields, slot: slot, in: file)
    let type = type(fields, of: origin, in: file)
    FieldPlace.reportImplied(fields, of: type, in: file)
    let isRequired = fields.flag("required")
    let isOptional = fields.flag("optional")
    if isRequired, isOptional {
      file.report(
        "a column cannot be both required and optional", at: fields.mark(of: "optional"),
        hint: "a blank value of a required column rejects the record")
    }
    let fill = fields.text("fill")
    if let fill, fill.value != "down" {
      file.report("unknown way to fill '\(fill.value)'", at: fill.mark, hint: "write down")
    }
    let range = range(fields, of: type, in: file)
    let matches = (fields.texts("matches") ?? []).compactMap { TextPattern($0, in: file) }
    guard let name, let origin else { return nil }
    var column = LayoutColumn(
      name: name.value, origin: origin, type: type ?? .text, isRequired: isRequired, isOptional: isOptional,
      defaultText: fields.text("default")?.value, fillsDown: fill != nil, range: range,
      oneOf: fields.texts("one_of")?.map(\.value) ?? [], list: fields.text("list")?.value,
      isInternal: fields.flag("internal"), isSensitive: fields.flag("sensitive"))
    column.matches = matches
    column.words = fields.textMapping("words")
    column.oddForm = fields.text("odd").flatMap { TextPattern($0, in: file) }
    column.width = CodeWidth(fields, of: type, in: file)
    column.because = fields.text("because")?.value
    column.sharesField = fields.flag("shared")
    column.isChecked = fields.flag("checked")
    if column.isChecked, column.isInternal {
      file.report(
        "what is only looked at by checks is staged, and what is internal is not",
        at: fields.mark(of: "checked"),
        hint: "leave 'internal' out")
    }
    column.applies = fields.node("applies").flatMap { Applicability($0, in: file) }
    column.country = fields.text("country")?.value
    if column.country != nil, !column.type.isPhone {
      file.report(
        "the country decides what a telephone number means; the column's type is \(column.type)",
        at: fields.mark(of: "country"), hint: "write 'applies' for what holds in some countries alone")
    }
    column.blankWhen = BlankRule(fields, in: file)
    if let invalid = fields.text("invalid") {
      column.blanksInvalid = invalid.value == "blank"
      column.keepsInvalid = invalid.value == "keep"
      if !column.blanksInvalid, !column.keepsInvalid {
        file.report(
          "unknown treatment '\(invalid.value)' of values that are not of the type", at: invalid.mark,
          hint: "write blank, or keep in a column of text, or leave the key out")
      }
      if isRequired, column.blanksInvalid {
        file.report("a required value cannot be left blank", at: invalid.mark)
      }
    }
    return (name, column)
  }

  private static func origin(_ fields: Fields, slot: RepeatSlot?, in file: DefinitionFile) -> Origin? {
    var ways = ["csv", "constant", "from"].filter(fields.has)
    // A column of a txt or of trees alone needs no header.
    for way in ["at", "json"] where ways.isEmpty && fields.has(way) { ways = [way] }
    guard ways.count == 1 else {
      let message =
        ways.isEmpty
        ? "a column needs one of the keys 'csv', 'at', 'json', 'constant' and 'from'"
        : "a column's value comes from one place, not from "
          + ways.map { "'\($0)'" }.joined(separator: " and ")
      file.report(message, at: fields.mark)
      return nil
    }
    if let constant = fields.text("constant") {
      return .constant(slot?.filled(constant.value) ?? constant.value)
    }
    if let from = fields.text("from") {
      if from.value == "record-number" { return .recordNumber }
      if from.value == "path" { return .pathName }
      file.report("unknown value '\(from.value)'", at: from.mark, hint: "write record-number, or path")
      return nil
    }
    let aliases = fields.texts("aliases") ?? []
    if ways == ["at"] || ways == ["json"] {
      if !aliases.isEmpty {
        file.report(
          "aliases are for a header: the column needs the key 'csv'", at: fields.mark(of: "aliases"))
      }
      return .field(FieldPlace([], fields, slot: slot, in: file))
    }
    guard let words = fields.texts("csv") else { return nil }
    for text in words + aliases where HeaderText.normalised(text.value).isEmpty {
      file.report("a header text cannot be blank", at: text.mark)
    }
    func ofSlot(_ text: Marked<String>) -> String { slot?.filled(text.value) ?? text.value }
    let headers = [HeaderText(words.map(ofSlot))] + aliases.map { HeaderText([ofSlot($0)]) }
    return .field(FieldPlace(headers, fields, slot: slot, in: file))
  }

  private static func type(_ fields: Fields, of origin: Origin?, in file: DefinitionFile) -> ValueType? {
    if let text = fields.text("type") {
      if let type = ValueType(text.value) { return type }
      let name = String(text.value.prefix { $0 != "(" })
      file.report(
        "unknown type '\(text.value)'", at: text.mark,
        hint: NearestName.hint(
          name, among: ValueType.names, called: "known"
        )
        .map { $0.contains("'\(name)'") ? typeForms : $0 })
    } else {
      switch origin {
      case .constant, .pathName: return .text
      case .recordNumber: return .integer
      case .field: fields.need("type")
      case nil: break
      }
    }
    return nil
  }

  /// Said where the name of a type is right and what is in its parentheses is not.
  private static let typeForms =
    "the forms are digits(5), decimal(8,2), date(MM/DD/YYYY), json(array,-name), name(last), title(suffix), flag(NA)"

  private static func range(_ fields: Fields, of type: ValueType?, in file: DefinitionFile) -> DecimalRange? {
    guard let type, let ends = fields.texts("range") else { return nil }
    let place = fields.mark(of: "range")
    switch type {
    case .decimal, .integer: break
    default:
      file.report("a range is for numbers; the column's type is \(type)", at: place)
      return nil
    }
    let numbers = ends.map { ScaledDecimal($0.value) }
    guard numbers.count == 2, let low = numbers[0], let high = numbers[1] else {
      file.report("a range is two numbers, the lowest and the highest", at: place)
      return nil
    }
    let range = DecimalRange(low: low, high: high)
    if range == nil { file.report("the range ends before it begins", at: place) }
    return range
  }
}
