import Records
import Values

extension PipelineDraft {
  /// A file of the draft.
  public struct File: Sendable {
    /// Where it belongs, from the project's folder on.
    public let path: String
    /// What is in it.
    public let text: String
  }

  /// The schema of its own that the draft's table is in.
  public var schema: String { name.split(separator: "-").joined(separator: "_") + "_list" }

  /// The table that its rows go to.
  public var target: String { "\(schema).record" }

  /// The definitions, in `Pipelines/<name>`.
  public var files: [File] {
    [
      File(path: "Pipelines/\(name)/pipeline.yaml", text: pipelineText),
      File(path: "Pipelines/\(name)/layouts/record.yaml", text: layoutText),
    ]
  }

  /// The migration that makes the table.
  public var migrationText: String {
    let columns = columns.map { column in
      "  \"\(column.name)\" \(column.sqlType)\(column.isRequired ? " NOT NULL" : ""),"
    }
    let keys = (["release"] + key).map { "\"\($0)\"" }.joined(separator: ", ")
    return """
      -- \(title): a row per record of \(sampleName.oneLine), a partition per release.

      -- rivulet:up
      CREATE SCHEMA \(schema);
      CREATE TABLE \(target) (
        release text NOT NULL,
      \(columns.joined(separator: "\n"))
        source_file_id bigint NOT NULL,
        source_line bigint NOT NULL,
        CONSTRAINT record_key PRIMARY KEY (\(keys))
      ) PARTITION BY LIST (release);

      -- rivulet:down
      DROP TABLE \(target);
      DROP SCHEMA \(schema);

      -- rivulet:verify
      SELECT \(self.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")) FROM \(target) WHERE false;

      """
  }

  private var title: String {
    let words = name.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private var pipelineText: String {
    var lines = [
      "# Drafted from \(sampleName.oneLine): read it, and correct what one file could not tell.",
      "pipeline: \(name)",
      "title: \(title)",
      "",
      "# A file is called for its day: \(name)-2025-11-20.\(format) is the release \(name)-2025-11-20.",
      "release:",
      "  case: lower",
      "  from:",
      "    - {in: entry-name, source: record, pattern: '(\\d{4})-?(\\d{2})-?(\\d{2})', name: '\(name)-$1-$2-$3'}",
      "  effective:",
      "    - {pattern: '.*-(\\d{4}-\\d{2}-\\d{2})', from: '$1'}",
      "",
      "sources:",
      "  - name: record",
      "    entries: '*'",
      "    formats: [\(format)]",
    ]
    if let delimiter, delimiter != DelimitedFormat.usualDelimiters[0] {
      lines.append("    delimiter: \(DelimitedFormat.name(of: delimiter))")
    }
    lines += [
      "    layouts: record", "    target: \(target)", "    key: [\(key.joined(separator: ", "))]",
      "    expect: {rows: {min: 1}}", "",
    ]
    if !misfits.isEmpty {
      lines += [
        "# Records of the sample with other fields than the header: \(misfits.lines). Correct them, or allow as many here:",
        "# rejects: {allow: \(misfits.count)}",
      ]
    }
    lines += ["rejects: {allow: 0}", "publish: release", ""]
    return lines.joined(separator: "\n")
  }

  private var layoutText: String {
    var lines = [
      "# Columns are found by what the file calls them; types by the look of \(records) records.",
      "layout: record",
      "versions:",
      "  - version: '1'",
    ]
    if !way.isEmpty { lines.append("    records: \(way.joined(separator: ".").yaml)") }
    if !marks.isEmpty {
      lines += [
        "    # In the sample: \(marks.map(\.oneLine).joined(separator: "  "))", "    placeholders: common",
      ]
    }
    if footnotes > 0 { lines += ["    skip:", "      - {rule: footnote, when: single-field}"] }
    lines.append("    columns:")
    for column in columns {
      if let remark = column.remark { lines.append("      # \(column.name): \(remark)") }
      lines.append("      - {\(column.definition)}")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension DraftColumn {
  /// What is between the braces of a layout's column.
  fileprivate var definition: String {
    var parts = ["name: \(name)"]
    parts.append(place.definition)
    if place == .recordNumber { return parts.joined(separator: ", ") }
    parts.append("type: \(type.yaml)")
    if isRequired { parts.append("required: true") }
    if isShared { parts.append("shared: true") }
    if blanksInvalid { parts.append("invalid: blank") }
    if !blankWords.isEmpty { parts.append("blank_when: \(blankWords.yaml)") }
    return parts.joined(separator: ", ")
  }
}

extension [String] {
  /// The list of the texts.
  var yaml: String { "[\(map(\.yaml).joined(separator: ", "))]" }
}

extension ValueType {
  /// The type, between quotes where YAML would take it apart.
  var yaml: String { "\(self)".contains { "(,".contains($0) } ? "\(self)".yaml : "\(self)" }
}
