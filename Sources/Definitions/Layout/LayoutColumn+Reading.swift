import Values

extension LayoutColumn {
  private static let keys = [
    "name", "csv", "aliases", "at", "implied", "type", "required", "optional", "default", "fill", "range",
    "one_of", "matches", "invalid", "list", "sensitive", "internal", "constant", "from", "shared",
    "words", "json", "join", "checked", "applies", "blank_when",
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
    reportImplied(fields, of: type, in: file)
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
    for entry in fields.mapping("words") ?? [] {
      column.words[entry.key] = fields.text(entry.value, called: "'\(entry.key)'")?.value
    }
    column.sharesField = fields.flag("shared")
    column.isChecked = fields.flag("checked")
    if column.isChecked, column.isInternal {
      file.report(
        "what is only looked at by checks is staged, and what is internal is not",
        at: fields.mark(of: "checked"),
        hint: "leave 'internal' out")
    }
    column.applies = fields.node("applies").flatMap { Applicability($0, in: file) }
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
      return .field(place([], fields, slot: slot, in: file))
    }
    guard let words = fields.texts("csv") else { return nil }
    for text in words + aliases where HeaderText.normalised(text.value).isEmpty {
      file.report("a header text cannot be blank", at: text.mark)
    }
    func ofSlot(_ text: Marked<String>) -> String { slot?.filled(text.value) ?? text.value }
    let headers = [HeaderText(words.map(ofSlot))] + aliases.map { HeaderText([ofSlot($0)]) }
    return .field(place(headers, fields, slot: slot, in: file))
  }

  private static func place(
    _ headers: [HeaderText], _ fields: Fields, slot: RepeatSlot?, in file: DefinitionFile
  ) -> FieldPlace {
    var place = FieldPlace(
      headers: headers, bytes: bytes(fields, slot: slot, in: file),
      impliedDecimals: fields.count("implied") ?? 0)
    place.paths = (fields.texts("json") ?? []).compactMap { TreePath($0, in: file) }
    place.joining = fields.text("join")?.value
    if fields.has("join"), !fields.has("json") {
      file.report(
        "texts are joined where a path leads to several: the column needs the key 'json'",
        at: fields.mark(of: "join"))
    }
    return place
  }

  /// A point can only be left out of a decimal that has one, at a place where nothing else says it.
  private static func reportImplied(_ fields: Fields, of type: ValueType?, in file: DefinitionFile) {
    guard fields.has("implied") else { return }
    let mark = fields.mark(of: "implied")
    if !fields.has("at") {
      file.report("implied decimals are those of a txt: the column needs the key 'at'", at: mark)
    }
    guard let type else { return }
    guard case .decimal(_, let scale) = type else {
      file.report("implied decimals are for decimals; the column's type is \(type)", at: mark)
      return
    }
    if let text = fields.text("implied"), let decimals = Int(text.value), decimals > scale {
      file.report("\(decimals) implied decimals are more than \(type) has", at: mark)
    }
  }

  private static func bytes(_ fields: Fields, slot: RepeatSlot?, in file: DefinitionFile) -> ClosedRange<Int>?
  {
    guard let text = fields.text("at") else { return nil }
    let ends = text.value.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 1, last >= first else {
      file.report(
        "'\(text.value)' is no place in a record", at: text.mark,
        hint: "write the first and the last byte, from 1, such as 60-65")
      return nil
    }
    guard let slot else { return first...last }
    if !fields.has("step") {
      file.report(
        "the column repeats, so that 'at' needs 'step': how many bytes on its next place is", at: text.mark)
    }
    let shift = (slot.number - 1) * (fields.count("step") ?? 0)
    return (first + shift)...(last + shift)
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
    "the forms are digits(5), decimal(8,2), date(MM/DD/YYYY), json(array,-name), name(last), flag(NA)"

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
