import Catalog
import PostgreSQL

/// The queue and the triggers by which a view learns of changes of one source.
///
/// What is remembered of a changed row, before and after, are raw columns; which groups they mean is found
/// out in the snapshot that computes them, since other transactions may have moved what they refer to
/// meanwhile. A queue is only ever appended to: writers never wait for each other.
struct ChangeCapture {
  /// The view's name and number.
  let view: String
  let number: Int
  /// The source, and its place among the view's.
  let source: String
  let position: Int
  /// The columns that are remembered; empty where any change means every group.
  let capture: [String]
  /// Whether it is done beside the shards of the source.
  var isOnShards = false

  /// The table of what was captured; nil where nothing is remembered but that something changed.
  var queue: String? { capture.isEmpty ? nil : "rivulet.queue_\(number)_\(position)" }
  /// The function of the triggers.
  var function: String {
    capture.isEmpty ? "rivulet.mark_view" : "rivulet.capture_\(number)_\(position)"
  }

  /// What a capturing function ends with where its INSERT has added rows. A mark wakes by a trigger of its own.
  private static let wake = WatchSignal.wake(where: "FOUND")

  /// What a trigger is for.
  enum Event: String, CaseIterable {
    case insert, update, delete, truncate

    /// The tables in which a statement's changed rows are seen.
    var transition: String {
      switch self {
      case .insert: "REFERENCING NEW TABLE AS changed"
      case .update: "REFERENCING OLD TABLE AS former NEW TABLE AS changed"
      case .delete: "REFERENCING OLD TABLE AS changed"
      case .truncate: ""
      }
    }
  }

  private func trigger(_ event: Event) -> String { "rivulet_\(number)_\(position)_\(event.rawValue)" }

  /// Makes the queue and its function.
  /// - Parameters:
  ///   - connection: that of the transaction at work.
  ///   - sums: what is stored of the view's groups, where changes of this source are added up.
  ///   - columns: those of the source that the view uses.
  /// - Throws: `PostgreSQLError`.
  func make(on connection: Connection, adding sums: StoredSums?, _ columns: [String]) throws {
    guard let queue else { return }
    if let sums { return try make(queue, of: sums, columns, on: connection) }
    // Of values that are equal and not identical each may mean another group: all of them are kept.
    let types = try ColumnType.columns(of: Quote.qualified(source), on: connection)
    let isExact = capture.allSatisfy { types[$0]?.isExact == true }
    let union = isExact ? "UNION" : "UNION ALL"
    // Rows of a statement that cannot be alike need no look at each other, which costs more than keeping
    // them.
    let distinct = try !isExact || holdsUniqueColumns(on: connection) ? "" : "DISTINCT "
    let columns = KeysQuery.list(capture)
    let name = Quote.qualified(queue)
    try connection.execute(
      """
      CREATE TABLE \(name) AS SELECT \(columns) FROM \(Quote.qualified(source)) WITH NO DATA;
      CREATE FUNCTION \(Quote.qualified(function))() RETURNS trigger
        SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $rivulet$
        #variable_conflict use_column
        BEGIN
          \(try isPartitioned(on: connection) ? merge : "")
          IF TG_OP = 'UPDATE' THEN
            INSERT INTO \(name) SELECT \(columns) FROM former \(union) SELECT \(columns) FROM changed;
          ELSE
            INSERT INTO \(name) SELECT \(distinct)\(columns) FROM changed;
          END IF;
          \(Self.wake)
          RETURN NULL;
        END
      $rivulet$;
      """)
    try DefaultPrivileges.revoke(onTable: name, on: connection)
    try DefaultPrivileges.revoke(onFunction: "\(Quote.qualified(function))()", on: connection)
  }

  /// The same where changes are added up: the queue gets a row for each group that a statement has changed, or
  /// each row that it has.
  private func make(
    _ queue: String, of sums: StoredSums, _ columns: [String], on connection: Connection
  ) throws {
    let name = Quote.qualified(queue)
    let changes = sums.capture(into: name, columns)
    // What constants of the SELECT mean must not depend on who writes. And nobody's statement fails for what a
    // view cannot compute, or for a column that has another name since.
    let zone =
      try connection.query(
        "SELECT coalesce((SELECT value FROM rivulet.setting WHERE name = 'time_zone'), 'UTC')")[0][0] ?? "UTC"
    try sums.makeQueue(name, columns)
    let settings =
      sums.shape.adds == .rows
      ? ""
      : """
      SET timezone = \(Quote.literal(zone)) SET datestyle FROM CURRENT SET intervalstyle FROM CURRENT
          SET standard_conforming_strings = on SET transform_null_equals = off
      """
    try connection.execute(
      """
      CREATE FUNCTION \(Quote.qualified(function))() RETURNS trigger
        SECURITY DEFINER SET search_path = pg_catalog, pg_temp \(settings) LANGUAGE plpgsql AS $rivulet$
        #variable_conflict use_column
        BEGIN
          \(try isPartitioned(on: connection) ? merge + unknownTables : "")
          IF TG_OP = 'INSERT' THEN
            \(changes.insert);
          ELSIF TG_OP = 'UPDATE' THEN
            \(changes.update);
          ELSE
            \(changes.delete);
          END IF;
          \(Self.wake)
          RETURN NULL;
        EXCEPTION WHEN OTHERS THEN
          \(mark("changed"))
        END
      $rivulet$;
      """)
    try DefaultPrivileges.revoke(onTable: name, on: connection)
    try DefaultPrivileges.revoke(onFunction: "\(Quote.qualified(function))()", on: connection)
  }

  private func isPartitioned(on connection: Connection) throws -> Bool {
    try connection.query(
      "SELECT relkind = 'p' FROM pg_class WHERE oid = rivulet.relation($1)", [.text(source)])[0].value(0)
  }

  /// What a function does where nothing says what changed: everything is computed, since the source was what
  /// the reason says.
  private func mark(_ reason: String) -> String {
    """
    INSERT INTO rivulet.view_mark (view, source, reason)
      VALUES (\(Quote.literal(view)), \(Quote.literal(source)), \(Quote.literal(reason)));
      RETURN NULL;
    """
  }

  /// What a function begins with where the source is partitioned: what a MERGE has updated there is not in the
  /// transition tables as it is.
  private var merge: String {
    """
    IF TG_OP = 'UPDATE' THEN
      DECLARE context text;
      BEGIN
        GET DIAGNOSTICS context = PG_CONTEXT;
        IF rivulet.may_be_merge(TG_RELID, context) THEN
          \(mark("changed by a MERGE"))
        END IF;
      END;
    END IF;

    """
  }

  /// What a function that adds changes up begins with where the source is partitioned: rows of a table that no
  /// refresh knows of must not be added, since that may have left the source again by the next one.
  ///
  /// A query of the function sees the tables that the statement has seen, and those that are being detached,
  /// and locks none: nobody waits for who is at work on another one. Tables of releases come and go with marks.
  private var unknownTables: String {
    let name = Quote.literal(view)
    let known = "FROM rivulet.view_source s WHERE s.view = \(name) AND s.position = \(position)"
    let mark = mark("given tables, and written to")
    return """
      IF EXISTS (
        WITH RECURSIVE tree (id) AS (
          SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = TG_RELID
          UNION ALL SELECT i.inhrelid FROM tree JOIN pg_inherits i ON i.inhparent = tree.id)
        SELECT FROM tree
        WHERE id::text NOT IN (SELECT unnest(s.partitions || s.releases) \(known))
          AND \(Self.isNoRelease)) THEN
        \(mark)
      END IF;
      \(Self.unlessSnapshotIsOld(mark, knowing: "SELECT unnest(s.releases) \(known)"))
      """
  }

  /// By the numbers of all of them, since each statement asks: names would be compared each with each.
  private static let isNoRelease = """
    id NOT IN (SELECT t.id FROM (SELECT rivulet.relation(r.partition)::oid AS id FROM rivulet.release_table r) t
          WHERE t.id IS NOT NULL)
    """

  /// A snapshot that is as old as the transaction says neither which tables there are nor which the last
  /// refresh knew: a table may have left, and come again, and leave. Then the triggers that the snapshot has of
  /// it are gone. The functions that name tables and triggers see what is there now; the first locks the
  /// tables, and whose lock it does not get at once is not waited for: the exception marks the view.
  private static func unlessSnapshotIsOld(_ mark: String, knowing releases: String) -> String {
    """
    IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
      DECLARE timeout constant text := current_setting('lock_timeout');
      BEGIN
        PERFORM set_config('lock_timeout', '10ms', true);
        IF EXISTS (
          SELECT FROM pg_partition_tree(TG_RELID) p(id)
          LEFT JOIN pg_trigger g ON g.tgrelid = p.id AND g.tgname = TG_NAME
          WHERE p.level > 0 AND pg_get_triggerdef(g.oid) IS NULL AND id::oid::text NOT IN (\(releases))
            AND \(isNoRelease)) THEN
          PERFORM set_config('lock_timeout', timeout, true);
          \(mark)
        END IF;
        PERFORM set_config('lock_timeout', timeout, true);
      END;
    END IF;
    """
  }

  /// Whether no two rows of the source are alike in what is remembered of them.
  private func holdsUniqueColumns(on connection: Connection) throws -> Bool {
    try connection.query(
      """
      SELECT EXISTS (
        SELECT FROM pg_index i WHERE i.indrelid = rivulet.relation($1) AND i.indisunique AND i.indimmediate
          AND i.indpred IS NULL AND i.indexprs IS NULL AND NOT EXISTS (
            SELECT FROM unnest(i.indkey[0:i.indnkeyatts - 1]) k(number)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
            WHERE a.attname <> ALL ($2)))
      """, [.text(source), .textArray(capture)])[0].value(0)
  }

  /// Puts the triggers on the source and what is under it.
  func watch(on connection: Connection) throws {
    try watch(try ChangeCapture.unwatched(view, on: connection)[position] ?? [], on: connection)
  }

  /// Puts the triggers on tables that lack them, by their quoted names: the source, and those under it that
  /// are written to by themselves.
  func watch(_ tables: [String], on connection: Connection) throws {
    if isOnShards, !tables.isEmpty { try connection.execute(Self.allowance) }
    for table in tables {
      let statements = Event.allCases.map { event in
        let call: String
        if capture.isEmpty || event == .truncate && !isOnShards {
          let words = [view, source, "\(number)_\(position)"].map(Quote.literal).joined(separator: ", ")
          call = "rivulet.mark_view(\(words))"
        } else {
          call = "\(Quote.qualified(function))()"
        }
        // ALWAYS: also what a session does that pretends to be a replica. What a TRUNCATE takes on shards must be
        // there still.
        let time = isOnShards && event == .truncate ? "BEFORE" : "AFTER"
        return [
          """
          CREATE OR REPLACE TRIGGER \(trigger(event)) \(time) \(event.rawValue) ON \(table)
            \(event.transition) FOR EACH STATEMENT EXECUTE FUNCTION \(call)
          """, "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER \(trigger(event))",
        ]
      }
      // Citus takes one at a time.
      if isOnShards {
        for statement in statements.joined() { try connection.execute(statement) }
      } else {
        try connection.execute(statements.joined().joined(separator: ";\n"))
      }
    }
  }

  /// Takes the triggers from tables that are under the source no more, by their quoted names.
  func leave(_ tables: [String], on connection: Connection) throws {
    for table in tables {
      let statements = Event.allCases.map { "DROP TRIGGER IF EXISTS \(trigger($0)) ON \(table)" }
      try connection.execute(statements.joined(separator: ";\n"))
    }
  }

  /// Removes the triggers, the function and the queue, as far as they are there.
  func drop(on connection: Connection) throws {
    let found = try connection.query(
      """
      SELECT format('DROP TRIGGER %I ON %I.%I', g.tgname, n.nspname, c.relname) FROM pg_trigger g
      JOIN pg_class c ON c.oid = g.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE g.tgname = ANY ($1)
      """, [.textArray(Event.allCases.map(trigger))])
    for row in found.rows { try connection.execute(try row.value(0)) }
    guard let queue else { return }
    try connection.execute("DROP FUNCTION IF EXISTS \(Quote.qualified(function))()")
    try connection.execute("DROP TABLE IF EXISTS \(Quote.qualified(queue))")
  }
}
