import PostgreSQL
import SQLText

/// Writes down what each migration does to tables that were there before, by looking at its locks and at the
/// files of the tables from inside.
final class LockObserver: MigrationObserver {
  private let known: KnownRelations
  /// How many rows tables have in the target, by their names as the server quotes them.
  private let sizes: [String: Int]
  private var modes: [String: LockMode] = [:]
  private var files: [String: String] = [:]
  private var indexes: Set<String> = []
  /// Indexes that were built with their tables locked, by name and number of the table.
  private var built: [(name: String, table: String)] = []
  private var outside: [String] = []
  private var batches: [PlannedBatches] = []
  private var stored: StoredTables
  /// What was observed, a migration each.
  private(set) var planned: [PlannedMigration] = []

  init(_ known: KnownRelations, _ stored: StoredTables, sizes: [String: Int]) {
    self.known = known
    self.stored = stored
    self.sizes = sizes
  }

  func willRun(on connection: Connection) throws {
    modes = [:]
    built = []
    (outside, batches) = ([], [])
    files = try known.files(connection)
    indexes = Set(try present(connection).map(\.number))
  }

  func didRun(_ statement: SQLStatement, of work: SectionWork, on connection: Connection) throws {
    if let mark = work.batch(of: statement) {
      let number = try connection.query("SELECT to_regclass($1)::oid", [.text(mark.table.quoted)]).first?[0]
      let table = number.flatMap { known[$0]?.name }
      batches.append(
        PlannedBatches(
          statement: work.firstLine(of: statement), table: table ?? mark.table.description,
          rows: table.flatMap { sizes[$0] }.map { .about($0) } ?? .unknown, size: mark.size,
          deletesRows: statement.words.contains("DELETE")))
    }
    if connection.isInTransaction {
      try look(connection)
    } else {
      outside.append(work.firstLine(of: statement))
      for (number, mode) in try OutsideLocks(statement: statement, known: known, connection: connection)
        .modes()
      { record(number, mode) }
      // Built with its table in use.
      indexes.formUnion(try present(connection).map(\.number))
    }
  }

  func didRun(_ migration: Migration, on connection: Connection) throws {
    try look(connection)
    let now = try known.files(connection)
    let moved = files.filter { now[$0.key] != nil && now[$0.key] != $0.value }.map(\.key)
    let rewritten = moved.filter { known[$0]?.isIndex == false }
    // Indexes of a rewritten table are built with it, which goes without saying.
    let rebuilt = moved.compactMap { number -> (name: String, table: String)? in
      guard let index = known[number], index.isIndex, !rewritten.contains(index.table),
        modes[number] == .accessExclusive
      else { return nil }
      return (index.name, index.table)
    }
    let work = try SectionWork(migration, migration.up)
    let truncation = Truncation(work.script.statements)
    let gone = try stored.losses(
      among: modes.filter { $0.value == .accessExclusive }.map(\.key), connection)
    planned.append(
      PlannedMigration(
        migration: migration, isTransaction: !work.isStatementwise, locks: locks,
        rewrites: rewritten.compactMap { known[$0]?.name }.sorted(),
        indexes: (built + rebuilt).map { index in
          let table = known[index.table]?.name ?? ""
          return PlannedMigration.Index(index: index.name, table: table, rows: sizes[table])
        }.sorted { $0.index < $1.index },
        losses: gone.filter { $0.kind != .truncation || truncation.empties($0.table, known) }.map { loss in
          var loss = loss
          loss.rows = sizes[loss.table].map { .about($0) } ?? .unknown
          return loss
        },
        batches: batches, statementsOutside: outside))
  }

  private var locks: [PlannedMigration.Lock] {
    modes.compactMap { number, mode in
      guard let relation = known[number] else { return nil }
      // Who has the table has its indexes.
      if relation.isIndex && (modes[relation.table] ?? .accessShare) >= mode { return nil }
      return PlannedMigration.Lock(
        table: relation.name, mode: mode, rows: sizes[relation.name], isTable: relation.isTable,
        parent: relation.parent.flatMap { known[$0]?.name })
    }.sorted { ($1.mode, $0.table) < ($0.mode, $1.table) }
  }

  /// What the transaction holds at this moment.
  private func look(_ connection: Connection) throws {
    let rows = try connection.query(
      """
      SELECT relation, mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """)
    for row in rows.rows {
      guard let mode = LockMode(catalogName: try row.value(1)) else { continue }
      record(try row.value(0), mode)
    }
    for index in try present(connection)
    where indexes.insert(index.number).inserted && known[index.table] != nil {
      built.append((index.name, index.table))
    }
  }

  private func record(_ relation: String, _ mode: LockMode) {
    if known[relation] != nil { modes[relation] = max(modes[relation] ?? mode, mode) }
  }

  private func present(_ connection: Connection) throws -> [(number: String, name: String, table: String)] {
    try connection.query(
      """
      SELECT indexrelid, format('%I.%I', nspname, relname), indrelid FROM pg_index JOIN pg_class c ON c.oid = indexrelid
      JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'i' AND indexrelid >= 16384
      """
    ).rows.map { (try $0.value(0), try $0.value(1), try $0.value(2)) }
  }
}
