/// The records in which a column's type and rules hold: those in which another column has one of some values.
public struct Applicability: Sendable, Hashable {
  /// The other column, of the same table.
  public var column: String
  /// Its values, as its own type makes them; an empty text means a blank.
  public var values: [String]

  /// Where the telephone numbers of a column are of the North American plan: in records whose country is part
  /// of it, or is not said.
  ///
  /// Source: ITU's list of country codes under E.164, those of +1.
  public init(numbersOf column: String) {
    self.column = column
    values = [
      "", "AG", "AI", "AS", "BB", "BM", "BS", "CA", "DM", "DO", "GD", "GU", "JM", "KN", "KY", "LC", "MP",
      "MS",
      "PR", "SX", "TC", "TT", "UM", "US", "VC", "VG", "VI",
    ]
  }
}

extension Applicability {
  /// Reads the key `applies` of a column.
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "'applies'", keys: ["column", "one_of"], in: file) else { return nil }
    fields.need("one_of")
    guard let column = fields.needText("column"), let values = fields.texts("one_of") else { return nil }
    self.column = column.value
    self.values = values.map(\.value)
  }

  /// Reports where a column's rules hang on one that is not of its table, or has no field.
  ///
  /// `record`: the columns of the record that the rows of a child table are of.
  static func report(
    _ columns: [(name: Marked<String>, column: LayoutColumn)],
    ofRecord record: [(name: Marked<String>, column: LayoutColumn)] = [], in file: DefinitionFile
  ) {
    let names = columns.filter { $0.column.place != nil }.map(\.name.value)
    let every = names + record.filter { $0.column.place != nil }.map(\.name.value)
    func check(_ other: String?, _ name: Marked<String>, among known: [String]) {
      guard let other, !known.contains(other) || other == name.value else { return }
      file.report(
        "'\(other)', on which '\(name.value)' hangs, is no other column of the table with a field",
        at: name.mark, hint: NearestName.hint(other, among: known, called: "there are"))
    }
    for (name, column) in columns {
      check(column.applies?.column, name, among: every)
      check(column.country, name, among: every)
      check(column.blankWhen?.without, name, among: names)
    }
  }
}

/// The texts that say in a column's field that nothing is there, in whatever letter case.
public struct BlankRule: Sendable, Hashable {
  /// The texts.
  public var texts: [String]
  /// The column of the same table that must be blank, too, or say so in the same way; nil where no other
  /// counts.
  public var without: String?
}

extension BlankRule {
  /// Reads the key `blank_when` of a column: texts, or texts and the column without which they count.
  init?(_ fields: Fields, in file: DefinitionFile) {
    guard let node = fields.node("blank_when") else { return nil }
    guard case .mapping = node.content else {
      guard let texts = fields.texts("blank_when") else { return nil }
      self.init(texts: texts.map(\.value), without: nil)
      return
    }
    guard let rule = Fields(node, of: "'blank_when'", keys: ["one_of", "without"], in: file) else {
      return nil
    }
    rule.need("one_of")
    guard let texts = rule.texts("one_of"), let without = rule.needText("without") else { return nil }
    self.init(texts: texts.map(\.value), without: without.value)
  }
}
