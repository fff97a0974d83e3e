import PipelineCore
import PipelineEngine
import Reporting
import Values

/// How many rows differ, as `releases diff` and `run --dry-run` tell it.
extension [TableDiff] {
  /// For people: the tables, then the columns that changed. The names of the sides say which of them lacks a
  /// table.
  func text(from: String, to: String) -> String {
    var counts = TextTable([
      ("table", .left), ("added", .right), ("removed", .right), ("changed", .right), ("", .left),
    ])
    var columns = TextTable([("table", .left), ("changed column", .left), ("rows", .right)])
    for diff in self {
      if let found = diff.counts {
        counts.add([diff.table, found.added.grouped, found.removed.grouped, found.changed.grouped])
      } else {
        let sides = diff.missingIn.map { $0 == .from ? from : to }.joined(separator: " and ")
        counts.add([diff.table, "-", "-", "-", "not compared: not in \(sides)"])
      }
      for (name, rows) in diff.counts?.columns ?? [] { columns.add([diff.table, name, rows.grouped]) }
    }
    return counts.text + (columns.isEmpty ? "" : "\n" + columns.text)
  }
}

extension TableDiff {
  /// The numbers of rows for scripts.
  ///
  /// `name`: calls a side that lacks the table.
  func members(naming name: (Side) -> String) -> [(String, JSON)] {
    [
      ("added", JSON(counts?.added)), ("removed", JSON(counts?.removed)), ("changed", JSON(counts?.changed)),
      ("columns", .object(counts?.columns.map { ($0.name, .integer($0.rows)) } ?? [])),
    ] + (counts == nil ? [("missing_in", .array(missingIn.map { .string(name($0)) }))] : [])
  }
}

/// What a dry run would change, as scripts rely on it.
func json(_ differences: StagedDiff) -> JSON {
  let main = differences.tables.first?.members(naming: \.rawValue) ?? []
  return .object(
    [
      ("from", .string(differences.from)), ("from_revision", .integer(differences.fromRevision)),
      ("to", .string(differences.to)),
    ] + main + [
      (
        "tables",
        .object(
          differences.tables.dropFirst().map { ($0.table, .object($0.members(naming: \.rawValue))) })
      )
    ])
}

/// What a dry run would change, for people.
func text(_ differences: StagedDiff) -> String {
  let published = "\(differences.from) revision \(differences.fromRevision)"
  let heading =
    differences.from == differences.to
    ? "against \(published), which it would take the place of:"
    : "\(differences.to) against \(published), the release before it:"
  return heading + "\n\n" + differences.tables.text(from: published, to: "this source")
}

/// What a release changes against the one before it, as scripts rely on it.
func json(_ change: ReleaseChange) -> JSON {
  .object([
    ("table", .string(change.table)), ("from", .string(change.from)),
    ("from_revision", .integer(change.fromRevision)), ("added", .integer(change.added)),
    ("removed", .integer(change.removed)), ("changed", .integer(change.changed)),
  ])
}

/// The same for people.
func text(_ change: ReleaseChange) -> String {
  "rows of \(change.table) against \(change.from) revision \(change.fromRevision): \(change.added.grouped) new, "
    + "\(change.removed.grouped) gone, \(change.changed.grouped) changed\n"
}
