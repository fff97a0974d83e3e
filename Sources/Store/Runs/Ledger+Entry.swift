import Definitions
package import PipelineCore
package import PostgreSQL
import Values

/// The statement that writes what a run records: a part for each kind of row, and none for what there is
/// nothing of.
extension Ledger {
  package static func parts(of entry: Entry) -> (sql: [String], parameters: [Parameter]) {
    var parts: [String] = []
    var parameters: [Parameter] = []
    func add(_ rows: [JSON], _ sql: (_ rows: String) -> String) {
      guard !rows.isEmpty else { return }
      parameters.append(.text(JSON.array(rows).text))
      parts.append(sql("json_to_recordset($\(parameters.count)::json)"))
    }
    add(entry.stages.enumerated().map { document($1, position: $0) }) { rows in
      """
      stages AS (
        INSERT INTO rivulet.run_stage AS s (run, position, stage, seconds, records)
        SELECT \(entry.run), n.* FROM \(rows) n(position int, stage text, seconds float8, records bigint)
        ON CONFLICT (run, stage) DO UPDATE SET seconds = excluded.seconds, records = excluded.records
          WHERE s.seconds IS NULL)
      """
    }
    add(entry.sources.map(document)) { rows in
      """
      sources AS (
        UPDATE rivulet.source_file f SET sha256 = n.sha256,
          file_sha256 = coalesce(nullif(f.file_sha256, ''), n.sha256), bytes = n.bytes, layout = n.layout,
          records_read = n.records_read, records_loaded = n.records_loaded,
          records_rejected = n.records_rejected, records_skipped = n.records_skipped,
          skipped_by = n.skipped_by, zeros_restored = n.zeros_restored, targets = n.targets,
          encoding = n.encoding, format = n.format, delimiter = n.delimiter
        FROM \(rows) n(source_file_id bigint, sha256 text, bytes bigint, layout text, records_read bigint,
          records_loaded bigint, records_rejected bigint, records_skipped bigint, skipped_by jsonb,
          zeros_restored jsonb, targets jsonb, encoding text, format text, delimiter text)
        WHERE f.source_file_id = n.source_file_id)
      """
    }
    add(entry.gates.map(document)) { rows in
      """
      gates AS (
        INSERT INTO rivulet.gate_result (run, rule, severity, passed, found, is_accepted, about)
        SELECT \(entry.run), n.* FROM \(rows) n(rule text, severity text, passed boolean, found bigint,
          is_accepted boolean, about text)
        ON CONFLICT (run, rule) DO NOTHING)
      """
    }
    add(entry.change.map { [document($0)] } ?? []) { rows in
      """
      change AS (
        INSERT INTO rivulet.release_change (run, target, from_release, from_revision, added, removed, changed)
        SELECT \(entry.run), n.* FROM \(rows) n(target text, from_release text, from_revision int, added bigint,
          removed bigint, changed bigint)
        ON CONFLICT (run) DO NOTHING)
      """
    }
    return (parts, parameters)
  }

  /// Records the digests of files on disk that were not known when a run began, by path.
  package func note(_ hashes: [String: String], run: Int) throws {
    for (path, sha256) in hashes {
      try connection.query(
        "UPDATE rivulet.source_file SET file_sha256 = $3 WHERE run = $1 AND file = $2 AND file_sha256 = ''",
        [.integer(run), .text(path), .text(sha256)])
    }
  }

  /// The stages of a run, in order.
  package static func document(_ stages: [StageReport]) -> String {
    JSON.array(stages.enumerated().map { document($1, position: $0) }).text
  }

  private static func document(_ stage: StageReport, position: Int) -> JSON {
    [
      "position": position, "stage": stage.stage,
      "seconds": stage.seconds.map { JSON.number(String($0)) }, "records": stage.records,
    ]
  }

  private static func document(_ source: SourceReport) -> JSON {
    [
      "source_file_id": source.sourceFileID, "sha256": source.sha256, "bytes": source.bytes,
      "layout": source.layout, "records_read": source.read, "records_loaded": source.loaded,
      "records_rejected": source.rejected, "records_skipped": source.skipped,
      "skipped_by": JSON.counts(source.skippedBy), "zeros_restored": JSON.counts(source.restoredZeros),
      "targets": JSON.counts(source.targets), "encoding": source.encoding, "format": source.format?.rawValue,
      "delimiter": source.delimiter.map { String(UnicodeScalar($0)) },
    ]
  }

  private static func document(_ change: ReleaseChange) -> JSON {
    [
      "target": change.table, "from_release": change.from, "from_revision": change.fromRevision,
      "added": change.added, "removed": change.removed, "changed": change.changed,
    ]
  }

  private static func document(_ gate: GateReport) -> JSON {
    [
      "rule": gate.rule, "severity": gate.severity.rawValue, "passed": gate.passed, "found": gate.found,
      "is_accepted": gate.isAccepted, "about": gate.about,
    ]
  }
}
