import PipelineCore
import PostgreSQL

extension ReleaseStore {
  /// Requires that the role acts as the owner of those of some tables that Citus distributes.
  ///
  /// Functions of schema `rivulet` stage, attach and drop tables with the rights of their owner, for whom it lets in.
  /// Citus reaches the shards as the role that is at work, and refuses a second one what the first has changed in the
  /// same transaction.
  ///
  /// - Throws: ``RunError/ownedByOther(target:owner:)``.
  package func requireOwner(of targets: [String]) throws {
    guard connection.hasCitus else { return }
    let others = try connection.query(
      """
      SELECT t.target, pg_get_userbyid(c.relowner)
      FROM unnest($1::text[]) t(target) JOIN pg_class c ON c.oid = rivulet.relation(t.target)
      JOIN pg_dist_partition p ON p.logicalrelid = c.oid AND p.partmethod = 'h'
      WHERE NOT pg_has_role(c.relowner, 'USAGE') ORDER BY 1 LIMIT 1
      """, [.textArray(targets)])
    guard let row = others.first else { return }
    throw RunError.ownedByOther(target: try row.value(0), owner: try row.value(1))
  }
}
