import PostgreSQL

/// What a run does where connections were lost.
extension PipelineRun {
  /// The main connection. Where it was lost meanwhile, another run may have taken this one for dead.
  var connection: Connection {
    get throws {
      let connection = try setting.connection
      if setting.connections.renewals != knownRenewals, try state(on: connection) != .running {
        throw RunError.takenOver(run: report.run)
      }
      return connection
    }
  }

  /// Whether a COMMIT whose answer was lost has published the release, or kept it, as was intended.
  func isConcluded() throws -> Bool {
    let connection = try setting.connection
    guard setting.connections.renewals != knownRenewals else { return false }
    return [.published, .staged, .merged].contains(try state(on: connection))
  }

  private func state(on connection: Connection) throws -> RunState? {
    let state = try Ledger(connection: connection).state(of: report.run)
    if state == .running { knownRenewals = setting.connections.renewals }
    return state
  }

  /// Loads again what a crash of the server has taken back: commits of loads are not waited for to reach the disk.
  func loadedAgain(_ outcomes: [SourceLoader.Outcome]) throws -> [SourceLoader.Outcome] {
    let connection = try connection
    guard setting.connections.retry.count > 0 || setting.connections.renewals > 0 else { return outcomes }
    let lost = Set(try missingTables(on: connection))
    guard !lost.isEmpty else { return outcomes }
    var outcomes = outcomes
    let places = loaders.indices.filter { place in
      ([loaders[place].table] + loaders[place].children).contains { lost.contains($0.name) }
    }
    let again = setting.workers.start(
      places.map { loaders[$0] }.map { loader in { connection in try loader.load(on: connection) } })
    for (place, result) in zip(places, again.wait()) { outcomes[place] = try result.get() }
    return outcomes
  }

  /// The error to tell: a table that somebody has dropped is behind many a one.
  func explained(_ error: any Error) -> any Error {
    if let missing = setting.connections.missingRights(behind: error, of: setting.pipeline) { return missing }
    guard RunError.mayMeanMissingTable(error), let connection = try? setting.connection else { return error }
    if let targets = try? missing(tables.keys.sorted(), on: connection), let target = targets.first {
      return RunError.missingTarget(target)
    }
    if let staged = try? missingTables(on: connection), !staged.isEmpty {
      return RunError.stagedTablesLost(staged)
    }
    return error
  }

  private func missingTables(on connection: Connection) throws -> [String] {
    try missing(tables.values.map(\.name).sorted(), on: connection)
  }

  private func missing(_ names: [String], on connection: Connection) throws -> [String] {
    try connection.query(
      "SELECT n FROM unnest($1::text[], $2::text[]) t(n, quoted) WHERE to_regclass(quoted) IS NULL",
      [.textArray(names), .textArray(names.map(Quote.qualified))]
    ).rows.map { try $0.value(0) }
  }
}

extension RunError {
  /// Errors of statements that name a table which is not there.
  static func mayMeanMissingTable(_ error: any Error) -> Bool {
    switch error {
    case let error as PostgreSQLError: error.sqlState == "42P01"
    case RunError.checkFailed, ReleaseOperationError.tableLost: true
    default: false
    }
  }
}
