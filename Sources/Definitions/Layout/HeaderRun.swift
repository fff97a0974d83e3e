/// Some of a file's first records merged into one header.
struct HeaderRun {
  /// The number of the last record, from 0.
  let lastRow: Int
  /// How many records are merged.
  let depth: Int
  /// What the header says, field by field.
  let texts: [String]
  /// The fields of each text that a column may be called by.
  private let fields: [String: [Int]]
  /// Whether no field is called as any column is.
  let namesNothing: Bool

  /// One record.
  init(_ record: [String], row: Int, _ names: HeaderNames) {
    self.init(record, lastRow: row, depth: 1, names)
  }

  /// A record and the run below it.
  init(_ record: [String], above run: HeaderRun, _ names: HeaderNames) {
    let width = max(record.count, run.texts.count)
    let texts = (0..<width).map { field in
      let text = field < record.count ? record[field] : ""
      let below = field < run.texts.count ? run.texts[field] : ""
      return text.isEmpty || below.isEmpty ? text + below : text + " " + below
    }
    self.init(texts, lastRow: run.lastRow, depth: run.depth + 1, names)
  }

  private init(_ texts: [String], lastRow: Int, depth: Int, _ names: HeaderNames) {
    self.lastRow = lastRow
    self.depth = depth
    self.texts = texts
    fields = Dictionary(grouping: texts.indices.filter { names.literals.contains(texts[$0]) }) { texts[$0] }
    namesNothing =
      fields.isEmpty && !texts.contains { text in names.patterns.contains { $0.matches(text) } }
  }

  /// The fields that the header calls so.
  func fields(called header: HeaderText) -> [Int] {
    if let literal = header.literal { return fields[literal] ?? [] }
    return texts.indices.filter { !texts[$0].isEmpty && header.matches(texts[$0]) }
  }
}

/// All that the versions of a layout call columns: most records of a file's head are data, and hold nothing
/// of it.
struct HeaderNames {
  /// The texts without placeholders.
  let literals: Set<String>
  /// Those with placeholders.
  let patterns: [HeaderText]

  init(_ sought: [SoughtHeader]) {
    let headers = Set(sought.flatMap(\.columns).flatMap(\.headers))
    literals = Set(headers.compactMap(\.literal))
    patterns = headers.filter { $0.literal == nil }
  }
}

/// What a header must say for a version of a layout.
struct SoughtHeader {
  /// What the header calls a column.
  struct Column {
    let headers: [HeaderText]
    /// Whether the header must name it.
    let isNeeded: Bool
  }

  let version: LayoutVersion
  /// For each of the version's ``LayoutVersion/everyColumn``; those that no header names are without headers.
  let columns: [Column]
  /// How many columns a header could name.
  let nameable: Int

  init(_ version: LayoutVersion) {
    self.version = version
    let columns = version.everyColumn
    self.columns = columns.map { column in
      Column(headers: column.place?.headers ?? [], isNeeded: column.place != nil && !column.isOptional)
    }
    nameable = columns.count { $0.place != nil }
  }
}
