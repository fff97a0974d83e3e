import Definitions
public import PostgreSQL

/// A run as the ledger has it.
public struct RunRow: Sendable {
  /// The run, with its sources, stages and gates where they were asked for.
  public var report: RunReport
  /// When it began, ISO 8601.
  public let startedAt: String
  /// How long it took, in seconds; nil while it is at work, or when it never ended.
  public let seconds: Double?
  /// Why it did not end well.
  public let error: String?
  /// The version of the program that ran it.
  public let programVersion: String
}

/// The ledger, read.
public struct RunHistory {
  private let connection: Connection

  /// The ledger of one database.
  public init(connection: Connection) { self.connection = connection }

  /// The newest runs, without their details.
  public func list(limit: Int) throws -> [RunRow] {
    try rows("ORDER BY run DESC LIMIT $1", [.integer(limit)])
  }

  /// One run with all that is known of it; nil when there is none of that number.
  public func show(_ run: Int) throws -> RunRow? {
    guard var row = try rows("WHERE run = $1", [.integer(run)]).first else { return nil }
    row.report.seconds = row.seconds ?? 0
    row.report.sources = try Ledger(connection: connection).sources(ofRun: run)
    row.report.stages = try connection.query(
      "SELECT stage, seconds, records FROM rivulet.run_stage WHERE run = $1 ORDER BY ctid", [.integer(run)]
    ).rows.map {
      StageReport(stage: try $0.value(0), seconds: try $0.value(1), records: try $0.optional(2))
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
        extract(epoch FROM finished_at - started_at)::float8, error, program_version
      FROM rivulet.run \(clause)
      """, parameters
    ).rows.map { row in
      RunRow(
        report: RunReport(
          run: try row.value(0), pipeline: try row.value(1), release: row[2], revision: try row.optional(3),
          state: RunState(rawValue: try row.value(4)) ?? .failed),
        startedAt: try row.value(5), seconds: try row.optional(6), error: row[7],
        programVersion: try row.value(8))
    }
  }
}
