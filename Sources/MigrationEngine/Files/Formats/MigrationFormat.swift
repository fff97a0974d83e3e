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

  /// What a folder of this format has in it, for those whose folder has none of it.
  var example: String {
    switch self {
    case .rivulet: "0001_add_fees.sql with a line '-- rivulet:up'"
    case .flyway: "V1.2__add_fees.sql"
    case .golangMigrate: "1_add_fees.up.sql"
    case .dbmate: "20260131120000_add_fees.sql with a line '-- migrate:up'"
    case .sqitch: "sqitch.plan"
    }
  }

  /// Whether its files may have placeholders.
  var hasPlaceholders: Bool {
    switch self {
    case .rivulet, .flyway, .sqitch: true
    case .golangMigrate, .dbmate: false
    }
  }

  /// The format of a folder, found by what is in it; nil where nothing shows it.
  ///
  /// One file is enough. Those beside it that do not fit are then refused by name when the folder is read.
  static func of(_ folder: String) throws -> MigrationFormat? {
    let names = try Files.list(folder)
    if names.contains("sqitch.plan") || names.contains("sqitch.conf") { return .sqitch }
    let scripts = names.filter { $0.hasSuffix(".sql") && !$0.hasPrefix(".") }
    if scripts.contains(where: { GolangMigrateFolder.script(MigrationFile($0)) != nil }) {
      return .golangMigrate
    }
    let numbered = scripts.filter { $0.first?.isNumber == true }
    for name in numbered {
      if let format = try marked(Path.join(folder, name)) { return format }
    }
    if !numbered.isEmpty { return .rivulet }
    // R__name.sql alone is Flyway's, R_name.sql ours.
    if try MigrationFile.tree(folder).contains(where: { FlywayScript.isTelling($0.name) }) { return .flyway }
    return scripts.contains { MigrationFolder.parts(of: $0) != nil } ? .rivulet : nil
  }

  /// The format that the first mark in a file is of; names do not distinguish ours from dbmate's.
  private static func marked(_ path: String) throws -> MigrationFormat? {
    for line in try Files.read(path).split(whereSeparator: { $0 == 0x0a || $0 == 0x0d })
    where line.starts(with: "--".utf8) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(MigrationParser.marker) { return .rivulet }
      if DbmateFolder.mark(text[...]) != nil { return .dbmate }
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
    guard let format = try MigrationFormat.of(path) else {
      let names = try Files.list(path).filter { !$0.hasPrefix(".") }
      if names.isEmpty && mayBeEmpty { return try MigrationFolder(path, values: values) }
      throw MigrationError.unknownFormat(path: path, names: names)
    }
    if let name = values.firstName, !format.hasPlaceholders {
      throw MigrationError.noPlaceholders(name: name, path: path, format: format)
    }
    var folder =
      switch format {
      case .rivulet: try MigrationFolder(path, values: values)
      case .flyway: try FlywayFolder(path: path, values: values).read()
      case .golangMigrate: try GolangMigrateFolder(path: path).read()
      case .dbmate: try DbmateFolder(path: path).read()
      case .sqitch: try SqitchFolder(path, values).read()
      }
    folder.format = format
    return folder
  }
}
