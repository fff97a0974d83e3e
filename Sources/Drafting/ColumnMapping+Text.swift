import Definitions
import Records
import Values

extension ColumnMapping {
  /// The layout's file with its only version.
  func text(layout name: String, version: String, pipeline: String) -> String {
    var lines = [
      "# Drafted for \(pipeline) from \(sample.entry.name.oneLine), \(sample.records) records: read it, and correct what one"
        + " file could not tell."
    ]
    if !doubts.isEmpty { lines += ["# Not certain:"] + doubts.map { "#   \($0.remark.oneLine)" } }
    lines += ["layout: \(name)", "versions:", "  - version: \(version)"]
    if isTree, !sample.way.isEmpty { lines.append("    records: \(sample.way.joined(separator: ".").yaml)") }
    if layout.versions.contains(where: \.knowsPlaceholders) || !sample.marks.isEmpty {
      if !sample.marks.isEmpty {
        lines.append("    # In the sample: \(sample.marks.map(\.oneLine).joined(separator: "  "))")
      }
      lines.append("    placeholders: common")
    }
    let texts = Set(layout.versions.flatMap(\.placeholders)).sorted()
    if !texts.isEmpty { lines.append("    blank_when: \(texts.yaml)") }
    if isFolded {
      lines += [
        "    # Records of one key are one row, with the rows below of all of them.", "    fold: true",
      ]
    }
    if sample.footnotes > 0 { lines += ["    skip:", "      - {rule: footnote, when: single-field}"] }
    lines.append("    columns:")
    lines += given.map { "      - {\($0.given)}" }
    lines += rows(of: nil, indent: "      ")
    let tables = mapped.flatMap(\.field.columns).compactMap(\.table).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    if !tables.isEmpty { lines.append("    children:") }
    for table in tables {
      lines += [
        "      - target: \(table)", isTree ? "        each: ." : "        repeat: 1", "        columns:",
      ]
      lines += constants(of: table).map { "          - {\($0.given)}" }
      lines += rows(of: table, indent: "          ")
    }
    return (lines + remarks).joined(separator: "\n") + "\n"
  }

  private var isTree: Bool { sample.kind.isTree }

  /// The columns of a table that are made of the sample's.
  private func rows(of table: String?, indent: String) -> [String] {
    let names = Set(mapped.flatMap(\.field.columns).filter { $0.table == table }.map(\.column.name))
    return mapped.flatMap { index, field in
      field.columns.enumerated().filter { $0.element.table == table }.map { place, stored in
        let column = stored.column.definition(
          at: sample.columns[index].place, isShared: place > 0, isOfChild: table != nil, among: names,
          seen(index))
        return "\(indent)- {\(column)}"
      }
    }
  }

  /// What is constant in a child table: as the version has it that knows most of the columns that were found.
  private func constants(of table: String) -> [LayoutColumn] {
    let names = Set(mapped.flatMap(\.field.columns).filter { $0.table == table }.map(\.column.name))
    let children = layout.versions.flatMap(\.children).filter { $0.target == table && $0.slots.count == 1 }
    let best = children.max { one, two in
      names.intersection(one.columnNames).count < names.intersection(two.columnNames).count
    }
    return best?.slots[0].filter { $0.place == nil } ?? []
  }

  /// What was not found, on either side.
  private var remarks: [String] {
    let used = Set(mapped.map(\.sample))
    let left = headers.indices.filter { !used.contains($0) }.map { headers[$0].oneLine }
    let taken = Set(mapped.flatMap(\.field.places) + given.map(\.name))
    var open: [String] = []
    for place in stored.fields.flatMap(\.places)
    where !taken.contains(place) && !open.contains(place) { open.append(place) }
    var lines: [String] = []
    if !left.isEmpty { lines += ["# Columns of the sample that are not loaded:"] + left.map { "#   \($0)" } }
    if !open.isEmpty {
      lines += ["# What the pipeline could store, and nothing was found for:"] + open.map { "#   \($0)" }
    }
    return lines
  }
}

extension LayoutColumn {
  /// What is between the braces of a column that is not of a field.
  fileprivate var given: String {
    switch origin {
    case .constant(let text): "name: \(name), constant: \(text.yaml)"
    case .recordNumber: "name: \(name), from: record-number"
    case .pathName: "name: \(name), from: path"
    case .field: "name: \(name)"
    }
  }

  /// What is between the braces of a column of the sample.
  fileprivate func definition(
    at place: DraftColumn.Place, isShared: Bool, isOfChild: Bool, among names: Set<String>,
    _ seen: ColumnProfile
  ) -> String {
    var type = type
    if case .date = type {
      type = [.date(.iso), .date(.monthDayYear), .date(.compact)].first(where: seen.fits) ?? type
    }
    // A row of another table that the sample has without it is no fault of the record.
    let isRequired = isRequired && !(isOfChild && seen.blanks > 0 && type != .person && !type.isPartOfName)
    var parts = ["name: \(name)", place.definition]
    parts.append("type: \(type.yaml)")
    if width?.widths.isEmpty == true { parts.append("width: any") }
    if isRequired { parts.append("required: true") }
    if isShared || sharesField { parts.append("shared: true") }
    if let defaultText { parts.append("default: \(defaultText.yaml)") }
    if let list { parts.append("list: \(list)") }
    let hasOthers = type == .npi && seen.npis < seen.values
    if blanksInvalid || hasOthers, !isRequired { parts.append("invalid: blank") }
    if keepsInvalid { parts.append("invalid: keep") }
    if !oneOf.isEmpty { parts.append("one_of: \(oneOf.yaml)") }
    if !matches.isEmpty { parts.append("matches: \(matches.map(\.text).yaml)") }
    if !words.isEmpty {
      let texts = words.sorted { $0.key < $1.key }.map { "\($0.key.yaml): \($0.value.yaml)" }
      parts.append("words: {\(texts.joined(separator: ", "))}")
    }
    if let blanks = blanks(among: names, seen) { parts.append("blank_when: \(blanks)") }
    if let country, names.contains(country) { parts.append("country: \(country)") }
    if let applies, names.contains(applies.column) {
      parts.append("applies: {column: \(applies.column), one_of: \(applies.values.yaml)}")
    }
    return parts.joined(separator: ", ")
  }

  private func blanks(among names: Set<String>, _ seen: ColumnProfile) -> String? {
    if let with = blankWhen?.with { return "{with: \(with)}" }
    if let rule = blankWhen?.applies { return "{column: \(rule.column), one_of: \(rule.values.yaml)}" }
    if let blankWhen {
      guard let other = blankWhen.without else { return blankWhen.texts.yaml }
      return names.contains(other) ? "{one_of: \(blankWhen.texts.yaml), without: \(other)}" : nil
    }
    // No number is zeros alone.
    if type == .npi, !seen.zeroTexts.isEmpty { return seen.zeroTexts.sorted().yaml }
    // Of a name the type knows which words are none.
    if type == .person { return nil }
    if case .fullName = type { return nil }
    return seen.words.isEmpty ? nil : seen.words.keys.sorted().yaml
  }
}

extension ValueType {
  fileprivate var isPartOfName: Bool { if case .fullName = self { true } else { false } }
}

extension DraftColumn.Place {
  /// Where a layout's column of it is.
  var definition: String {
    switch self {
    case .header(let header): "csv: \(header.yaml)"
    case .path(let path, let isList): "json: \(path.yaml)" + (isList ? ", join: ', '" : "")
    case .recordNumber: "from: record-number"
    }
  }
}
