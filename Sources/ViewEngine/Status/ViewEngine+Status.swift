public import PostgreSQL

extension ViewEngine {
  /// The views of the project as they stand in the database, in the order of their names.
  public func status(on connection: Connection) throws -> [ViewStatus] {
    []
  }
}
