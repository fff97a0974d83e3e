import MigrationEngine
import Reporting
import Values

extension DataLoss {
  /// `drops table app.fee (about 5,001 rows)`.
  var line: String { "\(self) (\(rows.text))" }

  var json: JSON {
    [
      "loss": word, "table": table, "column": column, "rows": rows.known.count,
      "counted": rows.known.isCounted,
    ]
  }

  private var word: String {
    switch kind {
    case .table: "drop_table"
    case .column: "drop_column"
    case .truncation: "truncate"
    case .deletion: "delete"
    case .narrowing: "narrow_column"
    }
  }
}

extension DataLoss.Rows {
  /// The number, and whether it was counted.
  var known: (count: Int?, isCounted: Bool) {
    switch self {
    case .counted(let count): (count, true)
    case .about(let count), .moreThan(let count): (count, false)
    case .unknown: (nil, false)
    }
  }

  var text: String {
    switch self {
    case .counted(let count): DataLoss.Rows.text(count)
    case .about(let count): "about \(DataLoss.Rows.text(count))"
    case .moreThan(let count): "more than \(DataLoss.Rows.text(count))"
    case .unknown: "rows unknown: never analysed"
    }
  }

  private static func text(_ count: Int) -> String { "\(count.grouped) row\(count == 1 ? "" : "s")" }
}
