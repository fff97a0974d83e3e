import PostgreSQL
import SQLText

/// Watches migrations from inside, as a plan does that wants to know their locks.
protocol MigrationObserver: AnyObject {
  /// Before the first statement; in the migration's transaction, where it has one.
  func willRun(on connection: Connection) throws
  /// After each statement of a migration that runs statement by statement; in the statement's transaction,
  /// where it has one.
  func didRun(_ statement: SQLStatement, of work: SectionWork, on connection: Connection) throws
  /// After the last statement; in the migration's transaction, where it has one, and before its commit.
  func didRun(_ migration: Migration, on connection: Connection) throws
}
