import PostgreSQL

/// The same number of keys has changed of ten million facts, and of one million: what a refresh takes must follow what has
/// changed, not how much there is.
///
/// Nothing is demanded of strewn facts, a page for each of which has to be had from the system where the server's own memory
/// does not hold the table, whoever reads them.
struct ViewGrowthFigure {
  private static let keys = (large: 1_000_000, small: 100_000)
  private static let changed = 10_000
  private static let database = "bench"
  private static let limit = 1.25

  func measure(in workbench: Workbench) throws -> [Figure] {
    try [FactTable.Order.together, .strewn].map { order in
      try measure(
        order, large: FactTable(keys: Self.keys.large, order: order),
        small: FactTable(keys: Self.keys.small, order: order), in: workbench)
    }
  }

  private func measure(
    _ order: FactTable.Order, large: FactTable, small: FactTable, in workbench: Workbench
  ) throws -> Figure {
    let project = try BenchProject(
      in: workbench, named: "\(FigureName.viewGrowth.rawValue)-\(order.rawValue)")
    return try workbench.withDatabase(Self.database) {
      try project.makeFacts([(large, Self.changed), (small, Self.changed)], in: Self.database, workbench)
      let connection = try workbench.connect(to: Self.database)
      var round = 0
      func refresh(_ table: FactTable) throws -> ProgramRun {
        try table.change(Self.changed, round: round, on: connection)
        return try project.refresh(table.view, groups: Self.changed, in: Self.database, workbench)
      }
      let runs = try workbench.compare(
        ours: {
          round += 1
          return try refresh(large)
        }, yardstick: { try refresh(small) })
      for table in [large, small] { try table.view.check([table.view.name], on: connection) }
      let name = FigureName.viewGrowth.rawValue
      return Figure(
        order == .together ? name : "\(name)-\(order.rawValue)", ours: runs.ours.map(\.seconds),
        yardstick: runs.yardstick.map(\.seconds), limit: order == .together ? Self.limit : nil,
        details: [("facts", large.facts), ("facts of the yardstick", small.facts), ("changed", Self.changed)])
    }
  }
}
