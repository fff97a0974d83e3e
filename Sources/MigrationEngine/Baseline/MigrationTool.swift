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

  /// Where it keeps its history unless it was configured otherwise.
  var table: String {
    switch self {
    case .flyway: "flyway_schema_history"
    case .golangMigrate, .dbmate: "schema_migrations"
    case .sqitch: "sqitch.changes"
    case .liquibase: "databasechangelog"
    }
  }
}

/// How it is known what a database has been through.
public enum BaselineSource: Sendable {
  /// Somebody says: everything up to this version.
  case version(String)
  /// A tool's own history says; in another table than usual where one is named.
  case tool(MigrationTool, table: String?)
}
