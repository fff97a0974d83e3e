extension Applicability {
  /// Reads the key `applies` of a column.
  init?(_ node: YAMLNode, in file: DefinitionFile) {
    guard let fields = Fields(node, of: "'applies'", keys: ["column", "one_of"], in: file) else { return nil }
    fields.need("one_of")
    guard let column = fields.needText("column"), let values = fields.texts("one_of") else { return nil }
    self.init(column: column.value, values: values.map(\.value))
  }

  /// Reports where a column's rules hang on one that is not of its table, or has no field.
  static func report(_ columns: [(name: Marked<String>, column: LayoutColumn)], in file: DefinitionFile) {
    let names = columns.filter { $0.column.place != nil }.map(\.name.value)
    for (name, column) in columns {
      for other in [column.applies?.column, column.blankWhen?.without].compactMap(\.self)
      where !names.contains(other) || other == name.value {
        file.report(
          "'\(other)', on which '\(name.value)' hangs, is no other column of the table with a field",
          at: name.mark,
          hint: NearestName.hint(other, among: names, called: "there are"))
      }
    }
  }
}
