/// What a version says of its fixed-width files besides the places of the columns.
public struct FixedWidthForm: Sendable, Hashable {
  /// How many characters a record has at least, and at most where the blanks at its end are not counted.
  public var length: ClosedRange<Int>
  /// Which records are no data.
  public var skips: [SkipRule]
  /// Whether lines above the first record that are shorter than a record are its heading, whatever they say.
  public var hasPreamble: Bool
}

extension FixedWidthForm {
  /// Reads the key `txt` of a version.
  init?(
    _ node: YAMLNode, columns: [(name: Marked<String>, column: LayoutColumn)], in file: DefinitionFile
  ) {
    guard let fields = Fields(node, of: "txt", keys: ["length", "skip", "preamble"], in: file) else {
      return nil
    }
    let skips = (fields.list("skip") ?? []).compactMap { node -> SkipRule? in
      let rule = SkipRule(node, columns: columns.map(\.column), in: file)
      if rule?.condition == .singleField {
        file.report("a txt has no single fields: use 'no_digit_in' or 'starts_with'", at: node.mark)
      }
      return rule
    }
    let preamble = fields.text("preamble")
    if let preamble, preamble.value != "short-lines" {
      file.report("unknown preamble '\(preamble.value)'", at: preamble.mark, hint: "write short-lines")
    }
    fields.need("length")
    guard let text = fields.text("length") else { return nil }
    guard let length = Self.length(text.value) else {
      file.report(
        "'\(text.value)' is no record length", at: text.mark,
        hint: "write the number of characters, or the least and the most, such as 150-154")
      return nil
    }
    for (name, column) in columns {
      guard let place = column.place else { continue }
      if let bytes = place.bytes {
        if bytes.upperBound > length.upperBound {
          file.report(
            "'\(name.value)' ends at character \(bytes.upperBound), a txt record at \(length.upperBound)",
            at: name.mark)
        }
      } else if !column.isOptional {
        file.report(
          "'\(name.value)' needs the key 'at', as the version is for txt", at: name.mark,
          hint: "write its first and last character, such as 60-65")
      }
    }
    self.init(length: length, skips: skips, hasPreamble: preamble != nil)
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
