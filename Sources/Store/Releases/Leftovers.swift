import PipelineCore
public import PostgreSQL

/// Tables that nobody will ask for again.
public enum Leftovers {
  /// Drops the tables of releases whose target is gone, as after `migrate down`, and forgets the releases.
  /// To be called in the transaction that dropped the targets.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public static func clearOrphans(on connection: Connection) throws {
    try clearAllUnfinished(on: connection)
    let orphans = try connection.query(
      """
      SELECT t.pipeline, t.release, t.revision, t.partition, t.target
      FROM rivulet.release_table t WHERE to_regclass(t.target) IS NULL
      """)
    for row in orphans.rows {
      let partition: String = try row.value(3)
      // Who loads writes these rows, and who migrates drops what they name: that it was staged is looked at.
      try connection.query("SELECT rivulet.drop_staged($1)", [.textArray([partition])])
      try connection.query(
        "DELETE FROM rivulet.release_table WHERE partition = $1", [.text(partition)])
      try connection.query(
        """
        UPDATE rivulet.release SET missing_tables = missing_tables || $4::text
        WHERE pipeline = $1 AND release = $2 AND revision = $3::int
        """, [Parameter(row[0]), Parameter(row[1]), Parameter(row[2]), Parameter(row[4])])
    }
    // A release without its tables is no release; the ledger keeps the runs that loaded it.
    try connection.execute(
      """
      WITH gone AS (
        DELETE FROM rivulet.release r WHERE NOT EXISTS (
          SELECT FROM rivulet.release_table t
          WHERE (t.pipeline, t.release, t.revision) = (r.pipeline, r.release, r.revision))
        RETURNING r.pipeline, r.release, r.revision
      ), mark AS (
        \(ViewMarks.ofPointer("'changed: releases went with their tables'", where: "EXISTS (SELECT FROM gone)"))
      )
      UPDATE rivulet.publication p SET undone_at = \(PublicationMoment.now(of: "p.pipeline")) FROM gone g
      WHERE (p.pipeline, p.release, p.revision) = (g.pipeline, g.release, g.revision)
        AND p.undone_at IS NULL
      """)
  }

  /// Keeps runs of all pipelines away for as long as the connection lives.
  ///
  /// Throws ``ReleaseOperationError/busy(pipeline:)`` where one is at work and does not end in time, and
  /// ``RunError/behindPooler`` where the locks would stay in a session of a pool.
  public static func keepRunsAway(
    of pipelines: [String], on connection: Connection, waiting seconds: Double
  ) throws {
    if try TransactionPooler.isBehind(connection) { throw RunError.behindPooler }
    for pipeline in pipelines {
      guard
        try connection.acquireLock(RunLock.name(pipeline), waiting: max(seconds, Connection.leastLockWait))
      else {
        throw ReleaseOperationError.busy(pipeline: pipeline)
      }
    }
  }

  /// The same for every pipeline that no run is at work on.
  private static func clearAllUnfinished(on connection: Connection) throws {
    let pipelines = try connection.query("SELECT DISTINCT pipeline FROM rivulet.run WHERE state = 'running'")
    for row in pipelines.rows {
      let pipeline: String = try row.value(0)
      guard try connection.acquireLock(RunLock.name(pipeline)) else { continue }
      defer { _ = try? connection.releaseLock(RunLock.name(pipeline)) }
      try clearUnfinished(pipeline: pipeline, on: connection)
    }
  }

  /// Drops what runs of a pipeline that never ended left behind. To be called under the pipeline's lock,
  /// which proves that no run is at work.
  package static func clearUnfinished(pipeline: String, on connection: Connection) throws {
    // Ended runs too: a table may have been committed after its run was taken for dead. Tables of releases
    // keep their mark, and are not asked for one by one.
    let runs = try connection.query(
      """
      SELECT u.run, u.state = 'running' FROM rivulet.run u
      WHERE u.pipeline = $1 AND (u.state = 'running' OR $2 || u.run IN (
        SELECT d.description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
        WHERE d.classoid = 'pg_class'::regclass AND d.objsubid = 0 AND starts_with(d.description, $2)
          AND c.relkind = 'r' AND NOT c.relispartition
          AND NOT EXISTS (SELECT FROM rivulet.release_table t WHERE to_regclass(t.partition) = c.oid)))
      """, [.text(pipeline), .text(markStart)])
    for row in runs.rows {
      let run: Int = try row.value(0)
      try dropStaged(run: run, on: connection)
      guard try row.value(1) else { continue }
      try RejectStore.clear(unfinished: run, on: connection)
      try connection.query(
        """
        UPDATE rivulet.run SET state = 'failed',
          finished_at = greatest(clock_timestamp(), started_at, \(PublicationMoment.last(of: "run.pipeline"))),
          error = 'the program ended before the run did'
        WHERE run = $1 AND state = 'running'
        """, [.integer(run)])
    }
  }

  /// Drops the tables that a run staged and that no release refers to.
  package static func dropStaged(run: Int, on connection: Connection) throws {
    try connection.query(
      """
      SELECT rivulet.drop_staged(array_agg(n.nspname || '.' || c.relname))
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND NOT c.relispartition AND obj_description(c.oid, 'pg_class') = $1
        AND NOT EXISTS (SELECT FROM rivulet.release_table t
          WHERE to_regclass(t.partition) = c.oid)
      """, [.text(mark(run: run))])
  }

  /// The comment on a staged table that says whose it is.
  package static func mark(run: Int) -> String { markStart + String(run) }

  /// How the comment of a staged table begins.
  package static let markStart = "rivulet: staged by run "
}
