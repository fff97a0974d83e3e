let migrateCommand = Command(
  name: "migrate",
  summary: "Applies schema migrations, takes them back and says how a database stands to them",
  examples: ["rivulet migrate up", "rivulet migrate down --steps 2", "rivulet migrate status --format json"],
  subcommands: [
    migrateUpCommand,
    migrateDownCommand,
    migrateRedoCommand,
    migrateStatusCommand,
    migrateNewCommand,
    migrateRepairCommand,
    migrateVerifyCommand,
    migrateLintCommand,
    migrateBaselineCommand,
    migrateDumpCommand,
    migratePlanCommand,
  ])
