import Catalog
import PostgreSQL
import SQLText

/// What `up` would do, as a script for psql: for a DBA who runs nothing but what has been read.
struct MigrationScript {
  let engine: MigrationEngine
  private(set) var text = ""

  private var connection: Connection { engine.connection }

  init(_ engine: MigrationEngine, _ goal: MigrationGoal) throws {
    self.engine = engine
    try engine.folder.prepare(for: connection)
    let version = try Catalog.installedVersion(connection)
    guard version <= Catalog.version else {
      throw Catalog.Problem.newer(found: version, known: Catalog.version)
    }
    let status = try engine.agreedStatus()
    let chosen = try engine.chosen(status, goal)
    try writeHead(chosen)
    if let delay = try engine.delay(status, goal) { text += "-- Not in it: \(delay)\n" }
    try requireSameHistory(version)
    if version < Catalog.version {
      text += "\n-- The schema rivulet\nBEGIN;\n\(Catalog.script(from: version))COMMIT;\n"
    }
    try callbacks(.beforeMigrate)
    for migration in chosen { try write(migration) }
    if !chosen.isEmpty { try callbacks(.afterMigrateApplied) }
    try callbacks(.afterMigrate)
  }

  private mutating func writeHead(_ chosen: [Migration]) throws {
    let count = "\(chosen.count) migration\(chosen.count == 1 ? "" : "s")"
    text = """
      -- \(count), as 'rivulet migrate up' would run them; the history is written as they are.
      -- To be run once, by psql -X -f. What is committed when it stops stays: then write a new script.
      \\set ON_ERROR_STOP on
      \(Connection.reset)
      DO $$ BEGIN
        IF NOT pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended(\(Quote.literal(MigrationEngine.lockName)), 7711))
        THEN RAISE EXCEPTION 'another program is migrating this database'; END IF;
      END $$;

      """
  }

  /// What was pending when the script was written is pending when it is run.
  private mutating func requireSameHistory(_ version: Int) throws {
    let query = """
      SELECT concat_ws('/', (SELECT max(position) FROM rivulet.migration), (SELECT count(*) FROM rivulet.migration),
        (SELECT count(*) FROM rivulet.migration_statement), (SELECT max(at) FROM rivulet.migration_statement))
      """
    let condition: String
    if version == 0 {
      condition = "to_regclass('rivulet.migration') IS NOT NULL"
    } else {
      condition = "(\(query)) <> \(Quote.literal(try connection.query(query)[0].value(0)))"
    }
    text += """
      DO $$ BEGIN
        IF \(condition)
        THEN RAISE EXCEPTION 'migrations were applied or reverted since this script was written: write a new one'; END IF;
      END $$;

      """
  }

  private mutating func callbacks(_ event: MigrationFolder.Event) throws {
    for section in engine.callbacks(event) {
      text += "\n-- \(event.rawValue)\nBEGIN;\n"
      try write(SectionWork(callback: section), isFirst: true)
      text += MigrationEngine.ending + "\nCOMMIT;\n"
    }
  }

  private mutating func write(_ migration: Migration) throws {
    let work = try SectionWork(migration, migration.up)
    text += "\n-- \(migration.label)\n"
    if work.isStatementwise { return try writeStatements(migration, work) }
    text += "BEGIN;\n"
    try writeConditions(migration)
    try write(work, isFirst: false)
    try writeEnd(migration, work)
  }

  /// What comes before a migration, in a transaction.
  private mutating func writeConditions(_ migration: Migration) throws {
    if let require = migration.require {
      let work = try SectionWork(migration, require, title: "require")
      text += try settings(work)
      for statement in work.script.statements.dropLast() { text += statement.text + ";\n" }
      let query = work.script.statements.last?.text ?? "SELECT true"
      text += """
        DO $rivulet_require$
        #variable_conflict use_column
        BEGIN
          IF (\(query)) IS NOT TRUE
          THEN RAISE EXCEPTION 'what the section require asks for is not true'; END IF;
        END $rivulet_require$;

        """
    }
    try writeEach(.beforeEachMigrate, migration)
  }

  private mutating func writeEach(_ event: MigrationFolder.Event, _ migration: Migration) throws {
    for section in engine.callbacks(event) {
      try write(SectionWork(migration, section, title: "callback"), isFirst: false)
    }
  }

  /// What comes after it, with its row of the history, and the commit.
  private mutating func writeEnd(_ migration: Migration, _ work: SectionWork) throws {
    if !work.placements.isEmpty, connection.hasCitus {
      text += Connection.reset + (try settings(work)) + work.placements.map { $0.mark.sql + "\n" }.joined()
    }
    if let verify = migration.verify { try write(SectionWork(migration, verify), isFirst: false) }
    try writeEach(.afterEachMigrate, migration)
    text += MigrationEngine.ending + "\n" + engine.closing(work, seconds: "0") + "\nCOMMIT;\n"
  }

  private mutating func writeStatements(_ migration: Migration, _ work: SectionWork) throws {
    let journal = engine.journal
    let entries = try engine.readable()?.journal.entries(work.kind, work.version, work.direction) ?? []
    try work.requireSame(entries)
    let done = Set(entries.filter(\.isDone).map(\.statement))
    try work.requireKept(done)
    if entries.isEmpty {
      text += "BEGIN;\n"
      try writeConditions(migration)
      text += "COMMIT;\n"
    }
    let options = work.section.options
    text += Connection.reset + (try engine.path.setting("", options.schema ?? options.runIn)) + "\n"
    let wait = options.wait(TimeSpan(engine.lockTimeout) ?? TimeSpan(seconds: 2)).text
    text += "SET lock_timeout = \(Quote.literal(wait));\n"
    if let timeout = options.statementTimeout {
      text += "SET statement_timeout = \(Quote.literal(timeout));\n"
    }
    for piece in work.pieces.pieces {
      let open = piece.statements.filter { work.script.statements[$0].isSetting || !done.contains($0 + 1) }
      if open.isEmpty { continue }
      let first = work.script.statements[open[0]]
      if let mark = work.batch(of: first) {
        text +=
          BatchScript(
            statement: first, mark: mark, work: work, number: open[0] + 1, journal: journal
          ).text
        continue
      }
      // As far as a transaction can hold them, and what they set is to last.
      let isTogether = piece.isTransaction || !first.isRefusedInTransaction && !first.isSetting
      if isTogether { text += "BEGIN \(piece.modes);\n" }
      for index in open {
        let statement = work.script.statements[index]
        text += statement.text + ";\n"
        if let rows = work.script.data(of: statement) {
          text += String(decoding: rows, as: UTF8.self) + "\\.\n"
        }
      }
      let rows = open.filter { !done.contains($0 + 1) }.map { index in
        journal.addition(
          of: work, statement: index + 1, checksum: work.checksum(work.script.statements[index])) + "\n"
      }
      if !isTogether && !rows.isEmpty { text += "BEGIN;\n" }
      if !rows.isEmpty { text += StatementJournal.asOurselves + "\n" + rows.joined() }
      if isTogether || !rows.isEmpty { text += "COMMIT;\n" }
    }
    text += Connection.reset + "\nBEGIN;\n" + journal.removal(of: work.kind, work.version) + "\n"
    try writeEnd(migration, work)
  }

  private mutating func write(_ work: SectionWork, isFirst: Bool) throws {
    text += (isFirst ? "" : Connection.reset) + (try settings(work))
    text += work.text + (work.text.hasSuffix("\n") ? ";\n" : "\n;\n")
  }

  private func settings(_ work: SectionWork) throws -> String {
    let wait = TimeSpan(engine.lockTimeout) ?? TimeSpan(seconds: 2)
    return try engine.runner(wait).settings(work.section.options) + "\n"
  }
}

extension MigrationEngine {
  /// What ``up(_:_:)`` would do, as a script for psql that leaves the history as that would; nothing is changed.
  ///
  /// Values of placeholders are in it.
  ///
  /// - Throws: as ``up(_:_:)``.
  public func script(_ goal: MigrationGoal) throws -> String { try MigrationScript(self, goal).text }
}
