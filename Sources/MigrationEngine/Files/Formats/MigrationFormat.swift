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

  /// The format of a folder, found by what is in it; nil where nothing shows it.
  ///
  /// One file is enough. Those beside it that do not fit are then refused by name when the folder is read.
  static func of(_ folder: String) throws -> MigrationFormat? {
    let names = try Files.list(folder)
    if names.contains("sqitch.plan") || names.contains("sqitch.conf") { return .sqitch }
    let scripts = names.filter { $0.hasSuffix(".sql") && !$0.hasPrefix(".") }
    if scripts.contains(where: { GolangMigrateName($0) != nil }) { return .golangMigrate }
    let numbered = scripts.filter { $0.first?.isNumber == true }
    for name in numbered {
      if let format = try marked(Path.join(folder, name)) { return format }
    }
    if !numbered.isEmpty { return .rivulet }
    // R__name.sql alone is Flyway's, R_name.sql ours.
    if try MigrationFile.tree(folder).contains(where: { FlywayName.isTelling($0.name) }) { return .flyway }
    return scripts.contains { MigrationFolder.parts(of: $0) != nil } ? .rivulet : nil
  }

  /// The format that the first mark in a file is of; names do not distinguish ours from dbmate's.
  private static func marked(_ path: String) throws -> MigrationFormat? {
    for line in try Files.read(path).split(whereSeparator: { $0 == 0x0a || $0 == 0x0d })
    where line.starts(with: "--".utf8) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(MigrationParser.marker) { return .rivulet }
      if DbmateFile.words(of: text[...]) != nil { return .dbmate }
    }
    return nil
  }
}
