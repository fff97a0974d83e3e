/// What is between the parentheses of tables.
enum TableQueries {
  /// Columns as `attrelid`, `attnum` and text, without their defaults. What a table has from the one it
  /// inherits from comes from there; of a table of a type only what the type does not say is written.
  static let columns = """
    SELECT attrelid, attnum, concat(quote_ident(attname),
      CASE WHEN reloftype <> 0 THEN ' WITH OPTIONS' ELSE ' ' || format_type(atttypid, atttypmod)
        || CASE attcompression WHEN 'l' THEN ' COMPRESSION lz4' WHEN 'p' THEN ' COMPRESSION pglz' ELSE '' END
        || \(DumpKind.foreignOptions("attfdwoptions")) || \(DumpKind.collate("attcollation", type: "atttypid")) END,
      (SELECT format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %s%s)',
          CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, seqrelid::regclass, \(DumpKind.sequenceOptions))
        FROM pg_depend d JOIN pg_sequence s ON seqrelid = d.objid
        WHERE attidentity <> '' AND (classid, refclassid) = ('pg_class'::regclass, 'pg_class'::regclass)
          AND (refobjid, refobjsubid) = (attrelid, attnum) AND deptype = 'i'
          AND NOT (relispartition AND current_setting('server_version_num')::int >= 170000)),
      CASE WHEN attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s) %s', pg_get_expr(adbin, adrelid),
        CASE attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END) END,
      CASE WHEN attnotnull THEN ' NOT NULL' END)
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND relkind IN ('r', 'p', 'f')
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attnum > 0 AND NOT attisdropped AND attrelid >= 16384 AND (attislocal OR relispartition)
      AND (reloftype = 0 OR attnotnull OR attidentity <> '' OR attgenerated <> '' OR adbin IS NOT NULL)
    ORDER BY attrelid, attnum
    """

  /// Defaults and constraints that can be written within their table, as `classid`, `objid`, table, column
  /// and text.
  ///
  /// Keys of partitioned tables and partitions are made when the partitions are in their places, and a
  /// constraint that was not validated can only be added.
  static let parts = """
    SELECT 'pg_attrdef'::regclass::oid, d.oid, adrelid, adnum, ' DEFAULT ' || pg_get_expr(adbin, adrelid)
    FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = adrelid AND attnum = adnum
    JOIN pg_class c ON c.oid = adrelid
    WHERE attgenerated = '' AND relkind IN ('r', 'p', 'f') AND (attislocal OR relispartition)
    UNION ALL
    (SELECT 'pg_constraint'::regclass, o.oid, conrelid, NULL,
      format('CONSTRAINT %I %s', conname, pg_get_constraintdef(o.oid))
    FROM pg_constraint o JOIN pg_class c ON c.oid = conrelid
    WHERE convalidated AND (conislocal OR relispartition) AND (contype = 'c' AND relkind IN ('r', 'p', 'f')
      OR contype IN ('p', 'u', 'x') AND relkind = 'r' AND NOT relispartition)
    ORDER BY contype = 'c', contype = 'x', contype = 'u', conname)
    """
}
