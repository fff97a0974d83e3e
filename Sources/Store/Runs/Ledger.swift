import Definitions
package import PipelineCore
package import PostgreSQL
import Records
import Values

/// The record of runs, written through a connection of its own as the run goes, so that a run that fails is
/// recorded too, and others see how far one has come.
///
/// What a run records is written in one round trip, and comes out the same when it is written twice. What asks
/// or writes throws `PostgreSQLError` where a statement fails.
package struct Ledger {
  package let connection: Connection

  /// The ledger of one database.
  package init(connection: Connection) { self.connection = connection }

  /// What is known of a run when it begins.
  package struct Beginning {
    package let pipeline: String
    package let release: String?
    package let definitionHash: String
    package let programVersion: String
    /// The run whose refused records it loads, corrected.
    package let replays: Int?
    /// Where the rows will come from, with the SHA-256 of the file on disk; empty where that is known only
    /// when it is read.
    package let sources: [(entry: BundleEntry, fileHash: String)]
    package let stages: [StageReport]
    /// What the bundle lacks, for the user.
    package let missing: [String]

    package init(
      pipeline: String, release: String?, definitionHash: String, programVersion: String, replays: Int?,
      sources: [(entry: BundleEntry, fileHash: String)], stages: [StageReport],
      missing: [String]
    ) {
      self.pipeline = pipeline
      self.release = release
      self.definitionHash = definitionHash
      self.programVersion = programVersion
      self.replays = replays
      self.sources = sources
      self.stages = stages
      self.missing = missing
    }
  }

  /// Records that a run has begun, and gives its number and those that the rows of its sources will carry.
  package func begin(_ beginning: Beginning) throws -> (run: Int, sourceFileIDs: [Int]) {
    let sources = JSON.array(of: beginning.sources.enumerated()) { place, source in
      [
        "place": place, "source": source.entry.source.name, "file": source.entry.entry.path,
        "entry": source.entry.entry.entry, "file_sha256": source.fileHash, "replays": source.entry.replays,
      ]
    }
    let row = try connection.query(
      """
      WITH begun AS (
        INSERT INTO rivulet.run (pipeline, release, state, definition_hash, program_version, replays, missing)
        VALUES ($1, $2, 'running', $3, $4, $7, $8) RETURNING run
      ), stages AS (
        INSERT INTO rivulet.run_stage (run, position, stage, seconds)
        SELECT run, position, stage, seconds
        FROM begun, json_to_recordset($5::json) s(position int, stage text, seconds float8)
      ), sources AS (
        INSERT INTO rivulet.source_file (run, source, file, entry, file_sha256, replays)
        SELECT run, source, file, entry, file_sha256, replays
        FROM begun, json_to_recordset($6::json) f(place int, source text, file text, entry text, file_sha256 text,
          replays bigint)
        ORDER BY place RETURNING source_file_id
      )
      SELECT run, ARRAY(SELECT source_file_id FROM sources ORDER BY 1) FROM begun
      """,
      [
        .text(beginning.pipeline), Parameter(beginning.release), .text(beginning.definitionHash),
        .text(beginning.programVersion), .text(Ledger.document(beginning.stages)),
        .text(sources.text), Parameter(beginning.replays), .textArray(beginning.missing),
      ])[0]
    return (try row.value(0), try row.value(1))
  }

  /// What has become of a run since something was recorded last.
  package struct Entry {
    package let run: Int
    /// All of its stages so far; those that are recorded as ended already stay as they are.
    package var stages: [StageReport] = []
    package var sources: [SourceReport] = []
    package var gates: [GateReport] = []
    package var change: ReleaseChange?

    package init(
      run: Int, stages: [StageReport] = [], sources: [SourceReport] = [], gates: [GateReport] = [],
      change: ReleaseChange? = nil
    ) {
      self.run = run
      self.stages = stages
      self.sources = sources
      self.gates = gates
      self.change = change
    }
  }

  /// Records how far a run has come.
  package func note(_ entry: Entry) throws {
    let (parts, parameters) = Ledger.parts(of: entry)
    guard !parts.isEmpty else { return }
    try connection.query("WITH \(parts.joined(separator: ", ")) SELECT", parameters)
  }

  /// Records how a run has ended. A run is published by this too, in the transaction that publishes its
  /// release.
  ///
  /// False where the run had ended already: a COMMIT whose answer was lost has done it, or another run took
  /// it for dead.
  package func end(_ entry: Entry, state: RunState, revision: Int?, error: String?) throws -> Bool {
    var (parts, parameters) = Ledger.parts(of: entry)
    let count = parameters.count
    parameters += [.integer(entry.run), .text(state.rawValue), Parameter(revision), Parameter(error)]
    parts.append(
      """
      ended AS (
        UPDATE rivulet.run SET state = $\(count + 2), revision = $\(count + 3)::int, error = $\(count + 4),
          finished_at = greatest(clock_timestamp(), started_at, \(PublicationMoment.last(of: "run.pipeline")))
        WHERE run = $\(count + 1) AND state = 'running' RETURNING run)
      """)
    return try connection.query("WITH \(parts.joined(separator: ", ")) SELECT FROM ended", parameters).count
      > 0
  }

  /// The state of a run; nil where there is none of that number.
  package func state(of run: Int) throws -> RunState? {
    try connection.query("SELECT state FROM rivulet.run WHERE run = $1", [.integer(run)]).first.flatMap {
      RunState(rawValue: try $0.value(0))
    }
  }

  /// Whether a run is not there.
  package func isMissing(_ run: Int) throws -> Bool { try state(of: run) == nil }

  /// Whether a stage of a run was recorded.
  package func has(_ stage: String, of run: Int) throws -> Bool {
    try connection.query(
      "SELECT FROM rivulet.run_stage WHERE run = $1 AND stage = $2", [.integer(run), .text(stage)]
    ).count > 0
  }

  /// How a run has ended.
  package struct Ended: Sendable {
    /// Its state.
    package let state: RunState
    /// The revision that it published, staged or merged into.
    package let revision: Int?
  }

  /// How a run has ended; nil where there is none of that number.
  package func ended(run: Int) throws -> Ended? {
    try connection.query("SELECT state, revision FROM rivulet.run WHERE run = $1", [.integer(run)])
      .first.flatMap { row in
        try RunState(rawValue: try row.value(0)).map { Ended(state: $0, revision: try row.optional(1)) }
      }
  }
}
