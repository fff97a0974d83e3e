import Definitions
import Records
import Values

/// Which columns of a sample are which fields of a layout.
struct ColumnMapping {
  /// What the sample calls its columns.
  let headers: [String]
  /// The fields that were found, each with the number of the sample's column.
  private(set) var mapped: [(sample: Int, field: StoredField)] = []
  /// The columns of the key that no column of the sample is, and no number of a record either.
  private(set) var missingKey: [String] = []
  /// The columns that have the same value, or a number, in every record: those of the source's own table.
  private(set) var given: [LayoutColumn] = []
  private let layout: Layout

  init(_ sample: SampleFile, layout: Layout, key: [String]) {
    self.layout = layout
    headers = sample.columns.map(\.place.text)
    let fields = StoredField.all(of: layout)
    var taken: Set<String> = []
    var used: Set<Int> = []
    func isUnique(_ index: Int) -> Bool {
      sample.columns[index].seen.isUnique && sample.columns[index].seen.blanks == 0
    }
    // Names in columns of their own go before those in one field, and people before what they work for.
    let order = fields.filter { !$0.isWholeName && $0.columns.first?.column.type != .organization }
    let others =
      fields.filter(\.isWholeName) + fields.filter { $0.columns.first?.column.type == .organization }
    for field in order + others {
      let isOrganization = field.columns.first?.column.type == .organization
      if isOrganization, mapped.contains(where: \.field.isPersonal) { continue }
      guard var field = field.without(taken) else { continue }
      guard
        let index = sample.columns.indices.first(where: {
          !used.contains($0) && field.fits(sample.columns[$0], called: headers[$0])
        })
      else { continue }
      if !isUnique(index), let other = field.without(Set(key)) {
        field = other
      } else if !isUnique(index), field.places.contains(where: key.contains) {
        continue
      }
      taken.formUnion(field.places)
      used.insert(index)
      mapped.append((index, field))
    }
    mapped.sort { $0.sample < $1.sample }
    for column in layout.versions.flatMap(\.columns) where column.place == nil && !taken.contains(column.name)
    {
      taken.insert(column.name)
      given.append(column)
    }
    missingKey = key.filter { !taken.contains($0) }
  }

  /// The layout's file with its only version.
  func text(layout name: String, version: String, pipeline: String, sample: SampleFile) -> String {
    var lines = [
      "# Drafted for \(pipeline) from \(sample.entry.name.oneLine), \(sample.records) records: read it, and correct what one"
        + " file could not tell.",
      "layout: \(name)", "versions:", "  - version: \(version)",
    ]
    if layout.versions.contains(where: \.knowsPlaceholders) || !sample.marks.isEmpty {
      if !sample.marks.isEmpty {
        lines.append("    # In the sample: \(sample.marks.map(\.oneLine).joined(separator: "  "))")
      }
      lines.append("    placeholders: common")
    }
    let texts = Set(layout.versions.flatMap(\.placeholders)).sorted()
    if !texts.isEmpty { lines.append("    blank_when: \(texts.yaml)") }
    if sample.footnotes > 0 { lines += ["    skip:", "      - {rule: footnote, when: single-field}"] }
    lines.append("    columns:")
    lines += given.map { "      - {\($0.given)}" }
    lines += rows(of: nil, sample, indent: "      ")
    let tables = mapped.flatMap(\.field.columns).compactMap(\.table).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    if !tables.isEmpty { lines.append("    children:") }
    for table in tables {
      lines += ["      - target: \(table)", "        repeat: 1", "        columns:"]
      lines += constants(of: table).map { "          - {\($0.given)}" }
      lines += rows(of: table, sample, indent: "          ")
    }
    return (lines + remarks).joined(separator: "\n") + "\n"
  }

  /// The columns of a table that are made of the sample's.
  private func rows(of table: String?, _ sample: SampleFile, indent: String) -> [String] {
    let names = Set(mapped.flatMap(\.field.columns).filter { $0.table == table }.map(\.column.name))
    return mapped.flatMap { index, field in
      field.columns.enumerated().filter { $0.element.table == table }.map { place, stored in
        let column = stored.column.definition(
          header: headers[index], isShared: place > 0, among: names, sample.columns[index].seen)
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
    for place in StoredField.all(of: layout).flatMap(\.places)
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
    header: String, isShared: Bool, among names: Set<String>, _ seen: ColumnProfile
  ) -> String {
    var type = type
    if case .date = type {
      type = [.date(.iso), .date(.monthDayYear), .date(.compact)].first(where: seen.fits) ?? type
    }
    var parts = ["name: \(name)", "csv: \(header.yaml)"]
    parts.append("type: \(type.yaml)")
    if isRequired { parts.append("required: true") }
    if isShared { parts.append("shared: true") }
    if let defaultText { parts.append("default: \(defaultText.yaml)") }
    if let list { parts.append("list: \(list)") }
    let hasOthers = type == .npi && seen.npis < seen.values
    if blanksInvalid || hasOthers, !isRequired { parts.append("invalid: blank") }
    if keepsInvalid { parts.append("invalid: keep") }
    if !oneOf.isEmpty { parts.append("one_of: \(oneOf.yaml)") }
    if !matches.isEmpty { parts.append("matches: \(matches.map(\.text).yaml)") }
    if let blanks = blanks(among: names, seen) { parts.append("blank_when: \(blanks)") }
    return parts.joined(separator: ", ")
  }

  private func blanks(among names: Set<String>, _ seen: ColumnProfile) -> String? {
    if let blankWhen {
      guard let other = blankWhen.without else { return blankWhen.texts.yaml }
      return names.contains(other) ? "{one_of: \(blankWhen.texts.yaml), without: \(other)}" : nil
    }
    // Of a name the type knows which words are none.
    if type == .person { return nil }
    if case .fullName = type { return nil }
    return seen.words.isEmpty ? nil : seen.words.keys.sorted().yaml
  }
}
