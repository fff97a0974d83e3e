import Host

/// Whose rules a folder of migrations follows.
public enum MigrationFormat: String, Sendable, CaseIterable {
  /// Our own.
  case rivulet
  /// Flyway: `V1.2__name.sql`.
  case flyway
  /// golang-migrate: `1_name.up.sql`.
  case golangMigrate = "golang-migrate"
  /// dbmate: `-- migrate:up` in the file.
  case dbmate
  /// sqitch: a plan, and folders of scripts.
  case sqitch
  /// goose: `-- +goose Up` in the file.
  case goose
  /// node-pg-migrate: `-- Up Migration` in the file.
  case nodePgMigrate = "node-pg-migrate"
  /// sqlx: `20260131120000_name.sql`, plain SQL.
  case sqlx
  /// Liquibase: files that begin with `--liquibase formatted sql`.
  case liquibase

  /// What a folder of this format has in it, for those whose folder has none of it.
  var example: String {
    switch self {
    case .rivulet: "0001_add_fees.sql with a line '-- rivulet:up'"
    case .flyway: "V1.2__add_fees.sql"
    case .golangMigrate: "1_add_fees.up.sql"
    case .dbmate: "20260131120000_add_fees.sql with a line '-- migrate:up'"
    case .sqitch: "sqitch.plan"
    case .goose: "00001_add_fees.sql with a line '-- +goose Up'"
    case .nodePgMigrate: "1769860800000_add-fees.sql with a line '-- Up Migration'"
    case .sqlx: "20260131120000_add_fees.sql"
    case .liquibase: "any.sql with a first line '--liquibase formatted sql'"
    }
  }

  /// What a folder of no known format seems to be, and how to go on with it; nil where nothing tells.
  static func nearest(to names: [String]) -> String? {
    let has = { (ending: String) in names.contains { $0.hasSuffix(ending) } }
    if names.contains("structure.sql") {
      return "structure.sql is Rails' whole schema: "
        + "'rivulet migrate new structure --from structure.sql' makes it the first migration"
    }
    if has(".rb") { return "Rails' migrations are programs: start from its structure.sql" }
    if names.contains("env.py") || names.contains("versions") {
      return "Alembic's migrations are programs: 'alembic upgrade --sql' writes them as SQL"
    }
    if has(".py") { return "Django's migrations are programs: 'manage.py sqlmigrate' writes each as SQL" }
    if has(".go") { return "goose's migrations in Go are programs: write them as SQL" }
    if has(".js") || has(".ts") || has(".cjs") || has(".mjs") {
      return "node-pg-migrate's and Knex' migrations in JavaScript are programs: write them as SQL"
    }
    if has(".xml") || has(".yaml") || has(".yml") || has(".json") {
      return "Liquibase's changelogs are no SQL: 'liquibase update-sql' writes them as SQL"
    }
    return nil
  }

  /// Whether its files may have placeholders.
  var hasPlaceholders: Bool {
    switch self {
    case .rivulet, .flyway, .sqitch, .goose, .liquibase: true
    case .golangMigrate, .dbmate, .nodePgMigrate, .sqlx: false
    }
  }

  /// The format of a folder, found by the names in it and by what they name; nil where nothing shows it.
  ///
  /// One file is enough. Those beside it that do not fit are then refused by name when the folder is read.
  static func of(_ folder: String, names: [String]) throws -> MigrationFormat? {
    if names.contains("sqitch.plan") || names.contains("sqitch.conf") { return .sqitch }
    let scripts = names.filter { $0.hasSuffix(".sql") && !$0.hasPrefix(".") }
    let visible = names.filter { !$0.hasPrefix(".") }
    if visible.contains(where: { GolangMigrateFolder.script(MigrationFile($0)) != nil }) {
      return .golangMigrate
    }
    let numbered = scripts.filter { $0.first?.isNumber == true }
    for name in numbered {
      if let format = try marked(Path.join(folder, name)) { return format }
    }
    if try MigrationFile.tree(folder).contains(where: {
      try $0.name.hasSuffix(".sql") && LiquibaseFolder.isFormatted($0.path)
    }) {
      return .liquibase
    }
    if !numbered.isEmpty { return .sqlx }
    // R__name.sql alone is Flyway's, R_name.sql ours.
    if try MigrationFile.tree(folder).contains(where: { FlywayScript.isTelling($0.name) }) { return .flyway }
    return scripts.contains { MigrationFolder.parts(of: $0) != nil } ? .rivulet : nil
  }

  /// The format that the first mark in a file is of; names do not distinguish ours from those of other tools.
  private static func marked(_ path: String) throws -> MigrationFormat? {
    for line in try Files.read(path).split(whereSeparator: { $0 == 0x0a || $0 == 0x0d })
    where line.starts(with: "--".utf8) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(MigrationParser.marker) { return .rivulet }
      if let tool = MarkedTool.allCases.first(where: { $0.mark(text[...]) != nil }) {
        return MigrationFormat(rawValue: tool.rawValue)
      }
    }
    return nil
  }
}

extension MigrationFolder {
  /// Reads a folder of whatever format it is, as it is.
  ///
  /// `values` are those of `${name}` in Flyway's files and in sections of our own that say
  /// `placeholders=on`, and of psql's variables in scripts of sqitch; other formats have none. An empty folder
  /// is ours if it may be empty.
  ///
  /// - Throws: `MigrationError.unknownFormat` where nothing shows the format, `.noPlaceholders`, `.malformed`
  ///   where the folder itself does not hold together, `.sameVersion`, and `FileError`. What is wrong with single
  ///   files is in ``complaints``.
  public static func open(
    _ path: String, values: PlaceholderValues = PlaceholderValues(), mayBeEmpty: Bool = false
  ) throws -> MigrationFolder {
    let names = try Files.list(path)
    guard let format = try MigrationFormat.of(path, names: names) else {
      let visible = names.filter { !$0.hasPrefix(".") }
      if visible.isEmpty && mayBeEmpty { return try MigrationFolder(path, names: names, values: values) }
      throw MigrationError.unknownFormat(path: path, names: visible)
    }
    if let name = values.firstName, !format.hasPlaceholders {
      throw MigrationError.noPlaceholders(name: name, path: path, format: format)
    }
    var folder =
      switch format {
      case .rivulet: try MigrationFolder(path, names: names, values: values)
      case .flyway: try FlywayFolder(path: path, values: values).read()
      case .golangMigrate: try GolangMigrateFolder(path: path).read()
      case .dbmate: try MarkedFolder(path: path, tool: .dbmate, values: values).read()
      case .goose: try MarkedFolder(path: path, tool: .goose, values: values.fromEnvironment()).read()
      case .nodePgMigrate: try MarkedFolder(path: path, tool: .nodePgMigrate, values: values).read()
      case .sqlx: try SqlxFolder(path: path).read()
      case .liquibase: try LiquibaseFolder(path: path, values: values).read()
      case .sqitch: try SqitchFolder(path, values).read()
      }
    folder.format = format
    return folder
  }

  /// Reads several folders as one, as Flyway does with its locations.
  ///
  /// - Throws: as ``open(_:values:mayBeEmpty:)``, and `MigrationError.malformed` where their formats differ or
  ///   have an order of their own.
  public static func open(
    _ paths: [String], values: PlaceholderValues = PlaceholderValues(), mayBeEmpty: Bool = false
  ) throws -> MigrationFolder {
    let folders = try paths.map { try open($0, values: values, mayBeEmpty: mayBeEmpty) }
    guard let first = folders.first else { throw MigrationError.unknownFormat(path: "", names: []) }
    if folders.count == 1 { return first }
    if let other = folders.first(where: { $0.format != first.format || $0.order != .numeric }) {
      throw MigrationError.unfit(
        other.path, "a folder of \(other.format.rawValue) cannot be read as one with '\(first.path)'",
        "name it by itself, with a --history of its own")
    }
    var folder = try MigrationFolder(
      path: first.path, migrations: folders.flatMap(\.migrations), values: values)
    folder.format = first.format
    folder.repeatables = folders.flatMap(\.repeatables).sorted { $0.name < $1.name }
    for (one, next) in zip(folder.repeatables, folder.repeatables.dropFirst()) where one.name == next.name {
      throw MigrationError.sameVersion(version: "R \(next.name)", files: [one.file, next.file])
    }
    for other in folders { folder.callbacks.merge(other.callbacks) { $0 + $1 } }
    folder.strays = folders.flatMap(\.strays)
    folder.standsForAllUpTo = folders.compactMap(\.standsForAllUpTo).first
    return folder
  }
}
