import MigrationEngine
import Pages
import Reporting
import Values

/// What is to be moved over the servers of a cluster, and what was, for scripts and for people.
enum MoveAnswer {
  static func json(_ planned: [ClusterMoves.Planned]) -> JSON {
    [
      "dry_run": true,
      "tables": JSON.array(of: planned) {
        [
          "table": $0.table, "place": $0.place, "moved": JSON.array(of: $0.tables) { .string($0) },
          "bytes": $0.bytes, "in_the_way": JSON.array(of: $0.faults) { .string($0) },
        ]
      },
    ]
  }

  static func text(_ planned: [ClusterMoves.Planned]) -> ConsoleText {
    TextTable(
      ["table", "goes to", .right("tables"), .right("size"), .prose("in the way")],
      planned.map {
        [
          $0.table, $0.tables.isEmpty ? "is there" : $0.place, $0.tables.count.grouped,
          Double($0.bytes).bytes,
          $0.faults.joined(separator: "; "),
        ]
      }
    ).text(orIfEmpty: "no table is declared to be on other servers\n")
  }

  static func json(_ moved: [ClusterMoves.Moved]) -> JSON {
    [
      "dry_run": false,
      "tables": JSON.array(of: moved) {
        [
          "table": $0.table, "place": $0.place, "moved": JSON.array(of: $0.tables) { .string($0) },
          "rows": $0.rows, "bytes": $0.bytes, "seconds": JSON.seconds($0.seconds),
        ]
      },
    ]
  }

  static func text(_ moved: [ClusterMoves.Moved]) -> ConsoleText {
    TextTable(
      ["table", "is now", .right("tables"), .right("rows"), .right("size"), .right("seconds")],
      moved.map {
        [
          $0.table, $0.place, $0.tables.count.grouped, $0.rows.grouped, Double($0.bytes).bytes,
          JSON.seconds($0.seconds).text,
        ]
      }
    ).text(orIfEmpty: "")
  }

  /// A line of the log for a table that is done.
  static func line(_ moved: ClusterMoves.Moved) -> String {
    "\(moved.table): \(moved.place), \(moved.rows.grouped) rows, \(Double(moved.bytes).bytes), "
      + "\(JSON.seconds(moved.seconds).text) s"
  }
}
