/// What marks derived views as stale when releases come and go.
///
/// Rows that come by ATTACH and go by DETACH fire no trigger. So each change leaves marks in its own
/// transaction: for every view and every table of the release that it reads, and for every view that asks
/// which release is current. They are part of a statement that is sent anyway: a dataset that nobody derives
/// anything from pays nothing for it.
package enum ViewMarks {
  /// Common table expressions that mark what reads the release `$2` of the pipeline `$1`, of which the
  /// revision `$3` is published and the revision `$4` goes; either may be null.
  package static let ofChange = """
    WITH mark AS (
      \(ofTables(
        "CASE WHEN t.revision = $3 THEN format('changed: release %s came', t.release) "
          + "ELSE format('changed: revision %s of release %s went', t.revision, t.release) END",
        where: "t.pipeline = $1 AND t.release = $2 AND t.revision IN ($3, $4)"))
    ), pointer AS (
      \(ofPointer(
        "format('changed: release %s of %s %s', $2::text, $1::text, CASE WHEN $3 IS NULL THEN 'went' ELSE 'came' END)"))
    )
    """

  /// A statement that marks what asks which releases there are, and which is current.
  ///
  /// `reason`: an expression for what can follow `rivulet.release was`.
  package static func ofPointer(_ reason: String, where condition: String = "true") -> String {
    """
    INSERT INTO rivulet.view_mark (view, source, reason)
      SELECT s.view, s.source, \(reason) FROM rivulet.view_source s
      WHERE s.source = 'rivulet.release' AND \(condition)
    """
  }

  /// A statement that marks what reads one of the tables `$1` and learns of changes of their rows by marks alone, as
  /// where Citus distributes the releases of a table: rows were merged into it.
  package static let ofMerge = """
    INSERT INTO rivulet.view_mark (view, source, reason)
      SELECT DISTINCT s.view, s.source, 'changed by a merge' FROM unnest($1::text[]) t(target)
      \(readers) WHERE s.placed = 'marks'
    """

  /// A statement that marks what reads tables `t` of `rivulet.release_table`, also by way of a table that the
  /// target is a partition of. Where the view tells groups by the rows of the source it gets the table; else
  /// everything is to be computed.
  package static func ofTables(_ reason: String, where condition: String) -> String {
    """
    INSERT INTO rivulet.view_mark (view, source, release, partition, reason)
      SELECT s.view, s.source, CASE s.change WHEN 'groups' THEN t.release END,
        CASE s.change WHEN 'groups' THEN t.partition END, \(reason)
      FROM rivulet.release_table t \(readers)
      WHERE \(condition)
    """
  }

  /// What reads the target of a row `t`, or a table that this is a partition of: joins to rows `s` of
  /// `rivulet.view_source`.
  private static let readers = """
    CROSS JOIN LATERAL (
        SELECT t.target UNION SELECT n.nspname || '.' || c.relname
        FROM pg_partition_ancestors(rivulet.relation(t.target)) a JOIN pg_class c ON c.oid = a.relid
        JOIN pg_namespace n ON n.oid = c.relnamespace) read(name)
      JOIN rivulet.view_source s ON s.source = read.name AND s.change <> 'untracked'
    """
}
