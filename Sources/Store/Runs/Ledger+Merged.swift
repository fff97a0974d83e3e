package import Definitions
package import PipelineCore
import PostgreSQL

extension Ledger {
  /// The published revision that changes are merged into: of a release that is named, or of the current one.
  package func publishedRelease(of pipeline: String, named release: String?) throws -> PublishedRelease? {
    let rows = try connection.query(
      """
      SELECT r.release, r.revision, r.effective_from, r.effective_to,
        ARRAY(SELECT t.target FROM rivulet.release_table t
          WHERE (t.pipeline, t.release, t.revision) = (r.pipeline, r.release, r.revision)),
        coalesce(r.holds_to, r.effective_from)
      FROM rivulet.release r
      WHERE r.pipeline = $1 AND r.state = 'published' AND r.effective_from IS NOT NULL
        AND r.release = coalesce($2, (SELECT c.release FROM rivulet.current_release c WHERE c.pipeline = $1))
      """, [.text(pipeline), Parameter(release)])
    return try rows.first.map { row in
      PublishedRelease(
        identity: ReleaseIdentity(
          name: try row.value(0), dates: EffectiveDates(from: try row.value(2), to: row[3])),
        revision: try row.value(1), beginning: try row.value(5), targets: try row.value(4))
    }
  }

  /// The file that a table's rows are in, or the table itself where it has parts; SQL for a name that is SQL.
  private static func storage(of table: String) -> String {
    "coalesce(pg_relation_filenode(rivulet.relation(\(table))), rivulet.relation(\(table))::oid)::bigint"
  }

  /// The periods that were merged into a revision, in the order in which that was done.
  package func periods(of base: PublishedRelease, pipeline: Pipeline) throws -> PeriodSequence {
    let rows = try connection.query(
      """
      SELECT m.run, m.source, m.period_from, m.period_to,
        ARRAY(SELECT DISTINCT f.file_sha256 FROM rivulet.source_file f
          WHERE (f.run, f.source) = (m.run, m.source) ORDER BY 1),
        ARRAY(SELECT DISTINCT f.sha256 FROM rivulet.source_file f
          WHERE (f.run, f.source) = (m.run, m.source) ORDER BY 1)
      FROM rivulet.merge m
      WHERE m.pipeline = $1 AND m.release = $2 AND m.revision = $3
      GROUP BY m.run, m.source, m.period_from, m.period_to ORDER BY m.run
      """, [.text(pipeline.name), .text(base.identity.name), .integer(base.revision)])
    return PeriodSequence(
      release: base.identity.name, beginning: base.beginning,
      changing: Set(pipeline.sources.filter(pipeline.changesOthers).map(\.name)),
      merged: try rows.rows.map { row in
        PeriodSequence.Merged(
          run: try row.value(0), source: try row.value(1),
          period: Period(from: try row.value(2), to: try row.value(3)), fileHashes: try row.value(4),
          entryHashes: try row.value(5))
      })
  }

  /// The last day of the changes that were merged into the published revision of a release; nil where none
  /// were.
  package func mergedUntil(_ release: String, pipeline: String) throws -> String? {
    try connection.query(
      """
      SELECT max(m.period_to) FROM rivulet.merge m JOIN rivulet.release r USING (pipeline, release, revision)
      WHERE m.pipeline = $1 AND m.release = $2 AND r.state = 'published'
      """, [.text(pipeline), .text(release)])[0][0]
  }

  /// The run that merged just these files with just these definitions, where nothing else was merged since
  /// into the tables that hold no releases, and nobody has emptied them or made them again.
  ///
  /// `content`: `source sha256`, of each entry.
  /// `digest`: what these are digests of.
  package func merged(
    _ content: Set<String>, by digest: ContentDigest, targets: [String], pipeline: Pipeline
  ) throws -> Published? {
    let rows = try connection.query(
      """
      WITH last AS (
        SELECT DISTINCT ON (m.target) m.run, m.target, m.storage FROM rivulet.merge m
        WHERE m.target = ANY ($3) AND m.release IS NULL ORDER BY m.target, m.run DESC)
      SELECT u.run FROM rivulet.run u
      WHERE u.pipeline = $1 AND u.definition_hash = $2 AND u.state = 'merged'
        AND (SELECT count(*) FROM last WHERE last.run = u.run
          AND last.storage = \(Self.storage(of: "last.target"))) = cardinality($3::text[])
        AND \(Self.content(ofRun: "u.run", by: digest)) = ARRAY(SELECT w FROM unnest($4::text[]) w ORDER BY 1)
      """,
      [
        .text(pipeline.name), .text(pipeline.definitionHash), .textArray(Set(targets).sorted()),
        .textArray(content.sorted()),
      ])
    return try rows.first.map { Published(run: try $0.value(0), revision: nil) }
  }

  /// The pipeline that has merged into one of some tables that hold no releases, where that is another one.
  package func rival(of pipeline: String, targets: [String]) throws -> (target: String, pipeline: String)? {
    try connection.query(
      """
      SELECT m.target, m.pipeline FROM rivulet.merge m
      WHERE m.target = ANY ($2) AND m.release IS NULL AND m.pipeline <> $1
        AND m.storage = \(Self.storage(of: "m.target"))
      ORDER BY m.run DESC LIMIT 1
      """, [.text(pipeline), .textArray(targets)]
    ).first.map { (try $0.value(0), try $0.value(1)) }
  }

  /// How many records of a source a revision was made of: no number of a record in it is higher.
  package func recordsRead(of source: String, into base: PublishedRelease, pipeline: String) throws -> Int {
    try connection.query(
      """
      SELECT coalesce(sum(f.records_read), 0)::bigint FROM rivulet.source_file f
      WHERE f.source = $4 AND f.run IN (
        SELECT l.run FROM rivulet.release r CROSS JOIN LATERAL rivulet.run_lineage(r.run) l
        WHERE r.pipeline = $1 AND r.release = $2 AND r.revision = $3
        UNION SELECT m.run FROM rivulet.merge m WHERE m.pipeline = $1 AND m.release = $2 AND m.revision = $3)
      """,
      [.text(pipeline), .text(base.identity.name), .integer(base.revision), .text(source)])[0].value(0)
  }

  /// Records what a run has merged, and how many rows the tables of its release have now.
  package func note(_ merges: [MergeReport], run: Int, pipeline: String, into base: PublishedRelease?) throws
  {
    for merge in merges {
      try connection.query(
        """
        WITH rows AS (
          UPDATE rivulet.release_table SET rows = rows + $8::bigint - $10::bigint
          WHERE pipeline = $4 AND release = $5 AND revision = $6::int AND target = $3
        )
        INSERT INTO rivulet.merge (run, source, target, pipeline, release, revision, period_from, period_to,
          inserted, updated, deleted, unchanged, storage)
        VALUES ($1, $2, $3, $4, $5, $6::int, $7, $12, $8::bigint, $9, $10::bigint, $11,
          CASE WHEN $5 IS NULL THEN \(Self.storage(of: "$3")) END)
        """,
        [
          .integer(run), .text(merge.source), .text(merge.target), .text(pipeline),
          Parameter(base?.identity.name), Parameter(base?.revision), Parameter(merge.period?.from),
          .integer(merge.inserted), .integer(merge.updated), .integer(merge.deleted),
          .integer(merge.unchanged), Parameter(merge.period?.to),
        ])
    }
  }

  /// What a run has merged, in the order of its tables.
  package func merges(ofRun run: Int) throws -> [MergeReport] {
    try connection.query(
      """
      SELECT source, target, period_from, period_to, inserted, updated, deleted, unchanged
      FROM rivulet.merge WHERE run = $1
        AND revision IS NOT DISTINCT FROM (SELECT revision FROM rivulet.run WHERE run = $1) ORDER BY ctid
      """, [.integer(run)]
    ).rows.map { row in
      var report = MergeReport(source: try row.value(0), target: try row.value(1))
      if let from = row[2], let to = row[3] { report.period = (from, to) }
      (report.inserted, report.updated) = (try row.value(4), try row.value(5))
      (report.deleted, report.unchanged) = (try row.value(6), try row.value(7))
      return report
    }
  }
}

extension Pipeline {
  /// Whether what a definition does with a source's rows reaches tables of other sources.
  fileprivate func changesOthers(_ source: Source) -> Bool {
    let own = [source.target] + childTargets(of: source)
    let named = [source.amendment, source.change].compactMap(\.self).flatMap(\.template.names)
    return named.contains { !own.contains($0) }
  }
}
