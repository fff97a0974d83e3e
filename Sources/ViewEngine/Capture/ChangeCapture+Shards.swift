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
            IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = TG_RELID) THEN
              -- What a snapshot of before does not show would go and not be known.
              IF current_setting('transaction_isolation') <> 'read committed' THEN
                RAISE feature_not_supported USING
                  MESSAGE = format('TRUNCATE of %I.%I, of which %s is computed, takes READ COMMITTED',
                    TG_TABLE_SCHEMA, TG_TABLE_NAME, \(Quote.literal(view))),
                  HINT = 'use DELETE, or a transaction of that isolation level';
              END IF;
              EXECUTE \(Quote.literal("INSERT INTO \(name) SELECT \(distinct)\(columns) FROM ")) || TG_RELID::regclass;
            END IF;
            RETURN NULL;
          END IF;
          SELECT shard_name(q.logicalrelid, q.shardid, skip_qualify_public => false) INTO queue
          FROM pg_dist_shard s JOIN pg_dist_shard q USING (shardminvalue)
          WHERE q.logicalrelid = \(Quote.literal(name))::regclass
            AND s.shardid = substring(TG_TABLE_NAME FROM '[0-9]+$')::bigint;
          IF queue IS NULL THEN
            RAISE 'no shard of \(queue) is known beside %', TG_TABLE_NAME USING
              HINT = 'run SELECT start_metadata_sync_to_all_nodes() on the coordinator';
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
