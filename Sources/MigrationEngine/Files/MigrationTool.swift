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
  var table: String {
    switch self {
    case .flyway: "flyway_schema_history"
    case .golangMigrate, .dbmate: "schema_migrations"
    case .sqitch: "sqitch.changes"
    case .liquibase: "databasechangelog"
    case .goose: "goose_db_version"
    case .nodePgMigrate: "pgmigrations"
    case .sqlx: "_sqlx_migrations"
    }
  }
}
