package import Definitions
package import PipelineCore
import PostgreSQL
import Records

extension Ledger {
  /// The run whose content is published.
  package struct Published {
    package let run: Int
    /// Nil where it was merged into tables that hold no releases.
    package let revision: Int?
    /// Its files were others: only what is in them is the same.
    package var isWrappedOtherwise = false

    package init(run: Int, revision: Int?) { (self.run, self.revision) = (run, revision) }
  }

  /// The run that published just these files with just these definitions, if its tables are still published.
  ///
  /// Where the release was amended since, that is the run which loaded what was amended: its content is
  /// published, amended, and loading it again would only undo the amendment. It is the same where refused
  /// records of it were corrected since; and a replay is looked for among all that were made of the published
  /// release.
  ///
  /// `content`: `source sha256`, of each entry.
  /// `digest`: what these are digests of.
  /// `amends`: whether any of them is of a source that amends the release.
  /// `replays`: the run whose corrected records they are.
  package func published(
    _ content: Set<String>, by digest: ContentDigest, as release: ReleaseIdentity, targets: [String],
    pipeline: Pipeline, amends: Bool, replays: Int?
  ) throws -> Published? {
    let candidates = try connection.query(
      """
      WITH revision AS (
        SELECT r.*, NOT EXISTS (
            SELECT FROM rivulet.source_file f WHERE f.run = r.run AND f.source = ANY ($6)) AS is_whole
        FROM rivulet.release r
        WHERE r.pipeline = $1 AND r.release = $2 AND r.state IN ('published', 'superseded')
      )
      SELECT u.run, shown.revision
      FROM revision shown
      JOIN revision r ON r.revision = CASE
        WHEN shown.is_whole OR $7 THEN shown.revision
        ELSE (SELECT max(b.revision) FROM revision b WHERE b.is_whole AND b.revision < shown.revision) END
      CROSS JOIN LATERAL rivulet.run_lineage(r.run) l
      JOIN rivulet.run u ON u.run = l.run AND u.replays IS NOT DISTINCT FROM $8::bigint
      WHERE shown.state = 'published' AND u.definition_hash = $3
        AND NOT EXISTS (
          SELECT FROM rivulet.release_table t
          WHERE (t.pipeline, t.release, t.revision) = (shown.pipeline, shown.release, shown.revision)
            AND NOT EXISTS (
              SELECT FROM pg_inherits i
              WHERE i.inhrelid = to_regclass(t.partition) AND i.inhparent = to_regclass(t.target)))
        AND ($8 IS NOT NULL OR ARRAY(SELECT t.target FROM rivulet.release_table t
          WHERE (t.pipeline, t.release, t.revision) = (r.pipeline, r.release, r.revision) ORDER BY 1)
          = ARRAY(SELECT DISTINCT w FROM unnest($5::text[]) w ORDER BY 1))
        AND \(Self.content(ofRun: "u.run", by: digest)) = ARRAY(SELECT w FROM unnest($4::text[]) w ORDER BY 1)
      """,
      [
        .text(pipeline.name), .text(release.name), .text(pipeline.definitionHash),
        .textArray(content.sorted()),
        .textArray(targets), .textArray(pipeline.sources.filter { $0.amendment != nil }.map(\.name)),
        .boolean(amends), Parameter(replays),
      ])
    guard let row = candidates.first else { return nil }
    return Published(run: try row.value(0), revision: try row.value(1))
  }

  /// What a run was made of, `source sha256` in order; SQL for a run that is SQL.
  static func content(ofRun run: String, by digest: ContentDigest) -> String {
    """
    ARRAY(SELECT DISTINCT f.source || ' ' || f.\(column(of: digest)) FROM rivulet.source_file f
      WHERE f.run = \(run) ORDER BY 1)
    """
  }

  private static func column(of digest: ContentDigest) -> String {
    switch digest {
    case .file: "file_sha256"
    case .entry: "sha256"
    }
  }

  /// Whether a pipeline has read entries of all of some sizes, in bytes: what differs in one of them is none
  /// that it knows.
  package func knowsEntries(ofSizes sizes: [Int], pipeline: String) throws -> Bool {
    try connection.query(
      """
      SELECT NOT EXISTS (SELECT FROM unnest($2::bigint[]) size WHERE NOT EXISTS (
        SELECT FROM rivulet.source_file f JOIN rivulet.run r USING (run)
        WHERE r.pipeline = $1 AND f.bytes = size AND f.sha256 IS NOT NULL))
      """, [.text(pipeline), .text("{\(sizes.map(String.init).joined(separator: ","))}")])[0].value(0)
  }

  /// Whether a pipeline has read a file of one of some sizes, in bytes.
  package func knowsFile(ofSizes sizes: [Int], pipeline: String) throws -> Bool {
    if sizes.isEmpty { return false }
    return try connection.query(
      """
      SELECT EXISTS (SELECT FROM rivulet.source_file f JOIN rivulet.run r USING (run)
        WHERE r.pipeline = $1 AND f.bytes = ANY ($2::bigint[]))
      """, [.text(pipeline), .text("{\(sizes.map(String.init).joined(separator: ","))}")])[0].value(0)
  }

  /// Another pipeline that has a release of a name in one of some tables, which several pipelines may share.
  package func owner(
    of release: String, targets: [String], besides pipeline: String
  ) throws -> (pipeline: String, target: String)? {
    try connection.query(
      """
      SELECT pipeline, target FROM rivulet.release_table
      WHERE release = $1 AND pipeline <> $2 AND target = ANY ($3) ORDER BY 1, 2 LIMIT 1
      """, [.text(release), .text(pipeline), .textArray(targets)]
    ).first.map { (try $0.value(0), try $0.value(1)) }
  }

  /// The tables of the published revision of a release, and how many rows they have.
  package func publishedTargets(of release: String, pipeline: String) throws -> [(target: String, rows: Int)]
  {
    try connection.query(
      """
      SELECT t.target, t.rows FROM rivulet.release_table t JOIN rivulet.release r USING (pipeline, release, revision)
      WHERE r.pipeline = $1 AND r.release = $2 AND r.state = 'published' ORDER BY 1
      """, [.text(pipeline), .text(release)]
    ).rows.map { (try $0.value(0), try $0.value(1)) }
  }

  /// The names of the files or entries that a source of the published revision of a release was read from.
  package func publishedEntries(of source: String, release: String, pipeline: String) throws -> [String] {
    try connection.query(
      """
      SELECT regexp_replace(coalesce(f.entry, f.file), '^.*/', '')
      FROM rivulet.release r CROSS JOIN LATERAL rivulet.run_lineage(r.run) l
      JOIN rivulet.source_file f ON f.run = l.run AND f.replays IS NULL
      WHERE r.pipeline = $1 AND r.release = $2 AND r.state = 'published' AND f.source = $3 ORDER BY 1
      """, [.text(pipeline), .text(release), .text(source)]
    ).rows.map { try $0.value(0) }
  }

  /// What the ledger says of a run's sources.
  package func sources(ofRun run: Int) throws -> [SourceReport] {
    try connection.query(
      """
      SELECT source_file_id, source, file, entry, sha256, bytes, layout, records_read, records_loaded,
        records_rejected,
        (SELECT string_agg(key || '=' || value, ',') FROM jsonb_each_text(skipped_by)),
        (SELECT string_agg(key || '=' || value, ',') FROM jsonb_each_text(targets)),
        encoding, format, delimiter,
        (SELECT string_agg(key || '=' || value, ',') FROM jsonb_each_text(zeros_restored))
      FROM rivulet.source_file WHERE run = $1 ORDER BY source_file_id
      """, [.integer(run)]
    ).rows.map { row in
      var report = SourceReport(
        sourceFileID: try row.value(0), source: try row.value(1), file: try row.value(2), entry: row[3])
      report.sha256 = row[4] ?? ""
      report.bytes = try row.optional(5) ?? 0
      report.layout = row[6] ?? ""
      report.isCounted = row[7] != nil
      report.read = try row.optional(7) ?? 0
      report.loaded = try row.optional(8) ?? 0
      report.rejected = try row.optional(9) ?? 0
      report.skippedBy = Ledger.counts(row[10])
      report.targets = Ledger.counts(row[11])
      report.encoding = row[12] ?? ""
      report.format = row[13].flatMap(Source.Format.init(rawValue:))
      report.delimiter = row[14]?.utf8.first
      report.restoredZeros = Ledger.counts(row[15])
      return report
    }
  }

  /// What a run's release changed; nil where that was not counted.
  package func change(ofRun run: Int) throws -> ReleaseChange? {
    try connection.query(
      """
      SELECT target, from_release, from_revision, added, removed, changed
      FROM rivulet.release_change WHERE run = $1
      """, [.integer(run)]
    ).first.map { row in
      ReleaseChange(
        table: try row.value(0), from: try row.value(1), fromRevision: try row.value(2),
        added: try row.value(3), removed: try row.value(4), changed: try row.value(5))
    }
  }

  /// Reads `a=1,b=2`.
  private static func counts(_ text: String?) -> [String: Int] {
    var counts: [String: Int] = [:]
    for pair in (text ?? "").split(separator: ",") {
      let parts = pair.split(separator: "=")
      if parts.count == 2 { counts[String(parts[0])] = Int(parts[1]) }
    }
    return counts
  }
}
