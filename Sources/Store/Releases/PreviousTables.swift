package import Definitions
package import PipelineCore
package import PostgreSQL

/// The published tables that a release is held against: of each target that of the last release before it
/// that has one.
package struct PreviousTables {
  private let tables: [String: PreviousTable]

  package subscript(target: String) -> PreviousTable? { tables[target] }

  /// Tables that hold no releases, with what is in them; those without a row are as if they were not there.
  package init(asTheyAre targets: [String], on connection: Connection) throws {
    tables = try targets.reduce(into: [:]) { tables, target in
      let rows: Int = try connection.query("SELECT count(*) FROM \(Quote.qualified(target))")[0].value(0)
      if rows > 0 {
        tables[target] = PreviousTable(release: target, partition: target, rows: rows, lacking: nil)
      }
    }
  }

  /// The tables of the published revision of a release, which another is to replace; those of a sample where
  /// that is one, and only there.
  package init(
    replacedIn release: ReleaseIdentity, of pipeline: String, isSynthetic: Bool, on connection: Connection
  ) throws {
    let rows = try connection.query(
      """
      SELECT t.target, t.partition, t.rows, t.revision
      FROM rivulet.release_table t JOIN rivulet.release r USING (pipeline, release, revision)
      WHERE r.pipeline = $1 AND r.release = $2 AND r.state = 'published' AND r.synthetic = $3
        AND to_regclass(t.partition) IS NOT NULL
      """, [.text(pipeline), .text(release.name), .boolean(isSynthetic)])
    tables = try rows.rows.reduce(into: [:]) { tables, row in
      let revision: Int = try row.value(3)
      tables[try row.value(0, String.self)] = PreviousTable(
        release: "\(release.name) revision \(revision)", partition: try row.value(1), rows: try row.value(2),
        lacking: nil)
    }
  }

  /// Looks for the releases with the latest effective dates before that of a release; its own revisions and
  /// those of later releases do not count, nor those of another series, nor samples unless it is one.
  package init(
    before release: ReleaseIdentity, of pipeline: Pipeline, isSynthetic: Bool, on connection: Connection
  ) throws {
    let names = try connection.query(
      "SELECT DISTINCT release FROM rivulet.release WHERE pipeline = $1 AND state = 'published'",
      [.text(pipeline.name)]
    ).rows.map { try $0.value(0, String.self) }.filter {
      pipeline.release.areOfOneSeries($0, release.name)
    }
    let rows = try connection.query(
      """
      WITH earlier AS (
        SELECT release, revision, effective_from FROM rivulet.release
        WHERE pipeline = $1 AND state = 'published' AND release <> $2 AND effective_from < $3::date
          AND synthetic = $4 AND release = ANY ($5)
      ), last AS (
        SELECT DISTINCT ON (t.target) t.target, t.partition, t.rows, e.release, e.effective_from
        FROM earlier e JOIN rivulet.release_table t ON (t.pipeline, t.release, t.revision) = ($1, e.release, e.revision)
        WHERE to_regclass(t.partition) IS NOT NULL
        ORDER BY t.target, e.effective_from DESC, e.release DESC
      )
      SELECT target, release, partition, rows,
        (SELECT string_agg(e.release, ', ' ORDER BY e.effective_from, e.release) FROM earlier e
          WHERE (e.effective_from, e.release) > (last.effective_from, last.release))
      FROM last
      """,
      [
        .text(pipeline.name), .text(release.name), .text(release.dates.from), .boolean(isSynthetic),
        .textArray(names),
      ])
    let found = try rows.rows.map { row in
      (
        try row.value(0, String.self),
        PreviousTable(
          release: try row.value(1), partition: try row.value(2), rows: try row.value(3), lacking: row[4])
      )
    }
    tables = Dictionary(found) { first, _ in first }
  }
}
