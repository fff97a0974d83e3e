import Host

/// Reads Flyway's `V`, `U`, `B` and `R__` files and its callbacks, in the folder and in those below it.
struct FlywayFolder {
  let path: String
  let placeholders: Placeholders

  private typealias Named = (name: FlywayName, file: MigrationFile)

  init(path: String, placeholders: [String: String]) {
    self.path = path
    self.placeholders = Placeholders(values: placeholders)
  }

  func read() throws -> MigrationFolder {
    let files = try MigrationFile.tree(path)
    let settings = try settings(files)
    let scripts = try named(files)
    func section(_ file: MigrationFile) throws -> Migration.Section {
      try self.section(file, settings[file.path] ?? FlywayScriptSettings())
    }
    var migrations: [Migration] = []
    for (version, script) in try versioned(scripts) {
      let ways = scripts.filter { FlywayFolder.undoes($0, version) }
      if ways.count > 1 { throw MigrationError.sameVersion(version: version, files: ways.map(\.file.path)) }
      let down = try ways.first.map { Migration.Down.sql(try section($0.file)) } ?? .missing
      migrations.append(
        Migration(version: version, name: script.name.description, up: try section(script.file), down: down))
    }
    var folder = try MigrationFolder(path: path, migrations: migrations)
    folder.standsForAllUpTo = scripts.lazy.compactMap(FlywayFolder.baseline).first
    try requireWaysForward(scripts, folder)
    for script in scripts {
      switch script.name.role {
      case .repeatable:
        let name = script.name.description
        var migration = Migration(version: name, name: name, up: try section(script.file), down: .missing)
        migration.kind = .repeatable
        folder.repeatables.append(migration)
      case .callback(let event): try folder.callbacks.add(event, try section(script.file))
      case .versioned, .undo, .baseline: break
      }
    }
    try order(&folder.repeatables)
    return folder
  }

  // MARK: Names

  /// Every script with what its name says; what Flyway would run and we cannot, and what it would leave out,
  /// is refused.
  private func named(_ files: [MigrationFile]) throws(MigrationError) -> [Named] {
    var scripts: [Named] = []
    for file in files {
      if let ending = FlywayName.program(file.name) {
        throw .unfit(
          file: file.path, message: "this migration is a program (.\(ending)), and rivulet runs SQL",
          hint: "write what it does as SQL, or let Flyway run this folder")
      }
      guard file.name.hasSuffix(".sql") else { continue }
      guard let name = FlywayName(stem: file.name.dropLast(".sql".count)) else {
        throw .unfit(
          file: file.path, message: "not a name that Flyway takes, so it would leave the file out",
          hint: "name it like V1.2__add_fees.sql, U1.2__add_fees.sql or R__views.sql, with two underscores")
      }
      scripts.append((name, file))
    }
    return scripts
  }

  /// Those to be applied by version. A `B` file counts where it is alone with what comes after it.
  private func versioned(_ scripts: [Named]) throws(MigrationError) -> [(String, Named)] {
    let order = VersionOrder.numeric
    var found: [(String, Named)] = []
    for script in scripts {
      if case .versioned(let version) = script.name.role { found.append((version, script)) }
    }
    for script in scripts {
      guard let version = FlywayFolder.baseline(script) else { continue }
      if let earlier = found.first(where: { !order.precedes(version, $0.0) }) {
        throw .unfit(
          file: script.file.path,
          message: "this replaces all up to version \(version), and \(earlier.1.file.path) is there too",
          hint: "move away either this file, or all that it replaces")
      }
      found.append((version, script))
    }
    return found
  }

  private static func baseline(_ script: Named) -> String? {
    if case .baseline(let version) = script.name.role { return version }
    return nil
  }

  private static func undoes(_ script: Named, _ version: String) -> Bool {
    if case .undo(let other) = script.name.role { return VersionOrder.numeric.isSame(version, other) }
    return false
  }

  private func requireWaysForward(_ scripts: [Named], _ folder: MigrationFolder) throws(MigrationError) {
    for script in scripts {
      guard case .undo(let version) = script.name.role, folder.migration(version) == nil else { continue }
      throw .unfit(
        file: script.file.path, message: "there is no way forward of version \(version)",
        hint: "add V\(version)__\(script.name.description).sql, or take this file away")
    }
  }

  /// By description, in which Flyway reads an underscore as a blank.
  private func order(_ repeatables: inout [Migration]) throws(MigrationError) {
    let description = { (migration: Migration) in migration.name.replacing("_", with: " ") }
    repeatables.sort { description($0) < description($1) }
    for (one, next) in zip(repeatables, repeatables.dropFirst()) where description(one) == description(next) {
      throw .sameVersion(version: "R__" + next.name, files: [one.file, next.file])
    }
  }

  // MARK: Content

  /// What the `.conf` files say, by the path of the script that each is for.
  private func settings(_ files: [MigrationFile]) throws -> [String: FlywayScriptSettings] {
    var settings: [String: FlywayScriptSettings] = [:]
    for file in files where file.name.hasSuffix(".sql.conf") {
      let script = String(file.path.dropLast(".conf".count))
      guard files.contains(where: { $0.path == script }) else {
        throw MigrationError.unfit(
          file: file.path, message: "there is no script for these settings",
          hint: "give it the script's name and .conf, or take it away")
      }
      settings[script] = try FlywayScriptSettings(file)
    }
    return settings
  }

  private func section(_ file: MigrationFile, _ settings: FlywayScriptSettings) throws -> Migration.Section {
    var text = try file.text()
    if settings.replacesPlaceholders { text = try placeholders.replaced(in: text, file: file) }
    var options = Migration.Options()
    options.transaction = settings.transaction
    return try OuterTransaction.removed(
      from: Migration.Section(sql: text, file: file.path, options: options))
  }
}

extension MigrationFolder.Callbacks {
  /// Adds the script of an event; those of one event come in the order of their files' paths.
  fileprivate mutating func add(_ event: String, _ section: Migration.Section) throws(MigrationError) {
    switch event {
    case "beforeMigrate": beforeMigrate.append(section)
    case "beforeEachMigrate": beforeEachMigrate.append(section)
    case "afterEachMigrate": afterEachMigrate.append(section)
    case "afterMigrate": afterMigrate.append(section)
    default:
      throw .unfit(
        file: section.file, message: "rivulet has no event \(event)",
        hint: "it has \(FlywayName.knownEvents.joined(separator: ", ")); take the file out of the folder")
    }
  }
}
