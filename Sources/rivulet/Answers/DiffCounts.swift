public import PipelineCore
import PipelineEngine
import Reporting
public import Values

/// How many rows differ, as `releases diff` and `run --dry-run` tell it.
extension [TableDiff] {
  /// For people: the tables, then the columns that changed. The names of the sides say which of them lacks a
  /// table.
  func text(from: String, to: String) -> ConsoleText {
    var counts = TextTable(["table", .right("added"), .right("removed"), .right("changed"), ""])
    var columns = TextTable(["table", "changed column", .right("rows")])
    for diff in self {
      if let found = diff.counts {
        counts.add([diff.table, found.added.grouped, found.removed.grouped, found.changed.grouped])
      } else {
        let sides = diff.missingIn.map { $0 == .from ? from : to }.joined(separator: " and ")
        counts.add([diff.table, "-", "-", "-", "not compared: not in \(sides)"])
      }
      for (name, rows) in diff.counts?.columns ?? [] { columns.add([diff.table, name, rows.grouped]) }
    }
    return columns.isEmpty ? counts.text : counts.text + "\n" + columns.text
  }
}

extension TableDiff {
  /// The numbers of rows for scripts.
  ///
  /// `name`: calls a side that lacks the table.
  func json(naming name: (Side) -> String) -> JSON {
    let numbers: JSON = [
      "added": counts?.added, "removed": counts?.removed, "changed": counts?.changed,
      "columns": JSON.object(of: counts?.columns ?? []) { ($0.name, $0.rows) },
    ]
    return numbers + (counts == nil ? ["missing_in": missingIn.map(name)] : [:])
  }
}

extension [TableDiff] {
  /// The numbers of the main table, and under `tables` those of the others.
  ///
  /// `name`: calls a side that lacks a table.
  func json(naming name: (TableDiff.Side) -> String) -> JSON {
    (first?.json(naming: name) ?? [:])
      + ["tables": JSON.object(of: dropFirst()) { ($0.table, $0.json(naming: name)) }]
  }
}

extension StagedDiff: JSONConvertible {
  /// What a dry run would change.
  public var json: JSON {
    ["from": from, "from_revision": fromRevision, "to": to] + tables.json(naming: \.rawValue)
  }
}

/// What a dry run would change, for people.
func text(_ differences: StagedDiff) -> ConsoleText {
  let published = "\(differences.from) revision \(differences.fromRevision)"
  let heading =
    differences.from == differences.to
    ? "against \(published), which it would take the place of:"
    : "\(differences.to) against \(published), the release before it:"
  return heading + "\n\n" + differences.tables.text(from: published, to: "this source")
}

extension ReleaseChange: JSONConvertible {
  /// What a release changes against the one before it.
  public var json: JSON {
    [
      "table": table, "from": from, "from_revision": fromRevision, "added": added, "removed": removed,
      "changed": changed,
    ]
  }
}

/// What a release changes against the one before it, for people.
func text(_ change: ReleaseChange) -> String {
  "rows of \(change.table) against \(change.from) revision \(change.fromRevision): \(change.added.grouped) new, "
    + "\(change.removed.grouped) gone, \(change.changed.grouped) changed\n"
}
