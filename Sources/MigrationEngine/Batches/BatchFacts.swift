import PostgreSQL
import SQLText

/// What a database has of the key that batches go along.
struct BatchFacts {
  /// The table as `schema.name`, quoted where need be; nil where it is not there.
  let table: String?
  /// A column that it does not have.
  let missing: String?
  /// A column that may be null, `schema.table.column`, of the table or of one that inherits from it.
  let nullable: String?
  /// Whether an index has the columns in their order.
  let hasIndex: Bool
  /// The type of each column with its collation, in the form that a value is cast to.
  let types: [String]

  /// Looks the key up along the session's path.
  ///
  /// - Throws: `PostgreSQLError`.
  init(of mark: BatchMark, on connection: Connection) throws(PostgreSQLError) {
    let row = try connection.query(BatchFacts.query(mark))[0]
    (table, missing, nullable) = (row[0], row[1], row[2])
    hasIndex = try row.value(3)
    types = try row.value(4)
  }

  /// The condition for a row of ``query(_:)`` whose key can be gone along.
  static let isUsable = "table_name IS NOT NULL AND missing IS NULL AND nullable IS NULL AND has_index"

  /// A query for one row: the properties in their order.
  static func query(_ mark: BatchMark) -> String {
    let keys =
      "unnest(ARRAY[\(mark.keys.map(Quote.literal).joined(separator: ", "))]) WITH ORDINALITY AS key (name, place)"
    return """
      SELECT (SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
          WHERE c.oid = relation AND relkind IN ('r', 'p')) AS table_name,
        (SELECT min(name) FROM \(keys)
          WHERE NOT EXISTS (SELECT FROM pg_attribute
            WHERE attrelid = relation AND attname = name AND attnum > 0 AND NOT attisdropped)) AS missing,
        (WITH RECURSIVE family (oid) AS (
            SELECT relation::oid UNION SELECT inhrelid FROM pg_inherits JOIN family ON inhparent = oid)
          SELECT min(format('%I.%I.%I', nspname, relname, attname))
          FROM \(keys) JOIN pg_attribute ON attname = name AND attnum > 0 AND NOT attnotnull
          JOIN family ON attrelid = oid JOIN pg_class c ON c.oid = family.oid
          JOIN pg_namespace n ON n.oid = relnamespace) AS nullable,
        EXISTS (SELECT FROM pg_index i JOIN pg_class x ON x.oid = indexrelid JOIN pg_am m ON m.oid = x.relam
          WHERE indrelid = relation AND amname = 'btree' AND indisvalid AND indpred IS NULL
            AND indnkeyatts >= \(mark.keys.count)
            AND NOT EXISTS (SELECT FROM \(keys)
              LEFT JOIN pg_attribute ON attrelid = relation AND attnum = indkey[(place - 1)::int]
              LEFT JOIN pg_opclass o ON o.oid = indclass[(place - 1)::int]
              WHERE attname IS DISTINCT FROM name OR NOT opcdefault OR indcollation[(place - 1)::int] <> attcollation
                OR indoption[(place - 1)::int] NOT IN (0, 3) OR indoption[(place - 1)::int] <> indoption[0])
        ) AS has_index,
        ARRAY(SELECT format('%I.%I', tn.nspname, typname)
            || CASE WHEN attcollation <> typcollation THEN format(' COLLATE %I.%I', cn.nspname, collname) ELSE '' END
          FROM \(keys) JOIN pg_attribute ON attrelid = relation AND attname = name
          JOIN pg_type t ON t.oid = atttypid JOIN pg_namespace tn ON tn.oid = typnamespace
          LEFT JOIN pg_collation l ON l.oid = attcollation LEFT JOIN pg_namespace cn ON cn.oid = collnamespace
          ORDER BY place) AS types
      FROM (SELECT to_regclass(\(Quote.literal(mark.table.quoted))) AS relation) AS named
      """
  }
}
