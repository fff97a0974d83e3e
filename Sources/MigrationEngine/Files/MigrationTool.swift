/// A tool whose history `baseline` can read.
public enum MigrationTool: String, Sendable, CaseIterable {
  /// Flyway.
  case flyway
  /// golang-migrate.
  case golangMigrate = "golang-migrate"
  /// dbmate.
  case dbmate
  /// sqitch.
  case sqitch
  /// Liquibase.
  case liquibase
  /// goose.
  case goose
  /// node-pg-migrate.
  case nodePgMigrate = "node-pg-migrate"
  /// sqlx.
  case sqlx

  /// Where it keeps its history unless it was configured otherwise.
  var table: String { tables[0].name }

  /// The tables that it makes for itself, that of its history first.
  var tables: [ToolTable] {
    switch self {
    case .flyway:
      [
        ToolTable(
          "flyway_schema_history",
          [
            "installed_rank", "version", "description", "type", "script", "checksum", "installed_by",
            "installed_on", "execution_time", "success",
          ], mayBeRenamed: true)
      ]
    case .golangMigrate: [ToolTable("schema_migrations", ["version", "dirty"])]
    case .dbmate: [ToolTable("schema_migrations", ["version"])]
    case .sqitch:
      [
        ToolTable(
          "sqitch.changes",
          ["change_id", "script_hash", "change", "project", "committed_at", "planner_name"]),
        ToolTable("sqitch.releases", ["version", "installed_at", "installer_name", "installer_email"]),
        ToolTable("sqitch.projects", ["project", "uri", "created_at", "creator_name", "creator_email"]),
        ToolTable(
          "sqitch.tags", ["tag_id", "tag", "project", "change_id", "committed_at", "planner_name"]),
        ToolTable("sqitch.dependencies", ["change_id", "type", "dependency", "dependency_id"]),
        ToolTable(
          "sqitch.events", ["event", "change_id", "change", "project", "requires", "conflicts", "tags"]),
      ]
    case .liquibase:
      [
        ToolTable(
          "databasechangelog", ["id", "author", "filename", "dateexecuted", "orderexecuted", "md5sum"]),
        ToolTable("databasechangeloglock", ["id", "locked", "lockgranted", "lockedby"]),
      ]
    case .goose: [ToolTable("goose_db_version", ["id", "version_id", "is_applied", "tstamp"])]
    case .nodePgMigrate: [ToolTable("pgmigrations", ["id", "name", "run_on"])]
    case .sqlx:
      [
        ToolTable(
          "_sqlx_migrations",
          ["version", "description", "installed_on", "success", "checksum", "execution_time"])
      ]
    }
  }
}

/// A table that a tool makes for itself.
struct ToolTable {
  /// With its schema where the tool has one of its own.
  let name: String
  /// Columns by which it is known, with its name.
  let columns: [String]
  /// Whether the tool lets its users name it, so that the columns alone count.
  let mayBeRenamed: Bool

  init(_ name: String, _ columns: [String], mayBeRenamed: Bool = false) {
    (self.name, self.columns, self.mayBeRenamed) = (name, columns, mayBeRenamed)
  }
}
