import Host

/// The migrations of a folder, read and put in order.
public struct MigrationFolder: Sendable {
  /// When SQL of a folder runs around migrations, as Flyway's callbacks do.
  public enum Event: String, Sendable, CaseIterable {
    /// Before the first pending migration of an `up`.
    case beforeMigrate
    /// Before each migration, in its transaction.
    case beforeEachMigrate
    /// After each migration, in its transaction.
    case afterEachMigrate
    /// After the last migration of an `up` that has applied one.
    case afterMigrateApplied
    /// After the last migration of an `up`.
    case afterMigrate
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
  /// The name of its history, for a folder beside others; empty for that of the project.
  public var history = ""
  /// The schema that it is run in; nil where it says itself where it goes.
  public internal(set) var schema: String?
  /// Versioned ones, in order.
  public internal(set) var migrations: [Migration]
  /// Repeatable ones, in order of name.
  public var repeatables: [Migration] = []
  /// What runs around them.
  public var callbacks: [Event: [Migration.Section]] = [:]
  /// What the placeholders of all files stand for.
  public internal(set) var values: PlaceholderValues
  /// Files that cannot be taken for migrations, and why.
  var strays: [MigrationError] = []
  /// The datasets that the database uses, sorted; nil for all. Migrations of none of them are not applied.
  public private(set) var datasets: [String]?
  /// The order of versions.
  public let order: VersionOrder
  private let places: [VersionKey: Int]

  /// Migrations as read by one of the formats.
  ///
  /// - Throws: `MigrationError.sameVersion`.
  init(
    path: String, migrations: [Migration], order: VersionOrder = .numeric,
    values: PlaceholderValues = PlaceholderValues()
  ) throws(MigrationError) {
    self.path = path
    self.values = values
    self.order = order
    let keyed = migrations.map { (order.key($0.version), $0) }.sorted { $0.0 < $1.0 }
    for (left, right) in zip(keyed, keyed.dropFirst()) where left.0 == right.0 {
      throw MigrationError.sameVersion(version: right.1.version, files: [left.1.file, right.1.file])
    }
    self.migrations = keyed.map(\.1)
    places = Dictionary(uniqueKeysWithValues: zip(keyed.lazy.map(\.0), keyed.indices))
  }

  /// The migration of a version, however its zeros are written.
  public func migration(_ version: String) -> Migration? { migration(order.key(version)) }

  /// The migration of a version.
  func migration(_ key: VersionKey) -> Migration? { place(key).map { migrations[$0] } }

  /// Where in ``migrations`` that of a version is.
  func place(_ key: VersionKey) -> Int? { places[key] }

  /// The migrations up to a version.
  ///
  /// - Throws: `MigrationError.unknownVersion`.
  func migrations(upTo version: String) throws(MigrationError) -> [Migration] {
    guard migration(version) != nil else {
      throw .unknownVersion(version, known: migrations.map(\.version))
    }
    return migrations.filter { !order.precedes(version, $0.version) }
  }
}

extension MigrationFolder {
  /// The folder for a database that uses some datasets, of all that there are; nil for all of them.
  ///
  /// - Throws: `MigrationError.malformed` where a migration is for a dataset that there is not: it would never
  ///   be applied.
  public func using(_ datasets: [String]?, of all: [String]) throws(MigrationError) -> MigrationFolder {
    for migration in migrations + repeatables {
      guard let name = migration.datasets.first(where: { !all.contains($0) }) else { continue }
      throw .unfit(
        migration.file, "it is for the dataset '\(name)', and there is no such dataset",
        "name a folder of Pipelines in its line '-- rivulet:datasets'")
    }
    return using(datasets)
  }

  /// The folder for a database that uses some datasets; nil for all.
  public func using(_ datasets: [String]?) -> MigrationFolder {
    var folder = self
    folder.datasets = datasets
    return folder
  }

  /// Whether any migration is for some datasets only.
  public var hasDatasets: Bool { (migrations + repeatables).contains { !$0.datasets.isEmpty } }

  /// Whether a migration is for a dataset that the database uses, or for every database.
  func uses(_ migration: Migration) -> Bool {
    guard let datasets, !migration.datasets.isEmpty else { return true }
    return datasets.contains(where: migration.datasets.contains)
  }

  /// Reads every `NNNN_snake_case_name.sql` and `R_name.sql`; other files are ``complaints``, so that a
  /// misnamed one is never silently left out (names that begin with a dot, and anything but `.sql`, are none of
  /// ours).
  ///
  /// - Throws: `MigrationError.sameVersion`, and `FileError`.
  public init(_ folder: String, values: PlaceholderValues = PlaceholderValues()) throws {
    try self.init(folder, names: nil, values: values)
  }

  /// The same of a folder whose names may be known.
  init(_ folder: String, names: [String]?, values: PlaceholderValues) throws {
    var versioned: [Migration] = []
    var repeatable: [Migration] = []
    var strays: [MigrationError] = []
    var hooks: [Event: [Migration.Section]] = [:]
    let files = try MigrationFile.scripts(in: folder, names: names)
    // A folder of thousands of files is read by two.
    for file in try files.map(onThreads: files.count < 100 ? 1 : 2, { try FolderFile($0, values) }) {
      switch file {
      case .hook(let event, let section): hooks[event, default: []].append(section)
      case .stray(let error): strays.append(error)
      case .migrations(let migrations): versioned += migrations
      case .repeatable(let migrations): repeatable += migrations
      }
    }
    try self.init(path: folder, migrations: versioned, values: values)
    repeatables = repeatable.sorted { $0.name < $1.name }
    callbacks = hooks
    self.strays = strays
  }

  /// The version, nil for a repeatable one, and the name.
  static func parts(of file: String) -> (version: String?, name: String)? {
    let stem = file.dropLast(4)
    guard let underscore = stem.firstIndex(of: "_") else { return nil }
    let version = stem[..<underscore]
    let name = stem[stem.index(after: underscore)...]
    let isNumber = !version.isEmpty && version.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber || version == "R", isName(name) else { return nil }
    return (isNumber ? String(version) : nil, String(name))
  }

  /// Small letters, digits and underscores.
  static func isName(_ name: some StringProtocol) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f }
  }
}
