import Definitions
import PostgreSQL

/// What mended records are added to: the tables of the revision that their run made.
struct Replay: Sendable {
  /// The run that refused the records.
  let run: Int
  /// Empty where nothing can be added to it.
  let tables: [AmendedRelease.Table]
  private let refusal: (any Error)?

  /// Looks for the revision that a run made.
  ///
  /// Why nothing can be added to it is told by ``requireBase(unless:)``, as the same records may be there already.
  init(_ run: Int, release: String, pipeline: Pipeline, on connection: Connection) throws {
    self.run = run
    do {
      tables = try Self.tables(of: run, release, pipeline, connection)
      refusal = nil
    } catch let error where error is ReplayError || error is RunError {
      tables = []
      refusal = error
    }
  }

  /// Throws ``ReplayError`` where the run's release is not in its place, unless the records are there already.
  func requireBase(unless isThere: Bool) throws {
    if let refusal, !isThere { throw refusal }
  }

  private static func tables(
    of run: Int, _ release: String, _ pipeline: Pipeline, _ connection: Connection
  ) throws -> [AmendedRelease.Table] {
    let amending = pipeline.sources.filter { $0.amendment != nil }
    let row = try connection.query(
      """
      SELECT u.state, r.state IN ('published', 'staged'),
        (SELECT p.run FROM rivulet.release p
         WHERE (p.pipeline, p.release, p.state) = (u.pipeline, u.release, 'published')),
        (SELECT min(regexp_replace(coalesce(f.entry, f.file), '^.*/', '')) FROM rivulet.run_lineage($1) l
         JOIN rivulet.source_file f USING (run) WHERE f.source = ANY ($2)),
        (SELECT bool_or(f.source <> ALL ($2)) FROM rivulet.run_lineage($1) l
         JOIN rivulet.source_file f USING (run)),
        u.state = 'refused' AND NOT EXISTS (
          SELECT FROM rivulet.gate_result g WHERE g.run = u.run AND NOT g.passed AND NOT g.is_accepted)
      FROM rivulet.run u LEFT JOIN rivulet.release r USING (run) WHERE u.run = $1
      """, [.integer(run), .textArray(amending.map(\.name))])[0]
    guard try row.optional(1) ?? false else {
      throw ReplayError.notInPlace(
        run: run, state: RunState(rawValue: try row.value(0)) ?? .failed, by: try row.optional(2),
        isOverLimit: try row.value(5))
    }
    let own = try connection.query(
      """
      SELECT t.target, t.partition FROM rivulet.release_table t
      JOIN rivulet.release r USING (pipeline, release, revision) WHERE r.run = $1 ORDER BY t.target
      """, [.integer(run)]
    ).rows.map { AmendedRelease.Table(target: try $0.value(0), partition: try $0.value(1)) }
    guard let entry = row[3] else { return own }
    guard try row.optional(4) == false else { throw ReplayError.amendedAsLoaded(run: run, entry: entry) }
    // What amends is applied anew, to the tables as they were without it.
    let corrections = own.filter { table in amending.contains { $0.target == table.target } }
    return try AmendedRelease(release, pipeline: pipeline, on: connection).tables + corrections
  }

  /// How many records of a source are numbered already, where its layout numbers them; else 0.
  func records(of entry: HeadedEntry, on connection: Connection) throws -> Int {
    let column = entry.head.layout.columns.first { $0.origin == .recordNumber && !$0.isInternal }
    guard let column, let table = tables.first(where: { $0.target == entry.source.target }) else { return 0 }
    return try connection.query(
      "SELECT coalesce(max(\(Quote.identifier(column.name))), 0)::bigint FROM \(Quote.qualified(table.partition))"
    )[0].value(0)
  }
}
