public import PostgreSQL

extension PlacementStatus {
  /// Asks the coordinator, and through it the other servers; one that does not answer within three seconds is taken
  /// for one that does not.
  ///
  /// - Parameters:
  ///   - connection: to the coordinator's database.
  ///   - marks: where tables should be.
  /// - Returns: what they say at this moment.
  /// - Throws: `ClusterError` where there is no cluster, or this is none of its coordinator; `PostgreSQLError`.
  public static func read(from connection: Connection, _ marks: [PlacementMark]) throws -> PlacementStatus {
    guard connection.hasCitus else {
      throw ClusterError.noCitus(declared: marks.count { $0.place != .local })
    }
    guard try connection.query("SELECT citus_is_coordinator()")[0][0] == "t" else {
      throw ClusterError.notCoordinator
    }
    return try connection.transaction(
      settings: """
        SET LOCAL search_path = ''; SET LOCAL client_min_messages = 'error';
        SET LOCAL citus.node_connection_timeout = '3s'
        """
    ) {
      // Once, since each server is asked.
      let reported = try connection.query(
        "SELECT nodeid, result FROM run_command_on_all_nodes($1, true, true) WHERE success", [.text(sizes)])
      let answers: [Parameter] = [
        .textArray(reported.rows.compactMap { $0[0] }), .textArray(reported.rows.compactMap { $0[1] }),
      ]
      var misplaced: [Misplaced] = []
      var declared = 0
      for mark in marks where try PlacedTable(mark, on: connection).isThere() {
        if mark.place != .local { declared += 1 }
        if let found = try self.misplaced(mark, on: connection) { misplaced.append(found) }
      }
      return PlacementStatus(
        nodes: try nodes(answers, on: connection), tables: try tables(answers, on: connection),
        declared: declared,
        misplaced: misplaced, leftovers: try leftovers(on: connection))
    }
  }

  /// What each server says of its shards: number, bytes and rows of each.
  private static let sizes = """
    SELECT coalesce(json_agg(json_build_array(s.shardid, pg_total_relation_size(c.oid),
      CASE WHEN c.relkind = 'r' THEN greatest(c.reltuples, 0) ELSE 0 END)), '[]')
    FROM pg_dist_shard s JOIN pg_class c ON c.oid = to_regclass(shard_name(s.logicalrelid, s.shardid))
    """

  /// `reported`: a row for each shard on each server that answers; of the parameters `$1` and `$2`.
  private static let reported = """
    WITH reported AS MATERIALIZED (
      SELECT n.node::int AS node, (e->>0)::bigint AS shard, (e->>1)::bigint AS bytes, (e->>2)::float8 AS rows
      FROM unnest($1::text[], $2::text[]) n(node, shards), json_array_elements(n.shards::json) e)
    """

  private static func nodes(_ answers: [Parameter], on connection: Connection) throws -> [Node] {
    try connection.query(
      reported + """

        SELECT n.nodeid, n.nodename || ':' || n.nodeport,
          CASE WHEN n.noderole <> 'primary' THEN 'standby' WHEN n.groupid = 0 THEN 'coordinator' ELSE 'worker' END,
          n.isactive, n.nodeid::text = ANY ($1) OR n.noderole <> 'primary'
            AND citus_check_connection_to_node(n.nodename, n.nodeport),
          (SELECT count(*) FROM pg_dist_placement p WHERE p.groupid = n.groupid AND n.noderole = 'primary'),
          CASE WHEN n.nodeid::text = ANY ($1) THEN
            (SELECT coalesce(sum(t.bytes), 0)::bigint FROM reported t WHERE t.node = n.nodeid) END
        FROM pg_dist_node n ORDER BY n.groupid, n.nodeid
        """, answers
    ).rows.map { row in
      Node(
        number: try row.value(0), address: try row.value(1), role: try row.value(2),
        isActive: try row.value(3),
        answers: try row.value(4), shards: try row.value(5), bytes: try row.optional(6))
    }
  }

  private static func tables(_ answers: [Parameter], on connection: Connection) throws -> [Table] {
    try connection.query(
      reported + """
        , placed AS (
          SELECT d.logicalrelid::oid AS id, coalesce(rivulet.relation(t.target)::oid, pg_partition_root(d.logicalrelid),
            d.logicalrelid)::oid AS root, NOT c.relispartition AND t.target IS NOT NULL AS is_kept
          FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
          LEFT JOIN rivulet.release_table t ON t.partition = n.nspname || '.' || c.relname AND NOT c.relispartition
          WHERE d.partmethod = 'h' OR d.partmethod = 'n' AND d.repmodel = 't'),
        shard AS (
          SELECT p.root, s.shardminvalue, t.node, sum(t.bytes) AS bytes, sum(t.rows) AS rows
          FROM placed p JOIN pg_dist_shard s ON s.logicalrelid = p.id JOIN reported t ON t.shard = s.shardid
          GROUP BY 1, 2, 3),
        whole AS (SELECT root, shardminvalue, sum(bytes) AS bytes FROM shard GROUP BY 1, 2),
        node AS (SELECT root, node, sum(bytes) AS bytes FROM shard GROUP BY 1, 2)
        SELECT n.nspname || '.' || c.relname,
          CASE d.partmethod WHEN 'h' THEN column_to_column_name(d.logicalrelid, d.partkey) END, d.colocationid,
          (SELECT count(*) FROM pg_dist_shard s WHERE s.logicalrelid = c.oid),
          (SELECT count(*) FROM placed p WHERE p.root = c.oid AND p.id <> c.oid AND NOT p.is_kept),
          (SELECT count(*) FROM placed p WHERE p.root = c.oid AND p.is_kept),
          (SELECT coalesce(sum(rows), 0)::bigint FROM shard s WHERE s.root = c.oid),
          (SELECT coalesce(sum(bytes), 0)::bigint FROM shard s WHERE s.root = c.oid),
          (SELECT coalesce(max(bytes), 0)::bigint FROM whole s WHERE s.root = c.oid),
          (SELECT coalesce(avg(bytes), 0)::bigint FROM whole s WHERE s.root = c.oid),
          (SELECT coalesce(max(bytes), 0)::bigint FROM node s WHERE s.root = c.oid),
          (SELECT coalesce(sum(bytes), 0)::bigint FROM node s WHERE s.root = c.oid)
            / (SELECT greatest(count(*), 1) FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards)
        FROM (SELECT DISTINCT root FROM placed) r JOIN pg_class c ON c.oid = r.root
        JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_dist_partition d ON d.logicalrelid = c.oid ORDER BY 1
        """, answers
    ).rows.map { row in
      Table(
        name: try row.value(0), key: row[1], colocation: try row.value(2), shards: try row.value(3),
        partitions: try row.value(4), kept: try row.value(5), rows: try row.value(6), bytes: try row.value(7),
        shardBytes: (try row.value(8), try row.value(9)), nodeBytes: (try row.value(10), try row.value(11)))
    }
  }

  /// Nil where the table and those of its releases are where the mark says.
  private static func misplaced(_ mark: PlacementMark, on connection: Connection) throws -> Misplaced? {
    let found = try PlacedTable(mark, on: connection).place()
    let isLocal = found == "local"
    // Its releases go with it, wherever it is.
    let move = TableMove(
      mark: PlacementMark(mark.name, isLocal ? .local : mark.place), connection: connection,
      dependents: nil)
    let releases = try move.waiting().count { $0 != mark.name }
    if found == mark.text && releases == 0 { return nil }
    let command = { (verb: String) in "rivulet cluster \(verb) \(mark.table)" }
    let remedy: String
    switch (mark.place, isLocal) {
    case (.local, _): remedy = command("undistribute")
    case (_, true): remedy = command("distribute")
    case (_, false) where found == mark.text: remedy = command("distribute")
    case (_, false): remedy = command("undistribute") + ", then " + command("distribute")
    }
    return Misplaced(table: mark.table, declared: mark.text, found: found, releases: releases, remedy: remedy)
  }

  /// What moves of shards have left, as far as this version of Citus keeps account of it.
  private static func leftovers(on connection: Connection) throws -> [Leftover] {
    var parts: [String] = []
    let there = { (name: String) in
      try connection.query("SELECT to_regclass($1) IS NOT NULL", [.text("pg_catalog." + name)])[0][0] == "t"
    }
    if try there("pg_dist_background_job") {
      parts.append(
        """
        SELECT 'job', job_type || ': ' || description, state::text, NULL::int FROM pg_catalog.pg_dist_background_job
        WHERE state::text NOT IN ('finished', 'cancelled')
        """)
    }
    if try there("pg_dist_cleanup") {
      parts.append(
        """
        SELECT CASE object_type WHEN 1 THEN 'shard' ELSE 'object' END, object_name, NULL, (
          SELECT min(nodeid) FROM pg_catalog.pg_dist_node n WHERE n.groupid = node_group_id AND n.noderole = 'primary')
        FROM pg_catalog.pg_dist_cleanup
        """)
    }
    if parts.isEmpty { return [] }
    return try connection.query(parts.joined(separator: " UNION ALL ") + " ORDER BY 1, 2").rows.map { row in
      Leftover(kind: try row.value(0), name: try row.value(1), state: row[2], node: try row.optional(3))
    }
  }
}
