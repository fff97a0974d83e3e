extension PartQuery {
  /// Columns of tables and composite types, without their defaults, which are objects to the server.
  ///
  /// What a table has from the one it inherits from comes from there; of a table of a type only what the type
  /// does not say is written.
  static let columns = """
    SELECT CASE relkind WHEN 'c' THEN 'pg_type'::regclass ELSE 'pg_class'::regclass END::oid,
      CASE relkind WHEN 'c' THEN reltype ELSE attrelid END, attnum, 'column ' || quote_ident(attname),
      concat(type, more, CASE WHEN attinhcount > 0 AND attislocal AND NOT relispartition THEN ' declared here too' END),
      CASE WHEN (attislocal OR relispartition)
        AND (reloftype = 0 OR attnotnull OR attidentity <> '' OR attgenerated <> '' OR adbin IS NOT NULL)
        THEN concat(quote_ident(attname), CASE WHEN reloftype <> 0 THEN ' WITH OPTIONS' ELSE ' ' || type END, more) END
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND relkind IN ('r', 'p', 'f', 'c')
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum,
    LATERAL (SELECT
      concat(format_type(atttypid, atttypmod),
        CASE attcompression WHEN 'l' THEN ' COMPRESSION lz4' WHEN 'p' THEN ' COMPRESSION pglz' END,
        \(ObjectKind.foreignOptions("attfdwoptions")), \(ObjectKind.collate("attcollation", type: "atttypid"))) AS type,
      concat(
        CASE WHEN attidentity <> '' THEN (SELECT format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %s%s)',
            CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, seqrelid::regclass, \(ObjectKind.sequenceOptions))
          FROM pg_depend d JOIN pg_sequence s ON seqrelid = d.objid
          WHERE (classid, refclassid) = ('pg_class'::regclass, 'pg_class'::regclass)
            AND (refobjid, refobjsubid) = (attrelid, attnum) AND deptype = 'i'
            AND NOT (relispartition AND current_setting('server_version_num')::int >= 170000)) END,
        CASE WHEN attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s) %s', pg_get_expr(adbin, adrelid),
          CASE attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END) END,
        CASE WHEN attnotnull THEN ' NOT NULL' END) AS more OFFSET 0) x
    WHERE attnum > 0 AND NOT attisdropped AND attrelid >= 16384
    """
}
