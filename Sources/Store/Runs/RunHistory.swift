import Definitions
public import PipelineCore
public import PostgreSQL

/// A run as the ledger has it.
public struct RunRow: Sendable {
  /// The run, with its sources, stages and gates where they were asked for.
  public var report: RunReport
  /// When it began, ISO 8601.
  public let startedAt: String
  /// When it ended, ISO 8601; nil while it is at work.
  public let finishedAt: String?
  /// How long it took or has taken so far, in seconds.
  public let seconds: Double
  /// The stage that it is in, while it is at work and where that is recorded.
  public let stage: String?
  /// Why it did not end well.
  public let error: String?
  /// The version of the program that ran it.
  public let programVersion: String
  /// The digest of the pipeline's definition.
  public let definitionHash: String
  /// The files that its rows come from.
  public let files: [String]
  /// The run whose refused records it loaded, corrected.
  public let replays: Int?
}

/// The ledger, read.
public struct RunHistory {
  package let connection: Connection

  /// The ledger of one database.
  public init(connection: Connection) { self.connection = connection }

  /// The newest runs, without their details: of one pipeline or in one state, where that is asked for.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func list(pipeline: String? = nil, state: RunState? = nil, limit: Int) throws -> [RunRow] {
    try rows(
      """
      WHERE ($1::text IS NULL OR pipeline = $1) AND ($2::text IS NULL OR state = $2)
      ORDER BY run DESC LIMIT $3
      """, [Parameter(pipeline), Parameter(state?.rawValue), .integer(limit)])
  }

  /// One run without its details; nil when there is none of that number.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func find(_ run: Int) throws -> RunRow? {
    try rows("WHERE run = $1", [.integer(run)]).first
  }

  /// A run with all that is known of it.
  /// - Throws: `PostgreSQLError` where a statement fails.
  public func detailed(_ found: RunRow) throws -> RunRow {
    var row = found
    let run = row.report.run
    row.report.seconds = row.seconds
    row.report.sources = try Ledger(connection: connection).sources(ofRun: run)
    row.report.merges = try Ledger(connection: connection).merges(ofRun: run)
    row.report.change = try Ledger(connection: connection).change(ofRun: run)
    row.report.rejects = try RejectHistory(connection: connection).reasons(ofRun: run)
    row.report.stages = try connection.query(
      "SELECT stage, seconds, records FROM rivulet.run_stage WHERE run = $1 ORDER BY position, ctid",
      [.integer(run)]
    ).rows.map {
      StageReport(stage: try $0.value(0), seconds: try $0.optional(1), records: try $0.optional(2))
    }
    row.report.gates = try connection.query(
      "SELECT rule, severity, passed, found, is_accepted, about FROM rivulet.gate_result WHERE run = $1 ORDER BY ctid",
      [.integer(run)]
    ).rows.map {
      var gate = GateReport(
        rule: try $0.value(0), severity: Check.Severity(rawValue: try $0.value(1)) ?? .fail,
        passed: try $0.value(2), found: try $0.value(3), about: $0[5] ?? "")
      gate.isAccepted = try $0.value(4)
      return gate
    }
    return row
  }

  private func rows(_ clause: String, _ parameters: [Parameter]) throws -> [RunRow] {
    try connection.query(
      """
      SELECT run, pipeline, release, revision, state,
        to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        extract(epoch FROM coalesce(finished_at, clock_timestamp()) - started_at)::float8,
        CASE WHEN state = 'running' THEN (SELECT s.stage FROM rivulet.run_stage s
          WHERE s.run = r.run AND s.seconds IS NULL ORDER BY s.position DESC LIMIT 1) END,
        error, program_version, definition_hash, replays,
        missing,
        ARRAY(SELECT DISTINCT f.file FROM rivulet.source_file f WHERE f.run = r.run ORDER BY 1)
      FROM rivulet.run r \(clause)
      """, parameters
    ).rows.map { row in
      var report = RunReport(
        run: try row.value(0), pipeline: try row.value(1), release: row[2], revision: try row.optional(3),
        state: RunState(rawValue: try row.value(4)) ?? .failed)
      report.missing = try row.value(13)
      return RunRow(
        report: report, startedAt: try row.value(5), finishedAt: row[6], seconds: try row.value(7),
        stage: row[8], error: row[9], programVersion: try row.value(10),
        definitionHash: try row.value(11), files: try row.value(14),
        replays: try row.optional(12))
    }
  }
}

extension RunHistory {
  /// What the release of a run changes against the one before it, where the run has counted that.
  /// - Throws: `PostgreSQLError` where the statement fails.
  public func change(ofRun run: Int) throws -> ReleaseChange? {
    try Ledger(connection: connection).change(ofRun: run)
  }
}
