import Host
import PostgreSQL

extension MigrationFolder {
  /// Why files of the folder cannot be run, in the order of the folder: what only asks what there is works all
  /// the same.
  public var complaints: [MigrationError] {
    var found = strays
    for migration in [migrations, repeatables].joined() {
      found += migration.faults
      if !isOwnFormat, let misplaced = migration.up.misplacedHalf { found.append(misplaced) }
    }
    for (_, sections) in callbacks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      found += sections.compactMap(\.fault)
    }
    return found
  }

  /// Every file can be run.
  ///
  /// - Throws: the complaint; all of them as `MigrationError.several`.
  public func requireRunnable() throws(MigrationError) {
    try MigrationError.requireNone(of: complaints)
  }

  /// Every file can be run, and what placeholders stand for that only a server knows is known.
  ///
  /// - Throws: as ``requireRunnable()``, and `PostgreSQLError`.
  func prepare(for connection: Connection) throws {
    try requireRunnable()
    let asksServer =
      [migrations, repeatables].joined().contains {
        $0.up.asksServer || $0.down.section?.asksServer == true
      } || callbacks.values.joined().contains(where: \.asksServer)
    if asksServer { try values.addDefaults(of: connection) }
  }
}

extension Migration.Section {
  /// That a file of another tool has a section of ours, which would be run as one with what is before it.
  fileprivate var misplacedHalf: MigrationError? {
    let mark = MigrationParser.marker + Migration.Half.contract.rawValue
    guard sql.hasBytes(of: mark),
      let line = SectionedText.lines(sql).firstIndex(where: { $0.hasPrefix(mark) })
    else { return nil }
    let place = origin(self.line + line)
    return .unfit(
      place.file, line: place.line, "only files of rivulet's own have halves", "take the file's halves apart")
  }

  /// Whether it may have placeholders whose values only a server knows.
  fileprivate var asksServer: Bool {
    switch options.placeholders {
    case nil: false
    case .braces?: sql.contains("${" + PlaceholderValues.ownPrefix)
    case .psql?: sql.contains("DBNAME") || sql.contains("USER")
    }
  }
}

extension Migration {
  /// A migration of a file; one that cannot be read as it is has its text all the same, and
  /// ``Section/fault`` says what is wrong.
  static func read(
    _ file: MigrationFile, version: String, name: String,
    _ parse: (String) throws(MigrationError) -> Migration
  ) throws(FileError) -> Migration {
    try reading(file, parse) { unread($0, file, version, name, $1) }
  }

  /// The same for a file that may have halves.
  static func readHalves(
    _ file: MigrationFile, version: String, name: String,
    _ parse: (String) throws(MigrationError) -> [Migration]
  ) throws(FileError) -> [Migration] {
    try reading(file, parse) { [unread($0, file, version, name, $1)] }
  }

  private static func reading<Read>(
    _ file: MigrationFile, _ parse: (String) throws(MigrationError) -> Read,
    otherwise: (String, MigrationError) -> Read
  ) throws(FileError) -> Read {
    let (text, fault) = try file.textOrFault()
    do throws(MigrationError) {
      if let fault { throw fault }
      return try parse(text)
    } catch {
      return otherwise(text, error)
    }
  }

  private static func unread(
    _ text: String, _ file: MigrationFile, _ version: String, _ name: String, _ fault: MigrationError
  ) -> Migration {
    var section = Section(sql: text, file: file.path)
    section.fault = fault
    return Migration(version: version, name: name, up: section, down: .missing)
  }
}
