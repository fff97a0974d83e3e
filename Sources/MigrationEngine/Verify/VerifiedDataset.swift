import Host
import PostgreSQL

/// Whether the migrations of one dataset, with those of the datasets that it needs, do without all others: what
/// they use is made by them.
public struct VerifiedDataset: Sendable {
  /// Its name.
  public let name: String
  /// The datasets that are used, itself among them.
  public let used: [String]
  /// How many migrations there are for them.
  public private(set) var count = 0
  /// What went wrong; nil where nothing did.
  public private(set) var failure: String?
  /// How long it took.
  public private(set) var seconds = 0.0

  /// A dataset that is to be tried with those that it needs.
  public init(name: String, using used: [String]) { (self.name, self.used) = (name, used) }

  /// Whether nothing is wrong.
  public var isPassed: Bool { failure == nil }

  /// Applies what a folder has for it to an empty database, and reverts it as far as it can be.
  ///
  /// - Throws: `PostgreSQLError` where the server is lost, and `Interrupted`.
  func tried(_ folder: MigrationFolder, in server: ShadowServer, on connection: Connection) throws
    -> VerifiedDataset
  {
    var verified = self
    let started = Machine.seconds
    var engine = MigrationEngine(connection: connection, folder: folder.using(used))
    engine.contractHalves = .all
    verified.failure = try server.failure(of: "up", on: connection) {
      try engine.up(.natural) { _, step in verified.count += step.kind == .versioned ? 1 : 0 }
      let done = try engine.status().done
      let last = done.last { folder.migration($0.version)?.down.section == nil }
      if done.last?.version != last?.version { try engine.down(.version(last?.version ?? "0")) { _, _ in } }
    }
    verified.seconds = Machine.seconds - started
    return verified
  }
}
