/// The records in which a column's type and rules hold: those in which another column has one of some values.
public struct Applicability: Sendable, Hashable {
  /// The other column, of the same table.
  public var column: String
  /// Its values, as they are stored; an empty text means a blank.
  public var values: [String]

  /// Those in which a column of the table has one of some values.
  public init(column: String, values: [String]) { (self.column, self.values) = (column, values) }

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
      check(column.blankWhen?.applies?.column, name, among: every)
      check(column.blankWhen?.without, name, among: names)
      check(column.blankWhen?.with, name, among: names)
    }
  }
}

/// What says that nothing is in a column: texts, in whatever letter case, or that something is in another.
public struct BlankRule: Sendable, Hashable {
  /// The texts.
  public var texts: [String]
  /// The column of the same table that must be blank, too, or say so in the same way; nil where no other
  /// counts.
  public var without: String?
  /// The column of the same table beside whose value, as its own type makes it, nothing of this one counts: of
  /// a person the name of an organisation. Nil where no other does that.
  public var with: String?
  /// The records in which nothing counts; nil where that does not hang on another column's values.
  public var applies: Applicability?

  /// Nothing counts in some records.
  public init(where applies: Applicability) { (texts, self.applies) = ([], applies) }

  /// Nothing counts beside a value of another column of the same table.
  public init(with column: String) { (texts, with) = ([], column) }

  init(texts: [String], without: String?) { (self.texts, self.without) = (texts, without) }
}

extension BlankRule {
  /// Reads the key `blank_when` of a column: texts, texts and the column without which they count, the column
  /// with which nothing does, or a column and its values where nothing does.
  init?(_ fields: Fields, in file: DefinitionFile) {
    guard let node = fields.node("blank_when") else { return nil }
    guard case .mapping = node.content else {
      guard let texts = fields.texts("blank_when") else { return nil }
      self.init(texts: texts.map(\.value), without: nil)
      return
    }
    guard
      let rule = Fields(node, of: "'blank_when'", keys: ["one_of", "without", "with", "column"], in: file)
    else {
      return nil
    }
    if let with = rule.text("with") {
      if rule.has("one_of") || rule.has("without") || rule.has("column") {
        file.report(
          "beside a value of '\(with.value)' nothing counts: the other keys say nothing more",
          at: with.mark)
      }
      self.init(with: with.value)
      return
    }
    rule.need("one_of")
    if let column = rule.text("column") {
      if rule.has("without") {
        file.report(
          "where '\(column.value)' has one of the values nothing counts: 'without' says nothing more",
          at: column.mark)
      }
      guard let values = rule.texts("one_of") else { return nil }
      self.init(where: Applicability(column: column.value, values: values.map(\.value)))
      return
    }
    guard let texts = rule.texts("one_of"), let without = rule.needText("without") else { return nil }
    self.init(texts: texts.map(\.value), without: without.value)
  }
}
