let migrateCommand = Command(
  name: "migrate",
  summary: "Applies schema migrations, reverts them and says which of them a database has",
  examples: ["rivulet migrate up", "rivulet migrate down --steps 2", "rivulet migrate status --format json"],
  subcommands: [
    migrateUpCommand,
    migrateDownCommand,
    migrateRedoCommand,
    migrateStatusCommand,
    migrateNewCommand,
    migrateRepairCommand,
    migrateMarkCommand,
    migrateVerifyCommand,
    migrateLintCommand,
    migrateBaselineCommand,
    migrateDumpCommand,
    migratePlanCommand,
    migrateGrantsCommand,
  ])
