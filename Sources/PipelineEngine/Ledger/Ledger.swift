import Definitions
import PostgreSQL
import Records
import Values

/// The record of runs, written through a connection of its own as the run goes, so that a run that fails is
/// recorded too.
struct Ledger {
  let connection: Connection

  /// Notes that a run has begun and gives its number.
  func begin(pipeline: String, release: String?, definitionHash: String, programVersion: String) throws
    -> Int
  {
    try connection.query(
      """
      INSERT INTO rivulet.run (pipeline, release, state, definition_hash, program_version)
      VALUES ($1, $2, 'running', $3, $4) RETURNING run
      """,
      [.text(pipeline), Parameter(release), .text(definitionHash), .text(programVersion)])[0].value(0)
  }

  /// Notes where the rows will come from and gives the number that they will carry, in the order of `files`.
  func addSources(_ sources: [BundleEntry], run: Int, fileHashes: [String: String]) throws -> [Int] {
    try sources.map { source in
      try connection.query(
        """
        INSERT INTO rivulet.source_file (run, source, file, entry, file_sha256)
        VALUES ($1, $2, $3, $4, $5) RETURNING source_file_id
        """,
        [
          .integer(run), .text(source.source.name), .text(source.entry.path), Parameter(source.entry.entry),
          Parameter(fileHashes[source.entry.path]),
        ])[0].value(0)
    }
  }

  /// Notes what became of the records of the sources.
  func recordSources(_ reports: [SourceReport]) throws {
    for report in reports {
      try connection.query(
        """
        UPDATE rivulet.source_file SET sha256 = $2, bytes = $3, layout = $4, records_read = $5,
          records_loaded = $6, records_rejected = $7, records_skipped = $8, skipped_by = $9, targets = $10,
          encoding = $11
        WHERE source_file_id = $1
        """,
        [
          .integer(report.sourceFileID), .text(report.sha256), .integer(report.bytes), .text(report.layout),
          .integer(report.read), .integer(report.loaded), .integer(report.rejected),
          .integer(report.skipped), .text(JSON.counts(report.skippedBy).text),
          .text(JSON.counts(report.targets).text), .text(report.encoding),
        ])
    }
  }

  /// Keeps refused records as they stood in their source.
  func keepRejects(_ rejects: [Reject], sourceFileID: Int) throws {
    guard !rejects.isEmpty else { return }
    try connection.copy(
      into: "rivulet.reject",
      columns: ["source_file_id", "line", "byte_offset", "column_name", "rule", "raw"]
    ) { buffer in
      for reject in rejects {
        buffer.field(sourceFileID)
        buffer.field(reject.line)
        buffer.field(reject.byteOffset)
        if let column = reject.column { buffer.field(column) } else { buffer.null() }
        buffer.field(reject.rule)
        buffer.field(Parameter.bytes(reject.raw).textForm)
        try buffer.endRow()
      }
    }
  }

  func recordGates(_ gates: [GateReport], run: Int) throws {
    for gate in gates {
      try connection.query(
        """
        INSERT INTO rivulet.gate_result (run, rule, severity, passed, found, is_accepted, about)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        [
          .integer(run), .text(gate.rule), .text(gate.severity.rawValue), .boolean(gate.passed),
          .integer(gate.found), .boolean(gate.isAccepted), .text(gate.about),
        ])
    }
  }

  func recordStages(_ stages: [StageReport], run: Int) throws {
    for stage in stages {
      try connection.query(
        "INSERT INTO rivulet.run_stage (run, stage, seconds, records) VALUES ($1, $2, $3, $4)",
        [
          .integer(run), .text(stage.stage), stage.seconds.map { .double($0) } ?? .null,
          Parameter(stage.records),
        ])
    }
  }

  /// Notes how a run ended. The state `published` is not set here but with the publishing itself.
  func end(run: Int, state: RunState, revision: Int?, error: String?) throws {
    try connection.query(
      """
      UPDATE rivulet.run SET state = $2, revision = $3, error = $4, finished_at = clock_timestamp()
      WHERE run = $1
      """,
      [.integer(run), .text(state.rawValue), Parameter(revision), Parameter(error)])
  }
}
