import Definitions
public import PostgreSQL

extension ViewEngine {
  /// Holds every definition against the database, and changes nothing: what is wrong, and what of a source
  /// would be read as a whole at each refresh, for want of an index.
  /// - Throws: `PostgreSQLError`.
  public func check(on connection: Connection) throws -> (problems: [ViewProblem], warnings: [ViewProblem]) {
    var problems: [ViewProblem] = []
    var warnings: [ViewProblem] = []
    struct Done: Error {}
    do {
      try connection.transaction {
        problems = try inTurns(definitions, on: connection, leavingOut: { _ in true }) { view in
          warnings += try check(view, on: connection)
        }
        throw Done()
      }
    } catch is Done {}
    return (problems, warnings)
  }

  /// Makes a view as far as it takes to know that it can be made; gives what might be better.
  private func check(_ view: ViewDefinition, on connection: Connection) throws -> [ViewProblem] {
    let isThere: Bool = try connection.query(
      "SELECT rivulet.relation($1) IS NOT NULL", [.text(view.name)])[0].value(0)
    let twin = "rivulet.view_in_check"
    guard view.isStored else {
      try view.createView(isThere ? twin : view.name, on: connection)
      if isThere { try connection.execute("DROP VIEW \(Quote.qualified(twin))") }
      return []
    }
    let checked = try CheckedView(view, twin: twin, on: connection)
    let (sums, _) = try StoredSums.find(for: checked, number: 0, on: connection)
    let warnings = try sums?.missingIndexes(checked) ?? IndexUse(checked, on: connection).warnings
    if let sums { try StoredSums.drop(sums.number, on: connection) }
    if !isThere {
      try connection.execute(
        "CREATE TABLE \(Quote.qualified(view.name)) AS TABLE \(Quote.qualified(twin)) WITH NO DATA")
    }
    try connection.execute("DROP VIEW \(Quote.qualified(twin))")
    return warnings.map { ViewProblem(view, at: nil, $0) }
  }
}
