extension ObjectKind {
  /// Sequences, but those of identity columns, which their tables make.
  static let sequences = ObjectKind(
    sql: """
      SELECT 'pg_class'::regclass AS classid, c.oid AS objid,
        format('CREATE %sSEQUENCE %s%s%s', CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' END, c.oid::regclass,
          CASE WHEN seqtypid <> 20 THEN ' AS ' || seqtypid::regtype END, \(sequenceOptions)) AS sql, refobjid AS relation
      FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid
      LEFT JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = c.oid AND refclassid = 'pg_class'::regclass
        AND deptype IN ('a', 'i')
      WHERE deptype IS DISTINCT FROM 'i'
      """, extra: .relation)

  /// The address is that of the sequence in `pg_sequence`, since `pg_class` has the sequence itself.
  static let sequenceOwners = ObjectKind(
    sql: """
      SELECT 'pg_sequence'::regclass AS classid, d.objid,
        format('ALTER SEQUENCE %s OWNED BY %s', d.objid::regclass, value) AS sql,
        d.objid AS relation, 'owned by' AS part, value
      FROM pg_depend d JOIN pg_sequence ON seqrelid = d.objid
      JOIN pg_attribute a ON a.attrelid = refobjid AND a.attnum = refobjsubid,
      LATERAL format('%s.%I', refobjid::regclass, attname) value
      WHERE d.classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND deptype = 'a'
      """, extra: .part)

  /// Tables and foreign tables: what comes before and after the parentheses, with an empty pair between.
  static let tables = ObjectKind(
    sql: """
      SELECT 'pg_class'::regclass AS classid, c.oid AS objid,
        concat('CREATE ', CASE relpersistence WHEN 'u' THEN 'UNLOGGED ' END, CASE relkind WHEN 'f' THEN 'FOREIGN ' END,
          'TABLE ', c.oid::regclass, ' OF ' || nullif(reloftype, 0)::regtype, \(CatalogObject.sqlMark),
          (SELECT E'\\nINHERITS (' || string_agg(inhparent::regclass::text, ', ' ORDER BY inhseqno) || ')'
            FROM pg_inherits WHERE inhrelid = c.oid AND NOT relispartition),
          E'\\nPARTITION BY ' || CASE relkind WHEN 'p' THEN pg_get_partkeydef(c.oid) END,
          E'\\nUSING ' || (SELECT quote_ident(amname) FROM pg_am WHERE oid = relam AND amname <> 'heap'),
          (SELECT format(E'\\nSERVER %I', srvname) || \(foreignOptions("ftoptions"))
            FROM pg_foreign_table JOIN pg_foreign_server s ON s.oid = ftserver WHERE ftrelid = c.oid),
          \(options(storage))) AS sql
      FROM pg_class c WHERE relkind IN ('r', 'p', 'f') AND c.oid >= 16384
      """)

  /// The options of a relation and of its TOAST table.
  private static let storage = """
    c.reloptions || (SELECT array_agg('toast.' || o) FROM pg_class t, unnest(t.reloptions) o WHERE t.oid = c.reltoastrelid)
    """

  /// A partition is a table of its own first, so that its columns keep their order, and then made part of
  /// another.
  static let partitions = ObjectKind(
    sql: """
      SELECT 'pg_inherits'::regclass AS classid, c.oid AS objid,
        format('ALTER TABLE ONLY %s ATTACH PARTITION %s %s', inhparent::regclass, c.oid::regclass, bound) AS sql,
        c.oid AS relation, 'partition of' AS part,
        concat_ws(' ', inhparent::regclass, bound, CASE WHEN inhdetachpending THEN '(detach pending)' END) AS value
      FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid, LATERAL pg_get_expr(relpartbound, c.oid) bound
      WHERE relispartition AND relkind IN ('r', 'p', 'f')
      """, extra: .part)

  static let views = ObjectKind(
    sql: """
      SELECT 'pg_class'::regclass AS classid, c.oid AS objid,
        format('CREATE VIEW %s', c.oid::regclass) || \(options("reloptions"))
        || E' AS\\n' || rtrim(pg_get_viewdef(c.oid), ';') AS sql
      FROM pg_class c WHERE relkind = 'v' AND c.oid >= 16384
      """,
    placeholder: """
      SELECT 'pg_class'::regclass, c.oid, (SELECT format(E'CREATE VIEW %s AS\\n SELECT %s', c.oid::regclass,
        string_agg(format('NULL::%s', format_type(atttypid, atttypmod))
          || \(collate("attcollation", type: "atttypid")) || format(' AS %I', attname), ', ' ORDER BY attnum))
        FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)
      FROM pg_class c WHERE relkind = 'v' AND c.oid >= 16384
      """)

  static let materialisedViews = ObjectKind(
    sql: """
      SELECT 'pg_class'::regclass AS classid, c.oid AS objid,
        concat(format('CREATE MATERIALIZED VIEW %s', c.oid::regclass),
          ' USING ' || (SELECT quote_ident(amname) FROM pg_am WHERE oid = relam AND amname <> 'heap'),
          \(options(storage)), E' AS\\n', rtrim(pg_get_viewdef(c.oid), ';'), E'\\n WITH NO DATA') AS sql
      FROM pg_class c WHERE relkind = 'm' AND c.oid >= 16384
      """)

  /// Rules but those that make a view a view.
  static let rules = ObjectKind(
    sql: """
      SELECT 'pg_rewrite'::regclass AS classid, oid AS objid, rtrim(pg_get_ruledef(oid), ';')
        || \(firing("RULE", name: "rulename", relation: "ev_class", state: "ev_enabled")) AS sql,
        ev_class AS relation
      FROM pg_rewrite WHERE rulename <> '_RETURN' AND oid >= 16384
      """, extra: .relation)

  /// Triggers that the program has not made: what it makes on tables of others, to see their rows change,
  /// calls functions of its own schema. Of those that a partition has from its parent only how they fire is
  /// said, where that is not the same.
  static let triggers = ObjectKind(
    sql: """
      SELECT 'pg_trigger'::regclass AS classid, t.oid AS objid,
        CASE WHEN p.oid IS NULL THEN pg_get_triggerdef(t.oid)
          || \(firing("TRIGGER", name: "t.tgname", relation: "t.tgrelid", state: "t.tgenabled"))
        ELSE substr(\(firing("TRIGGER", name: "t.tgname", relation: "t.tgrelid", state: "t.tgenabled", always: true)), 3)
        END AS sql,
        t.tgrelid AS relation, CASE WHEN p.oid IS NOT NULL THEN 'trigger ' || quote_ident(t.tgname) END AS part,
        \(firing(state: "t.tgenabled")) AS value
      FROM pg_trigger t LEFT JOIN pg_trigger p ON p.oid = t.tgparentid
      WHERE (NOT t.tgisinternal OR p.oid IS NOT NULL AND NOT p.tgisinternal)
        AND t.tgenabled IS DISTINCT FROM p.tgenabled
        AND t.tgfoid NOT IN (SELECT made.oid FROM pg_proc made WHERE made.pronamespace = to_regnamespace('rivulet'))
      """, extra: .part)

  /// `; ALTER TABLE x DISABLE TRIGGER y` where it is not enabled as usual.
  private static func firing(
    _ word: String, name: String, relation: String, state: String, always: Bool = false
  ) -> String {
    """
    CASE WHEN \(always) OR \(state) <> 'O' THEN format(E';\\nALTER TABLE %s %s \(word) %I', \(relation)::regclass,
      \(firing(state: state)), \(name)) ELSE '' END
    """
  }

  private static func firing(state: String) -> String {
    "CASE \(state) WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN 'ENABLE ALWAYS' ELSE 'ENABLE' END"
  }
}
