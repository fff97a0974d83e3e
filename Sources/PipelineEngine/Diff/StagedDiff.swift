import Definitions
import PostgreSQL

/// What publishing a staged release would change for its readers.
public struct StagedDiff: Sendable {
  /// The published release that it is held against: the same one, else the one in effect before it.
  public let from: String
  /// Its published revision.
  public let fromRevision: Int
  /// The staged release.
  public let to: String
  /// What differs, in the order of the pipeline's sources; the first is the main table.
  public let tables: [TableDiff]

  /// Compares staged tables with what is published; nil where nothing is that they could be held against.
  ///
  /// To be called under the pipeline's lock, which keeps what is published where it is.
  /// - Parameter staged: by target.
  init?(
    _ staged: [String: StagedTable], of release: ReleaseIdentity, pipeline: Pipeline,
    on connection: Connection
  ) throws {
    guard let base = try Self.base(of: release, pipeline: pipeline.name, on: connection) else { return nil }
    from = base.release
    fromRevision = base.revision
    to = release.name
    let lacking = pipeline.lackedTargets(by: Array(staged.keys))
    tables = try ComparedTable.all(of: pipeline, on: connection).map { table in
      let missing: [TableDiff.Side] =
        (base.missing.contains(table.name) ? [.from] : []) + (lacking.contains(table.name) ? [.to] : [])
      return try TableDiff(
        table, from: ComparedSide(relation: table.name, release: base.release),
        to: ComparedSide(relation: staged[table.name]?.name ?? table.name, release: release.name),
        missingIn: missing, on: connection)
    }
  }

  /// The published revision of the release, else the published release with the latest effective date before it.
  static func base(
    of release: ReleaseIdentity, pipeline: String, on connection: Connection
  ) throws -> (release: String, revision: Int, missing: [String])? {
    let rows = try connection.query(
      """
      SELECT release, revision, m.name
      FROM (
        SELECT release, revision, missing_tables FROM rivulet.release
        WHERE pipeline = $1 AND state = 'published'
          AND (release = $2 OR (effective_from, release) < ($3::date, $2))
        ORDER BY release = $2 DESC, effective_from DESC, release DESC LIMIT 1) base
      LEFT JOIN LATERAL unnest(missing_tables) m(name) ON true
      """, [.text(pipeline), .text(release.name), .text(release.dates.from)])
    guard let first = rows.first else { return nil }
    return (try first.value(0), try first.value(1), rows.rows.compactMap { $0[2] })
  }
}
