/// Something that can be wrong with a set-up, and how it is looked at.
public struct SetupCheck: Sendable {
  /// What a check is about; the order is that of the answer.
  public enum Group: String, Sendable, CaseIterable {
    /// The project and its files.
    case definitions
    /// The database, as it is reached, and its server.
    case server
    /// What the role may do, and what a migration needs.
    case rights
    /// Who is at work, and who is in whose way.
    case sessions
    /// The tables of the database.
    case tables
    /// Room on disks.
    case storage
    /// What was loaded, and what is computed from it.
    case data
    /// This machine.
    case machine
  }

  /// What it is called with: `disk`.
  public let name: String
  /// What it is about.
  public let group: Group
  /// Why it matters, in a sentence.
  public let reason: String
  /// Gives what it finds, one thing at least; what it throws is why it could not look.
  let look: @Sendable (Subject) throws -> [Finding]

  init(
    _ name: String, _ group: Group, because reason: String,
    look: @escaping @Sendable (Subject) throws -> [Finding]
  ) {
    (self.name, self.group, self.reason, self.look) = (name, group, reason, look)
  }

  /// All that there are, in the order of the answer. Another one is a file, and a line here.
  public static let all: [SetupCheck] = [
    project, pipelines, migrations, viewDefinitions, watchedFolders, notify,
    connection, pooler, serverVersion, ledger, encoding, collation, writable, timeouts, timeZone, clock,
    cluster,
    rights, owners, roles, extensions,
    locks, transactions, unfinishedRuns,
    indexes, constraints, autovacuum, statistics, wraparound,
    localDisk, serverDisk, queues, retention,
    freshness, views,
    libraries, programs,
  ]
}
