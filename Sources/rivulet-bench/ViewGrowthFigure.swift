import PostgreSQL

/// The same number of keys has changed of ten million facts, and of one million: what a refresh takes must
/// follow what has changed, not how much there is.
///
/// A key's facts are together: of strewn ones a page each has to be had from the system where the server's
/// own memory does not hold the table, however they are read.
struct ViewGrowthFigure {
  private static let large = FactTable(keys: 1_000_000, order: .together)
  private static let small = FactTable(keys: 100_000, order: .together)
  private static let changed = 10_000
  private static let database = "bench"
  private static let limit = 1.25

  func measure(in workbench: Workbench) throws -> [Figure] {
    let name = FigureName.viewGrowth.rawValue
    let project = try BenchProject(in: workbench, named: name)
    let (large, small) = (Self.large, Self.small)
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
      return [
        Figure(
          name, ours: runs.ours.map(\.seconds), yardstick: runs.yardstick.map(\.seconds), limit: Self.limit,
          details: [
            ("facts", large.facts), ("facts of the yardstick", small.facts), ("changed", Self.changed),
          ])
      ]
    }
  }
}
