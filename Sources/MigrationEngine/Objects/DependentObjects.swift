public import PostgreSQL

/// What hangs on tables and is not a migration's business, such as derived views: a migration that cannot
/// change a table because of it asks for it to be let go, in the same transaction.
public protocol DependentObjects {
  /// Drops what depends on tables; true when there was anything to drop.
  /// - Throws: `PostgreSQLError`, and errors of its own.
  func release(on connection: Connection) throws -> Bool
  /// Makes again what can be made of what was dropped.
  /// - Throws: `PostgreSQLError`, and errors of its own.
  func restore(on connection: Connection) throws
  /// Drops what watches tables, each as `schema.name` with neither part quoted, and what is computed from them: it
  /// cannot go with them to other servers. It is made again afterwards, in another transaction.
  /// - Throws: `PostgreSQLError`, and errors of its own.
  func remove(reading tables: [String], on connection: Connection) throws
  /// Corrects what watches tables where these have changed, such as a trigger that names a column that is no
  /// more. Called before a transaction is committed that holds a migration or several, in the session as they
  /// left it.
  /// - Throws: `PostgreSQLError`, and errors of its own.
  func settle(on connection: Connection) throws
  /// Drops what belonged to tables that are gone.
  /// - Throws: `PostgreSQLError`, and errors of its own.
  func clearOrphans(on connection: Connection) throws
  /// The relations that are not a migration's business, each as `schema.name` with neither part quoted; asked
  /// of a database that has the schema `rivulet`.
  /// - Throws: `PostgreSQLError`, and errors of its own.
  func relations(on connection: Connection) throws -> Set<String>
}
