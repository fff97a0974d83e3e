import Host

/// The migrations of a folder, read and put in order.
public struct MigrationFolder: Sendable {
  /// SQL that runs around migrations, as Flyway's callbacks do.
  public struct Callbacks: Sendable {
    /// Before the first pending migration of an `up`.
    public var beforeMigrate: [Migration.Section] = []
    /// Before each migration, in its transaction.
    public var beforeEachMigrate: [Migration.Section] = []
    /// After each migration, in its transaction.
    public var afterEachMigrate: [Migration.Section] = []
    /// After the last migration of an `up`.
    public var afterMigrate: [Migration.Section] = []

    /// None.
    public init() {}

    /// All of them, whenever they run.
    var all: [Migration.Section] { beforeMigrate + beforeEachMigrate + afterEachMigrate + afterMigrate }
  }

  /// Whose rules its files follow.
  public internal(set) var format = MigrationFormat.rivulet
  /// Whether the files are in our own format.
  public var isOwnFormat: Bool { format == .rivulet }
  /// sqitch's name of the project; nil in every other format.
  var project: String?
  /// The version of Flyway's `B` file, which replaces all files up to it; nil where there is none.
  var standsForAllUpTo: String?
  /// The folder's path.
  public let path: String
  /// Versioned ones, in order.
  public let migrations: [Migration]
  /// Repeatable ones, in order of name.
  public var repeatables: [Migration] = []
  /// What runs around them.
  public var callbacks = Callbacks()
  /// The order of versions.
  public let order: VersionOrder
  private let places: [VersionKey: Int]

  /// Migrations as read by one of the formats; throws where two claim one version.
  init(path: String, migrations: [Migration], order: VersionOrder = .numeric) throws(MigrationError) {
    self.path = path
    self.order = order
    let keyed = migrations.map { (order.key($0.version), $0) }.sorted { $0.0 < $1.0 }
    for (left, right) in zip(keyed, keyed.dropFirst()) where left.0 == right.0 {
      throw MigrationError.sameVersion(version: right.1.version, files: [left.1.file, right.1.file])
    }
    self.migrations = keyed.map(\.1)
    places = Dictionary(uniqueKeysWithValues: zip(keyed.map(\.0), keyed.indices))
  }

  /// The migration of a version, however its zeros are written.
  public func migration(_ version: String) -> Migration? {
    places[order.key(version)].map { migrations[$0] }
  }
}
