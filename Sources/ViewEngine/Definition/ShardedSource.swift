import PostgreSQL

/// What Citus makes of a source: where its rows lie, and who learns of their changes.
enum ShardedSource {
  /// The setting, in `rivulet.setting`, by which a project asks for changes to be captured on the shards.
  static let setting = "citus_capture"

  /// What a table that is kept on several servers is to change capture.
  /// - Parameters:
  ///   - name: `schema.name`.
  ///   - connection: a session of the coordinator's.
  /// - Returns: nil where it is not kept so.
  /// - Throws: `PostgreSQLError`.
  static func kind(of name: String, on connection: Connection) throws -> SourceTable.Kind? {
    guard connection.hasCitus else { return nil }
    let found = try connection.query(
      """
      SELECT CASE d.partmethod WHEN 'h' THEN column_to_column_name(d.logicalrelid, d.partkey) END, c.relkind = 'p',
        EXISTS (SELECT FROM pg_partitioned_table p
          JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
          WHERE p.partrelid = c.oid AND p.partstrat = 'l' AND p.partnatts = 1 AND a.attname = 'release')
          AND NOT EXISTS (SELECT FROM pg_inherits i JOIN pg_class t ON t.oid = i.inhrelid
            JOIN pg_namespace n ON n.oid = t.relnamespace WHERE i.inhparent = c.oid
            AND n.nspname || '.' || t.relname NOT IN (SELECT partition FROM rivulet.release_table)),
        EXISTS (SELECT FROM rivulet.setting WHERE name = $2 AND value = 'shards')
      FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
      WHERE c.oid = rivulet.relation($1) AND (d.partmethod <> 'n' OR d.repmodel = 't' OR d.colocationid <> 0)
      """, [.text(name), .text(setting)])
    guard let row = found.first else { return nil }
    guard let key = row[0] else { return .untracked("Citus keeps it whole on other servers") }
    if try row.value(2) { return .marked }
    if try row.value(1) { return .untracked("Citus distributes it, and it is partitioned") }
    guard try row.value(3) else {
      return .untracked(
        "Citus distributes it, and rivulet.yaml does not say 'citus: {capture: shards}', Documentation/Cluster.md"
      )
    }
    return .sharded(by: key)
  }
}

/// What Citus does with a source of a view that it keeps on several servers.
enum SourcePlacement: String {
  /// Its changes are captured there.
  case shards
  /// Marks alone tell of them.
  case marks
}
