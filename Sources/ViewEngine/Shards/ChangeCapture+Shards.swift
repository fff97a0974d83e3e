import PostgreSQL

/// Capture beside the shards of a table that Citus distributes.
///
/// A trigger of such a table is each shard's own, and fires on the shard's server. The queue is distributed like the
/// source, so that each shard of the source has one of the queue beside it, which the function finds by the range of
/// values that both have: also after shards were moved or split. A transaction that changes rows writes both on one
/// server.
///
/// A TRUNCATE fires the trigger of the whole table alone, on the server that gets the statement: all that is there is
/// captured.
extension ChangeCapture {
  /// Allows the transaction at work to put triggers on tables that are distributed, and to change what lies on several
  /// servers over one connection to each.
  static let allowance = """
    SET LOCAL citus.enable_unsafe_triggers = on; SET LOCAL citus.multi_shard_modify_mode = 'sequential'
    """

  /// Makes the queue and its function.
  /// - Parameters:
  ///   - queue: `schema.name`.
  ///   - key: the column that rows of the source go by, which is captured.
  ///   - connection: that of the transaction at work.
  /// - Throws: `PostgreSQLError`.
  func makeOnShards(_ queue: String, by key: String, on connection: Connection) throws {
    let (name, table) = (Quote.qualified(queue), Quote.qualified(source))
    let columns = KeysQuery.list(capture)
    let types = try ColumnType.columns(of: table, on: connection)
    let isExact = capture.allSatisfy { types[$0]?.isExact == true }
    let (union, distinct) = isExact ? ("UNION", "DISTINCT ") : ("UNION ALL", "")
    try connection.execute("CREATE TABLE \(name) AS SELECT \(columns) FROM \(table) WITH NO DATA")
    try DefaultPrivileges.revoke(onTable: name, on: connection)
    try connection.query(
      "SELECT create_distributed_table($1::regclass, $2, colocate_with => $3)",
      [.text(name), .text(key), .text(table)])
    let call = "\(Quote.qualified(function))()"
    try connection.execute(
      """
      CREATE FUNCTION \(call) RETURNS trigger
        SECURITY DEFINER SET search_path = pg_catalog, pg_temp LANGUAGE plpgsql AS $rivulet$
        #variable_conflict use_column
        DECLARE
          queue text;
          changes text;
        BEGIN
          IF TG_OP = 'TRUNCATE' THEN
            IF TG_RELID = \(Quote.literal(table))::regclass THEN
              INSERT INTO \(name) SELECT \(distinct)\(columns) FROM \(table);
            END IF;
            RETURN NULL;
          END IF;
          SELECT shard_name(q.logicalrelid, q.shardid, skip_qualify_public => false) INTO queue
          FROM pg_dist_shard s JOIN pg_dist_shard q USING (shardminvalue)
          WHERE s.logicalrelid = \(Quote.literal(table))::regclass AND q.logicalrelid = \(Quote.literal(name))::regclass
            AND s.shardid = substring(TG_TABLE_NAME FROM '[0-9]+$')::bigint;
          IF queue IS NULL THEN
            RAISE 'what changes in % cannot be kept for the view %', TG_TABLE_NAME, \(Quote.literal(view));
          END IF;
          IF TG_OP = 'UPDATE' THEN
            changes := \(Quote.literal("SELECT \(columns) FROM former \(union) SELECT \(columns) FROM changed"));
          ELSE
            changes := \(Quote.literal("SELECT \(distinct)\(columns) FROM changed"));
          END IF;
          EXECUTE format('INSERT INTO %s %s', queue, changes);
          RETURN NULL;
        END
      $rivulet$
      """)
    try DefaultPrivileges.revoke(onFunction: call, on: connection)
  }
}
