import MigrationEngine
import Reporting
import Values

extension BatchOutcome {
  /// `12,345 rows of app.visit in 3 batches`.
  var line: String {
    "\(rows.grouped) row\(rows == 1 ? "" : "s") of \(table) in \(batches.grouped) batch\(batches == 1 ? "" : "es")"
  }

  var json: JSON { ["table": table, "rows": rows, "batches": batches] }
}

extension PlannedBatches {
  /// `in 3 batches of 5,000 rows of app.visit (about 12,345 rows): UPDATE app.visit`.
  var line: String {
    let count = count.map { "\($0.grouped) batch\($0 == 1 ? "" : "es")" } ?? "batches"
    return
      "in \(count) of \(size.grouped) row\(size == 1 ? "" : "s") of \(table) (\(rows.text)): \(statement)"
  }

  var json: JSON {
    [
      "statement": statement, "table": table, "rows": rows.known.count, "counted": rows.known.isCounted,
      "size": size, "batches": count,
    ]
  }
}

extension BatchState {
  /// `5,000 of 12,345 rows, 40%`.
  var line: String {
    guard let totalRows, let share else { return "\(rows.grouped) rows" }
    return "\(rows.grouped) of \(totalRows.grouped) rows, \(ProgressUnits.percent(share))"
  }

  var json: JSON {
    [
      "rows": rows, "total": totalRows, "percent": share.map { Int($0 * 100) }, "changed": changedRows,
      "batches": batches,
    ]
  }
}
