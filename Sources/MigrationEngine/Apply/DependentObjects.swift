public import PostgreSQL

/// What hangs on tables and is not a migration's business, such as derived views: a migration that cannot
/// change a table because of it asks for it to be let go, in the same transaction.
public protocol DependentObjects {
  /// Drops what depends on tables; true when there was anything to drop.
  func release(on connection: Connection) throws -> Bool
  /// Makes again what can be made of what was dropped.
  func restore(on connection: Connection) throws
  /// Corrects what watches tables where these have changed, such as a trigger that names a column that is no
  /// more. Called before a transaction is committed that holds a migration or several, in the session as they
  /// left it.
  func settle(on connection: Connection) throws
  /// Drops what belonged to tables that are gone.
  func clearOrphans(on connection: Connection) throws
  /// The relations that are not a migration's business, each as `schema.name` with neither part quoted; asked
  /// of a database that has the schema `rivulet`.
  func relations(on connection: Connection) throws -> Set<String>
}

/// Nothing hangs on the tables.
public struct NoDependentObjects: DependentObjects {
  /// Nothing.
  public init() {}
  /// Nothing to drop.
  public func release(on connection: Connection) throws -> Bool { false }
  /// Nothing to make.
  public func restore(on connection: Connection) throws {}
  /// Nothing to correct.
  public func settle(on connection: Connection) throws {}
  /// Nothing to drop.
  public func clearOrphans(on connection: Connection) throws {}
  /// None.
  public func relations(on connection: Connection) throws -> Set<String> { [] }
}
