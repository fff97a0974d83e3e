import Definitions
import PostgreSQL

/// The tables of a loaded release that a bundle of nothing but amendments amends, or that mended records are added to.
struct AmendedRelease: Sendable {
  /// The table that holds the rows of a target.
  struct Table: Sendable {
    let target: String
    let partition: String
  }

  let tables: [Table]

  private init(tables: [Table]) { self.tables = tables }

  /// What a source adds to; nil where it brings all of its release itself.
  init?(of found: Discovered, pipeline: Pipeline, on connection: Connection) throws {
    if let replay = found.replay {
      self.init(tables: replay.tables)
    } else if found.isAmendment, let release = found.release {
      try self.init(release.name, pipeline: pipeline, on: connection)
    } else {
      return nil
    }
  }

  /// The last revision of a release that brought its tables, as each amendment takes the place of the one before.
  ///
  /// Throws ``RunError/nothingToAmend(release:)`` where there is none, and ``RunError/amendedAsLoaded(release:by:)``
  /// where its tables were amended as they were loaded, so that nobody has them as they were before.
  init(_ release: String, pipeline: Pipeline, on connection: Connection) throws {
    let amending = pipeline.sources.filter { $0.amendment != nil }.map(\.name)
    let rows = try connection.query(
      """
      SELECT t.target, t.partition, base.amended_by
      FROM (
        SELECT r.pipeline, r.release, r.revision, min(f.entry) FILTER (WHERE f.source = ANY ($3)) AS amended_by
        FROM rivulet.release r
        JOIN (SELECT run, source, coalesce(entry, regexp_replace(file, '^.*/', '')) AS entry
          FROM rivulet.source_file) f USING (run)
        WHERE r.pipeline = $1 AND r.release = $2 AND r.state IN ('published', 'superseded')
        GROUP BY r.pipeline, r.release, r.revision HAVING bool_or(f.source <> ALL ($3))
        ORDER BY r.revision DESC LIMIT 1) base
      JOIN rivulet.release_table t USING (pipeline, release, revision)
      ORDER BY t.target
      """, [.text(pipeline.name), .text(release), .textArray(amending)])
    guard let first = rows.first else { throw RunError.nothingToAmend(release: release) }
    if let amending = first[2] { throw RunError.amendedAsLoaded(release: release, by: amending) }
    tables = try rows.rows.map { Table(target: try $0.value(0), partition: try $0.value(1)) }
  }
}

/// Copies a table of the amended release into a staged table.
struct TableCopy: Sendable {
  let from: AmendedRelease.Table
  let to: StagedTable

  func run(on connection: Connection) throws {
    try connection.transaction {
      try to.create(on: connection)
      _ = try to.copy(from: from.partition, on: connection)
      // What was a key there is one here.
      _ = try to.index(key: [], on: connection)
    }
  }
}
