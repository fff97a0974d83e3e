extension PartQuery {
  /// Columns of tables and composite types, without their defaults, which are objects to the server.
  ///
  /// What a table has from the one it inherits from comes from there; of a table of a type only what the type
  /// does not say is written.
  static let columns = """
    \(columns(catalog: "pg_class", number: "attrelid", of: "pg_class c ON c.oid = attrelid AND relkind IN ('r', 'p', 'f')"))
    UNION ALL
    \(columns(catalog: "pg_type", number: "t.oid", of: """
      pg_type t ON typrelid = attrelid JOIN pg_class c ON c.oid = attrelid AND relkind = 'c'
      """))
    """

  private static func columns(catalog: String, number: String, of relations: String) -> String {
    """
    SELECT '\(catalog)'::regclass::oid, \(number), attnum, 'column ' || quote_ident(attname),
      concat(type, identity, generated, required, CASE WHEN attinhcount > 0 AND attislocal AND NOT relispartition THEN ' declared here too' END),
      CASE WHEN (attislocal OR relispartition)
        AND (reloftype = 0 OR attnotnull OR attidentity <> '' OR attgenerated <> '' OR adbin IS NOT NULL)
        THEN concat(quote_ident(attname), CASE WHEN reloftype <> 0 THEN ' WITH OPTIONS' ELSE ' ' || type END, identity,
          CASE WHEN NOT has_its_parents THEN generated END, required_here) END
    FROM pg_attribute a JOIN \(relations)
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum,
    LATERAL (SELECT
      concat(format_type(atttypid, atttypmod),
        CASE attcompression WHEN 'l' THEN ' COMPRESSION lz4' WHEN 'p' THEN ' COMPRESSION pglz' END,
        \(ObjectKind.foreignOptions("attfdwoptions")), \(ObjectKind.collate("attcollation", type: "atttypid"))) AS type,
      CASE WHEN attidentity <> '' THEN (SELECT format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %s%s)',
          CASE attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, seqrelid::regclass, \(ObjectKind.sequenceOptions))
        FROM pg_depend d JOIN pg_sequence s ON seqrelid = d.objid
        WHERE (classid, refclassid) = ('pg_class'::regclass, 'pg_class'::regclass)
          AND (refobjid, refobjsubid) = (attrelid, attnum) AND deptype = 'i'
          AND NOT (relispartition AND current_setting('server_version_num')::int >= 170000)) END AS identity,
      CASE WHEN attgenerated <> '' THEN format(' GENERATED ALWAYS AS (%s) %s', pg_get_expr(adbin, adrelid),
        CASE attgenerated WHEN 's' THEN 'STORED' ELSE 'VIRTUAL' END) END AS generated,
      -- Until version 15 a column takes the expression from the one that it inherits from, and refuses its own.
      current_setting('server_version_num')::int < 160000 AND NOT relispartition AND EXISTS (
        SELECT FROM pg_inherits JOIN pg_attribute p ON p.attrelid = inhparent AND p.attname = a.attname
        WHERE inhrelid = a.attrelid AND p.attgenerated <> '') AS has_its_parents
      OFFSET 0) x,
    LATERAL (SELECT CASE WHEN attnotnull THEN ' NOT NULL' END, CASE WHEN attnotnull THEN ' NOT NULL' END
      WHERE NOT EXISTS (\(notNull))
      UNION ALL SELECT CASE WHEN convalidated THEN concat(CASE WHEN is_named THEN name END, rule) END,
        CASE WHEN convalidated AND (conislocal OR relispartition)
          THEN concat(CASE WHEN is_named OR is_name_taken THEN name END, rule) END
      FROM (\(notNull)) n, LATERAL (SELECT format(' CONSTRAINT %I', conname) AS name,
        concat(' NOT NULL', CASE WHEN connoinherit THEN ' NO INHERIT' END) AS rule,
        conname <> left(concat_ws('_', relname, attname, 'not_null'), 63) AS is_named,
        EXISTS (SELECT FROM pg_constraint o WHERE o.conname = n.conname AND o.connamespace = n.connamespace
          AND o.oid <> n.oid) AS is_name_taken) name) r (required, required_here)
    WHERE attnum > 0 AND NOT attisdropped AND attrelid >= 16384
    """
  }

  /// The constraint that says NOT NULL of a column, from version 18 on. A name that the server would choose is
  /// not written; it chooses another where any constraint of the schema has that name.
  private static let notNull = """
    SELECT * FROM pg_constraint WHERE contype = 'n' AND conrelid = attrelid AND conkey = ARRAY[attnum]
    """
}
