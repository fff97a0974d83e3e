import PostgreSQL

/// What `undistribute_table` loses, which makes tables and what reads them again: the words of views, comments,
/// privileges, and what columns have of storage and statistics.
struct KeptProperties {
  private let connection: Connection
  private let relations: [String]
  private let statements: [String]

  /// Reads them of tables, of those under them, and of the views that read them. The search path is to be empty.
  init(of tables: [SQLName], on connection: Connection) throws {
    self.connection = connection
    let names = try connection.query(Self.relations + Self.names, [.textArray(tables.map(\.quoted))])
    relations = try names.rows.map { try $0.value(0) }
    statements = try connection.query(Self.relations + Self.statements, [.textArray(tables.map(\.quoted))])
      .rows.map {
        try $0.value(0)
      }
  }

  /// Puts them back. The search path is to be empty.
  func restore() throws {
    // What default privileges have given by now nobody had before.
    let granted = try connection.query(
      """
      SELECT DISTINCT format('REVOKE ALL ON TABLE %s FROM %s', r.name,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
      FROM unnest($1::text[]) r(name) JOIN pg_class c ON c.oid = r.name::regclass CROSS JOIN aclexplode(c.relacl) a
      WHERE a.grantee <> c.relowner
      """, [.textArray(relations)])
    for statement in try granted.rows.map({ try $0.value(0, String.self) }) + statements {
      try connection.execute(statement)
    }
  }

  /// `relation`: what is made again, each with its quoted name and its word in COMMENT ON.
  private static let relations = """
    WITH RECURSIVE used (id) AS (
      SELECT id::oid FROM unnest($1::text[]::regclass[]) id
      UNION SELECT n.id FROM used u CROSS JOIN LATERAL (
        SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = u.id
        UNION ALL SELECT r.ev_class FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = u.id
          AND r.ev_class <> u.id) n(id)),
    relation AS (
      SELECT c.*, format('%I.%I', n.nspname, c.relname) AS name,
        CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'TABLE' END AS word
      FROM used u JOIN pg_class c ON c.oid = u.id JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm'))

    """

  private static let names = "SELECT name FROM relation"

  private static let statements = """
    SELECT statement FROM (
      SELECT 1, oid, 0, format('CREATE OR REPLACE VIEW %s %sAS %s', name,
        'WITH (' || array_to_string(reloptions, ', ') || ') ', rtrim(pg_get_viewdef(oid), ';'))
      FROM relation WHERE relkind = 'v'
      UNION ALL
      SELECT 2, oid, 0, format('ALTER %s %s OWNER TO %I', word, name, pg_get_userbyid(relowner)) FROM relation
      UNION ALL
      SELECT 3, oid, 0, format('ALTER TABLE %s SET (%s)', name, array_to_string(reloptions, ', '))
      FROM relation WHERE relkind IN ('r', 'p') AND reloptions <> '{}'
      UNION ALL
      SELECT 3, r.oid, 0, format('ALTER TABLE %s SET (%s)', r.name,
        (SELECT string_agg('toast.' || o, ', ') FROM unnest(t.reloptions) o))
      FROM relation r JOIN pg_class t ON t.oid = r.reltoastrelid WHERE t.reloptions <> '{}'
      UNION ALL
      SELECT 4, r.oid, a.attnum, format('ALTER %s %s ALTER %I %s', r.word, r.name, a.attname, c.change)
      FROM relation r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_type t ON t.oid = a.atttypid
      LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
      CROSS JOIN LATERAL (VALUES
        -- The server's own, such as pg_attver, are nobody's to set.
        ('SET (' || (SELECT string_agg(o, ', ') FROM unnest(a.attoptions) o WHERE o LIKE 'n_distinct%') || ')', 'rp'),
        (CASE WHEN a.attstattarget >= 0 THEN 'SET STATISTICS ' || a.attstattarget END, 'rp'),
        (CASE WHEN a.attstorage <> t.typstorage THEN 'SET STORAGE ' || CASE a.attstorage
          WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END END, 'rp'),
        ('SET COMPRESSION ' || CASE a.attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END, 'rp'),
        ('SET DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), 'v')) c(change, kinds)
      WHERE c.change IS NOT NULL AND position(r.relkind::text IN c.kinds) > 0
      UNION ALL
      SELECT 5, r.oid, 0, regexp_replace(pg_get_statisticsobjdef(s.oid), '^CREATE STATISTICS',
        'CREATE STATISTICS IF NOT EXISTS')
      FROM relation r JOIN pg_statistic_ext s ON s.stxrelid = r.oid
      UNION ALL
      SELECT 6, r.oid, 0, format('GRANT %s ON TABLE %s TO %s%s', a.privilege_type, r.name,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM relation r CROSS JOIN aclexplode(r.relacl) a WHERE a.grantee <> r.relowner
      UNION ALL
      SELECT 7, r.oid, c.attnum, format('GRANT %s (%I) ON TABLE %s TO %s%s', a.privilege_type, c.attname, r.name,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM relation r JOIN pg_attribute c ON c.attrelid = r.oid AND NOT c.attisdropped CROSS JOIN aclexplode(c.attacl) a
      WHERE a.grantee <> r.relowner
      UNION ALL
      SELECT 8, r.oid, d.objsubid, CASE WHEN d.objsubid = 0 THEN format('COMMENT ON %s %s IS %L', r.word, r.name, d.description)
        ELSE format('COMMENT ON COLUMN %s.%I IS %L', r.name, a.attname, d.description) END
      FROM relation r JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = r.oid
      LEFT JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = d.objsubid
      UNION ALL
      SELECT 8, r.oid, 0, format('COMMENT ON INDEX %I.%I IS %L', n.nspname, c.relname, d.description)
      FROM relation r JOIN pg_index i ON i.indrelid = r.oid JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.objsubid = 0
      UNION ALL
      SELECT 8, r.oid, 0, format('COMMENT ON CONSTRAINT %I ON %s IS %L', k.conname, r.name, d.description)
      FROM relation r JOIN pg_constraint k ON k.conrelid = r.oid
      JOIN pg_description d ON d.classoid = 'pg_constraint'::regclass AND d.objoid = k.oid
      UNION ALL
      SELECT 9, r.oid, 0, format('COMMENT ON STATISTICS %I.%I IS %L', n.nspname, s.stxname, d.description)
      FROM relation r JOIN pg_statistic_ext s ON s.stxrelid = r.oid JOIN pg_namespace n ON n.oid = s.stxnamespace
      JOIN pg_description d ON d.classoid = 'pg_statistic_ext'::regclass AND d.objoid = s.oid
    ) all_of_it (step, relation, place, statement) WHERE statement IS NOT NULL ORDER BY step, relation, place
    """
}
