import Host

/// Reads Flyway's `V`, `U`, `B` and `R__` files and its callbacks, in the folder and in those below it.
struct FlywayFolder {
  let path: String
  let values: PlaceholderValues

  private typealias Named = (name: FlywayScript, file: MigrationFile)

  func read() throws -> MigrationFolder {
    values.add(PlaceholderValues.ownPrefix + "table", MigrationTool.flyway.table)
    let files = try MigrationFile.tree(path)
    var strays: [MigrationError] = []
    let settings = try settings(files, &strays)
    let scripts = named(files, &strays)
    func section(_ file: MigrationFile) throws -> Migration.Section {
      try self.section(file, settings[file.path] ?? Settings())
    }
    let all = { (role: FlywayScript.Role) in scripts.filter { $0.name.role == role } }
    let paired = { (script: Named) in
      PairedScript(version: script.name.version, name: script.name.description, file: script.file)
    }
    let baselines = all(.baseline)
    try refuseReplaced(all(.versioned), baselines)
    var folder = try MigrationFolder(
      path: path, ups: (all(.versioned) + baselines).map(paired), downs: all(.undo).map(paired),
      upName: { "V\($0.version)__\($0.name).sql" }, values: values, section: section)
    folder.strays += strays
    folder.standsForAllUpTo = baselines.first?.name.version
    for script in all(.repeatable) {
      let name = script.name.description
      var up = try section(script.file)
      // Flyway's checksum is of the text with its values: with the time in it, it is another at every run.
      up.options.isRunAlways =
        up.options.placeholders != nil && up.sql.hasBytes(of: PlaceholderValues.ownTimestamp)
      folder.repeatables.append(
        Migration(.repeatable, version: name, name: name, up: up, down: .missing))
    }
    for script in all(.callback) {
      guard let event = MigrationFolder.Event(rawValue: script.name.version) else {
        let known = MigrationFolder.Event.allCases.map(\.rawValue).joined(separator: ", ")
        folder.strays.append(
          .unfit(
            script.file.path, "rivulet has no event \(script.name.version)",
            "it has \(known); take the file out of the folder"))
        continue
      }
      // Those of one event come in the order of their files' paths.
      folder.callbacks[event, default: []].append(try section(script.file))
    }
    try order(&folder.repeatables)
    return folder
  }

  // MARK: Names

  /// Every script with what its name says; what Flyway would run and we cannot, and what it would leave out,
  /// are strays.
  private func named(_ files: [MigrationFile], _ strays: inout [MigrationError]) -> [Named] {
    var scripts: [Named] = []
    for file in files {
      if let ending = FlywayScript.program(file.name) {
        strays.append(
          .unfit(
            file.path, "this migration is a program (.\(ending)), and rivulet runs SQL",
            "write what it does as SQL, or let Flyway run this folder"))
      }
      guard file.name.lowercased().hasSuffix(".sql") else { continue }
      guard file.name.hasSuffix(".sql"), let name = FlywayScript(stem: file.name.dropLast(".sql".count))
      else {
        strays.append(
          .unfit(
            file.path, "not a name that Flyway takes, so it would leave the file out",
            "name it like V1.2__add_fees.sql, U1.2__add_fees.sql or R__views.sql, with two underscores"))
        continue
      }
      scripts.append((name, file))
    }
    return scripts
  }

  /// A `B` file counts where it is alone with what comes after it.
  private func refuseReplaced(_ versioned: [Named], _ baselines: [Named]) throws(MigrationError) {
    for (place, script) in baselines.enumerated() {
      let version = script.name.version
      let others = versioned + baselines[..<place]
      guard let earlier = others.first(where: { !VersionOrder.numeric.precedes(version, $0.name.version) })
      else { continue }
      throw .unfit(
        script.file.path,
        "this replaces all up to version \(version), and \(earlier.file.path) is there too",
        "move away either this file, or all that it replaces")
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

  private func section(_ file: MigrationFile, _ settings: Settings) throws -> Migration.Section {
    var section = try Migration.Section(file)
    section.fault = section.fault ?? settings.fault
    section.options.transaction = settings.transaction
    if settings.replacesPlaceholders && section.sql.contains("${") {
      section.options.placeholders = .braces
      section.values = values
      // The one that is another in each file; the history has no files.
      section.sql = section.sql.replacing(PlaceholderValues.ownFileName, with: file.name)
    }
    return ScriptTransactions.adapted(section)
  }

  /// What a file `V1__name.sql.conf` says of the script beside it.
  private struct Settings {
    /// Whether it runs in a transaction; nil where the file does not say.
    var transaction: Bool?
    /// Whether `${name}` is replaced.
    var replacesPlaceholders = true
    /// What of it is not known.
    var fault: MigrationError?
  }

  /// What the `.conf` files say, by the path of the script that each is for: `name=value`, a line each; `#`
  /// begins a comment.
  private func settings(_ files: [MigrationFile], _ strays: inout [MigrationError]) throws -> [String:
    Settings]
  {
    var all: [String: Settings] = [:]
    for file in files where file.name.hasSuffix(".sql.conf") {
      let script = String(file.path.dropLast(".conf".count))
      guard files.contains(where: { $0.path == script }) else {
        strays.append(
          .unfit(
            file.path, "there is no script for these settings",
            "give it the script's name and .conf, or take it away"))
        continue
      }
      var settings = Settings()
      for (index, line) in SectionedText.lines(try file.text()).enumerated() {
        let line = line.trimmingBlanks
        if line.isEmpty || line.hasPrefix("#") { continue }
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          .map { $0.trimmingBlanks }
        let name = parts[0].hasPrefix("flyway.") ? parts[0].dropFirst("flyway.".count) : parts[0]
        switch (String(name), parts.count == 2 ? parts[1].lowercased() : "") {
        case ("executeInTransaction", "true"): settings.transaction = nil
        case ("executeInTransaction", "false"): settings.transaction = false
        case ("placeholderReplacement", "true"): settings.replacesPlaceholders = true
        case ("placeholderReplacement", "false"): settings.replacesPlaceholders = false
        case ("encoding", "utf-8"), ("shouldExecute", "true"), ("outputQueryResults", _): break
        case (let name, let value):
          settings.fault = .unfit(
            file.path, line: index + 1, "rivulet does not know '\(name)=\(value)'",
            "it knows executeInTransaction, placeholderReplacement and encoding=UTF-8")
        }
      }
      all[script] = settings
    }
    return all
  }
}
