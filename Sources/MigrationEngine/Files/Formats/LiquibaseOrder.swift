import Host

/// The scripts of a folder of Liquibase's in the order in which it runs them: that of the changelog that names
/// them, and by path where there is none.
struct LiquibaseOrder {
  /// The scripts, those without changesets included where a changelog names them.
  private(set) var scripts: [MigrationFile] = []
  /// What cannot be taken for a script, and why.
  private(set) var strays: [MigrationError] = []
  private let folder: String
  private let values: PlaceholderValues
  /// All files by their path within the folder.
  private var files: [String: MigrationFile] = [:]
  private var changelogs: [String: LiquibaseChangelog] = [:]
  private var seen: Set<String> = []

  /// Reads the folder's changelogs; the values of their properties are added to `values`.
  init(_ folder: String, _ values: PlaceholderValues) throws {
    (self.folder, self.values) = (folder, values)
    let start = Path.join(folder, "").utf8.count
    for file in try MigrationFile.tree(folder) {
      let path = String(decoding: file.path.utf8.dropFirst(start), as: UTF8.self)
      files[path] = file
      guard [".xml", ".yaml", ".yml", ".json"].contains(where: file.name.hasSuffix) else { continue }
      let text = String(decoding: try Files.read(file.path), as: UTF8.self)
      if text.contains("changeSet") {
        strays.append(
          .unfit(
            file.path, "changesets that are no SQL, and rivulet runs SQL",
            "write them as SQL ('liquibase update-sql' shows it), or let Liquibase run this folder"))
      } else if text.contains("databaseChangeLog"), text.contains("include") {
        guard !file.name.hasSuffix(".json") else {
          strays.append(
            .unfit(
              file.path, "a changelog in JSON, which rivulet does not read", "write it as YAML or XML"))
          continue
        }
        changelogs[path] = LiquibaseChangelog(file, text)
      }
    }
    if changelogs.isEmpty { try takeAll() } else { takeNamed() }
  }

  // MARK: Without a changelog

  private mutating func takeAll() throws {
    for file in all(in: "") where file.name.hasSuffix(".sql") {
      if try LiquibaseFolder.isFormatted(file.path) {
        scripts.append(file)
      } else {
        strays.append(
          .unfit(
            file.path, "this does not begin with '--liquibase formatted sql'",
            "begin it with that line, or take it out of the folder"))
      }
    }
  }

  /// The files of a folder within this one and of those below it, by their paths as Liquibase compares them: as
  /// one text, in which `a-b/` comes before `a/`.
  private func all(in path: String) -> [MigrationFile] {
    files.filter { path.isEmpty || $0.key.hasPrefix(path + "/") }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.value)
  }

  // MARK: With changelogs

  private mutating func takeNamed() {
    let named = Set(
      changelogs.flatMap { path, changelog in
        changelog.entries.flatMap { found($0, path) ?? [] }.map(\.path).filter { $0 != changelog.file.path }
      })
    let first = changelogs.filter { !named.contains($0.value.file.path) }
    guard first.count == 1, let (path, changelog) = first.first else {
      for (_, changelog) in changelogs.sorted(by: { $0.key < $1.key }) {
        strays.append(
          .unfit(
            changelog.file.path, "one of several changelogs that name files, and which is first is not known",
            "leave the one in the folder that names the others"))
      }
      return
    }
    take(changelog, path)
    for file in all(in: "") where file.name.hasSuffix(".sql") && !seen.contains(file.path) {
      strays.append(
        .unfit(file.path, "no changelog names this file", "name it in one, or take it out of the folder"))
    }
  }

  private mutating func take(_ changelog: LiquibaseChangelog, _ path: String) {
    seen.insert(changelog.file.path)
    let unfit = { (entry: LiquibaseChangelog.Entry, message: String, hint: String) in
      MigrationError.unfit(changelog.file.path, line: entry.line, message, hint)
    }
    for entry in changelog.entries {
      let known = LiquibaseOrder.attributes[entry.kind]
      if let name = known.map({ known in entry.attributes.keys.sorted().first { !known.contains($0) } })
        ?? entry.kind
      {
        strays.append(
          unfit(entry, "rivulet does not know '\(name)' in a changelog", "let Liquibase run this folder"))
      } else if entry.kind == "property" {
        takeProperty(entry)
      } else if let files = found(entry, path) {
        for file in files where seen.insert(file.path).inserted { take(file) }
      } else {
        strays.append(
          unfit(
            entry, "'\(LiquibaseOrder.target(entry))' is not in this folder",
            "name the folder that holds all that the changelog names"))
      }
    }
  }

  private mutating func take(_ file: MigrationFile) {
    if let (path, changelog) = changelogs.first(where: { $0.value.file.path == file.path }) {
      take(changelog, path)
    } else if file.name.hasSuffix(".sql") {
      scripts.append(file)
    }
  }

  private func takeProperty(_ entry: LiquibaseChangelog.Entry) {
    let system = entry.attributes["dbms"] ?? "postgresql"
    guard system.contains("postgresql"), !system.contains("!postgresql") else { return }
    if let name = entry.attributes["name"], let value = entry.attributes["value"] { values.add(name, value) }
  }

  /// What an entry may say. Without contexts and labels on its command line Liquibase runs all, as we do.
  private static let attributes: [String: Set<String>] = [
    "property": ["name", "value", "dbms", "global", "context", "contextFilter", "labels"],
    "include": ["file", "relativeToChangelogFile", "context", "contextFilter", "labels", "errorIfMissing"],
    "includeAll": [
      "path", "relativeToChangelogFile", "context", "contextFilter", "labels", "errorIfMissingOrEmpty",
    ],
  ]

  private static func target(_ entry: LiquibaseChangelog.Entry) -> String {
    entry.attributes[entry.kind == "include" ? "file" : "path"] ?? ""
  }

  // MARK: Paths

  /// The files that an entry of a changelog names, in order; nil where there are none.
  private func found(_ entry: LiquibaseChangelog.Entry, _ changelog: String) -> [MigrationFile]? {
    var name = LiquibaseOrder.target(entry)
    if name.hasPrefix("classpath:") { name = String(name.dropFirst("classpath:".count)) }
    let isRelative = entry.attributes["relativeToChangelogFile"]?.lowercased() == "true"
    guard let parts = LiquibaseOrder.parts(isRelative ? Path.parent(changelog) + "/" + name : name) else {
      return nil
    }
    // Where Liquibase begins its search is not known here: this folder, or one of those that it is in.
    let above = (Path.resolved(folder) ?? folder).split(separator: "/")
    for count in 0...(isRelative ? 0 : above.count) where parts.starts(with: above.suffix(count)) {
      let path = parts.dropFirst(count).joined(separator: "/")
      let files = entry.kind == "include" ? files[path].map { [$0] } ?? [] : all(in: path)
      if !files.isEmpty { return files }
    }
    return nil
  }

  /// The parts of a path without `.` and `..`; nil where it leaves the folder that it begins in.
  private static func parts(_ path: String) -> [Substring]? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." { parts.append(part) } else if parts.popLast() == nil { return nil }
    }
    return parts
  }
}
