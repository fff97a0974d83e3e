import Definitions
import MigrationEngine
import Pages
import PipelineEngine
import Reporting
import Store
import ViewEngine

/// What is in the database: views, tables, migrations.
extension ReportValues {
  var viewsSection: PageSection {
    let table = PageTable(
      "How fresh the derived views are",
      [
        "View", "Strategy", "State", .right("Rows"), "Shows the time", .right("Pending"),
        .right("Last refresh took"),
        "Waits for",
      ],
      views.map { view in
        [
          PageCell(view.name), PageCell(view.strategy),
          PageCell(view.state, tone: view.behind.isEmpty ? .good : view.isStale ? .bad : .warning),
          PageCell(view.rows), PageCell(times[view.refreshedAt]),
          view.strategy == "live" ? "" : PageCell(view.pending), .seconds(view.refreshes.first?.seconds),
          PageCell(view.behind.joined(separator: "; ")),
        ]
      }, ifEmpty: "The project has no views.")
    return PageSection(
      "Views", id: "views",
      [
        .text(
          "A view is exact or live, behind where something waits to be computed, or stale where it waits for "
            + "longer than its definition allows."
        ), .table(table),
      ])
  }

  var tablesSection: PageSection {
    let table = PageTable(
      "Tables of releases",
      [
        "Table", "Dataset", .right("Size"), .right("Rows published"), .right("Releases"), .right("Rows kept"),
        .right("Newest release"), .right("Growth"),
      ],
      tables.map { table in
        let growth = zip(table.newest, table.before).flatMap { newest, before in
          before > 0 ? 100 * (Double(newest) - Double(before)) / Double(before) : nil
        }
        return [
          PageCell(table.name), PageCell(table.pipeline), .bytes(table.bytes), PageCell(table.published),
          PageCell(table.releases), PageCell(table.kept), PageCell(table.newest), .percent(growth),
        ]
      }, ifEmpty: "No table has a release.")
    var blocks: [PageBlock] = [
      .facts([
        .init("The database takes", .bytes(sizes.database)),
        .init("Of this the ledger and the rejects", .bytes(sizes.ledger)),
      ]),
      .text(
        "Sizes are with indexes. Rows kept are those of revisions that were replaced, rolled back or staged. "
          + "Growth is that of the newest release against the one before it."
      ),
      .table(table),
    ]
    if !growth.isEmpty { blocks.append(.figure(growthFigure)) }
    if !merged.isEmpty { blocks.append(.table(mergedTable)) }
    return PageSection("Tables", id: "tables", blocks)
  }

  /// Of what is stored, how much was there at the end of each month.
  private var growthFigure: Figure {
    let months = Array(Set(growth.map(\.month))).sorted()
    let names = Array(Set(growth.map(\.pipeline))).sorted()
    let series = names.map { name in
      var sum = 0
      return (
        name: name,
        sums: months.map { month -> Int in
          sum += growth.first { $0.month == month && $0.pipeline == name }?.rows ?? 0
          return sum
        }
      )
    }
    let table = PageTable(
      "Rows stored by the end of each month", ["Month"] + names.map { .right($0) },
      months.enumerated().map { index, month in [PageCell(month)] + series.map { PageCell($0.sums[index]) } })
    return Figure(
      "Growth", "Rows of the releases that are stored now, by the month in which they were loaded, added up.",
      chart: LineChart(months, series.map { .init($0.name, $0.sums.map(Double.init)) }), table: table)
  }

  private var mergedTable: PageTable {
    PageTable(
      "Tables that exports are merged into",
      [
        "Table", "Dataset", .right("Size"), .right("Runs"), .right("Inserted"), .right("Updated"),
        .right("Deleted"),
        "Last merge",
      ],
      merged.map {
        [
          PageCell($0.name), PageCell($0.pipeline), .bytes($0.bytes), PageCell($0.runs),
          PageCell($0.inserted),
          PageCell($0.updated), PageCell($0.deleted), PageCell(times[$0.last]),
        ]
      })
  }

  var migrationsSection: PageSection {
    if migrations.isEmpty {
      return PageSection("Migrations", id: "migrations", [.text("The project has no migrations.")])
    }
    return PageSection(
      "Migrations", id: "migrations", migrations.map { .table(table($0.history, $0.status)) })
  }

  /// The migrations of one history.
  private func table(_ history: String, _ migrations: MigrationStatus) -> PageTable {
    var table = PageTable(
      history.isEmpty ? "Migrations" : "Migrations of \(history)",
      ["Version", "Name", "State", "Applied", .right("Took")], ifEmpty: "There are no migrations.")
    for row in migrations.applied {
      let state = row.isBaseline ? "baseline" : row.state.rawValue
      let tone: Tone =
        switch row.state {
        case .applied: .good
        case .late: .neutral
        case .changed, .missing, .partial: .bad
        }
      table.add([
        row.kind == .versioned ? PageCell(row.version) : "repeatable", PageCell(row.name),
        PageCell(state, tone: tone), PageCell(times[row.appliedAt]), .seconds(row.seconds),
      ])
    }
    for row in migrations.pending + migrations.pendingRepeatables {
      table.add([
        row.kind == .versioned ? PageCell(row.version) : "repeatable", PageCell(row.name),
        PageCell("pending", tone: .warning), "", "",
      ])
    }
    return table
  }

  private func zip(_ left: Int?, _ right: Int?) -> (Int, Int)? {
    guard let left, let right else { return nil }
    return (left, right)
  }
}
