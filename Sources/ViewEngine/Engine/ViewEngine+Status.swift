import Definitions
public import PostgreSQL

extension ViewEngine {
  /// The views of the project as they are in the database, in the order of their names; those that are
  /// defined and not made, too. Of one moment, and nothing is changed.
  /// - Throws: `PostgreSQLError`.
  public func status(on connection: Connection) throws -> [ViewStatus] {
    let isNested = connection.isInTransaction
    return try connection.transaction(
      settings: isNested ? "" : "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    ) {
      let made = try ViewStatus.all(on: connection)
      let missing = definitions.filter { view in !made.contains { $0.name == view.name } }
      return (made + missing.map(ViewStatus.init(unmade:))).sorted { $0.name < $1.name }
    }
  }
}

extension ViewStatus {
  /// A view that is defined and not made.
  fileprivate init(unmade view: ViewDefinition) {
    self.init(
      name: view.name, strategy: view.strategy.rawValue, adds: nil, sumsReason: nil, file: view.file,
      rows: nil, refreshedAt: nil,
      age: nil, asOf: nil,
      freshFor: view.freshFor.map { Double($0.components.seconds) },
      behind: ["it is not made: 'rivulet migrate up' makes it where its tables are there"],
      isStale: view.isStored, pending: 0, queueBytes: 0, warnings: [], definition: view.sql(keys: "{keys}"),
      sources: view.sources.map {
        guard case .groups(let capture, _) = $0.change else {
          return Source(name: $0.name.value, change: "rebuild", capture: [], pending: 0)
        }
        return Source(
          name: $0.name.value, change: "groups", capture: capture.map(\.value), pending: 0)
      }, readBy: [], indexes: [], refreshes: [])
  }
}
