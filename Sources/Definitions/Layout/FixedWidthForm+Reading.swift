extension FixedWidthForm {
  /// Reads the key `txt` of a version.
  init?(
    _ node: YAMLNode, columns: [(name: Marked<String>, column: LayoutColumn)], in file: DefinitionFile
  ) {
    guard let fields = Fields(node, of: "txt", keys: ["length", "skip"], in: file) else { return nil }
    let skips = (fields.list("skip") ?? []).compactMap {
      SkipRule(fixedWidth: $0, columns: columns.map(\.column), in: file)
    }
    fields.need("length")
    guard let text = fields.text("length") else { return nil }
    guard let length = Self.length(text.value) else {
      file.report(
        "'\(text.value)' is no record length", at: text.mark,
        hint: "write the number of bytes, or the least and the most, such as 150-154")
      return nil
    }
    for (name, column) in columns {
      guard let place = column.place else { continue }
      if let bytes = place.bytes {
        if bytes.upperBound > length.upperBound {
          file.report(
            "'\(name.value)' ends at byte \(bytes.upperBound), a txt record at \(length.upperBound)",
            at: name.mark)
        }
      } else if !column.isOptional {
        file.report(
          "'\(name.value)' needs the key 'at', as the version is for txt", at: name.mark,
          hint: "write its first and last byte, such as 60-65")
      }
    }
    self.init(length: length, skips: skips)
  }

  /// `171` or `150-154`.
  private static func length(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first >= 1,
      last >= first
    else { return nil }
    return first...last
  }
}

extension SkipRule {
  /// Reads a rule for fixed-width records.
  init?(fixedWidth node: YAMLNode, columns: [LayoutColumn], in file: DefinitionFile) {
    let conditions = ["starts_with", "no_digit_in"]
    guard let fields = Fields(node, of: "a txt skip rule", keys: ["rule"] + conditions, in: file) else {
      return nil
    }
    let rule = Self.name(fields, in: file)
    guard conditions.filter(fields.has).count == 1 else {
      file.report("a txt skip rule needs one of the keys 'starts_with' and 'no_digit_in'", at: fields.mark)
      return nil
    }
    let condition: Condition
    if let text = fields.text("starts_with") {
      condition = .startsWith(text.value)
    } else if let column = fields.text("no_digit_in") {
      let names = columns.filter { $0.place?.bytes != nil }.map(\.name)
      guard names.contains(column.value) else {
        file.report(
          "'\(column.value)' is no column with a place in a txt", at: column.mark,
          hint: NearestName.hint(column.value, among: names, called: "there are"))
        return nil
      }
      condition = .noDigit(column: column.value)
    } else {
      return nil
    }
    guard let rule else { return nil }
    self.init(rule: rule, condition: condition)
  }
}
