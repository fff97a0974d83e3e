import PostgreSQL

/// What somebody has set on a view by hand, such as indexes, comments and grants on columns, kept while the
/// view is made again.
enum DependentSettings {
  /// Records what is to be set again, before a view is dropped, in the same transaction; after what still
  /// waits from an earlier time.
  /// - Throws: ``ViewLoss`` where there is something that could not be set again; `PostgreSQLError`.
  static func keep(of view: String, on connection: Connection) throws {
    try refuseLoss(of: view, on: connection)
    try connection.query(
      """
      WITH kept(kind, text) AS (\(statements)), again AS (
        DELETE FROM rivulet.view_setting s USING kept WHERE s.view = $1 AND s.statement = kept.text)
      INSERT INTO rivulet.view_setting (view, position, statement)
      SELECT $1, (SELECT coalesce(max(position), 0) FROM rivulet.view_setting WHERE view = $1)
        + row_number() OVER (ORDER BY kind, text), text FROM kept
      """, [.text(view), .text(Quote.qualified(view))])
  }

  /// The statements that set again what is on the view `$2`, whose name is `$1`.
  private static let statements = """
    SELECT 0, format('ALTER TABLE %s OWNER TO %I', $2::text, pg_get_userbyid(c.relowner))
    FROM pg_class c WHERE c.oid = to_regclass($2) AND pg_get_userbyid(c.relowner) <> current_user
    UNION ALL
    SELECT 1, pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = to_regclass($2) AND i.indisvalid AND NOT EXISTS (
      SELECT FROM rivulet.view v WHERE v.name = $1 AND c.relname = ANY (v.own_indexes))
    UNION ALL
    SELECT 2, format('COMMENT ON COLUMN %s.%I IS %L', $2::text, a.attname, d.description)
    FROM pg_description d JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid
    WHERE d.classoid = 'pg_class'::regclass AND d.objoid = to_regclass($2) AND d.objsubid > 0
    UNION ALL
    SELECT 2, format('COMMENT ON INDEX %I.%I IS %L', n.nspname, c.relname, obj_description(c.oid, 'pg_class'))
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE i.indrelid = to_regclass($2) AND obj_description(c.oid, 'pg_class') IS NOT NULL
    UNION ALL
    SELECT 3, format('COMMENT ON %s %s IS %L', CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, $2::text,
      obj_description(c.oid, 'pg_class'))
    FROM rivulet.view v JOIN pg_class c ON c.oid = to_regclass($2) WHERE v.name = $1
      AND obj_description(c.oid, 'pg_class') IS DISTINCT FROM v.description
    UNION ALL
    -- That a live view has its reader's rights is its definition's to say.
    SELECT 4, format('ALTER TABLE %s SET (%s)', $2::text, string_agg(
      format('%s%I = %L', s.prefix, split_part(o, '=', 1), substr(o, strpos(o, '=') + 1)), ', ' ORDER BY o))
    FROM pg_class c CROSS JOIN LATERAL (
      SELECT '', c.reloptions UNION ALL SELECT 'toast.', reloptions FROM pg_class WHERE oid = c.reltoastrelid
    ) s(prefix, options) CROSS JOIN unnest(s.options) o
    WHERE c.oid = to_regclass($2) AND NOT starts_with(o, 'security_invoker=') GROUP BY s.prefix
    UNION ALL
    SELECT 4, format('ALTER TABLE %s REPLICA IDENTITY %s', $2::text,
      CASE relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END)
    FROM pg_class WHERE oid = to_regclass($2) AND relkind = 'r' AND relreplident IN ('f', 'n')
    UNION ALL
    SELECT 4, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', $2::text)
    FROM pg_class c WHERE oid = to_regclass($2) AND relrowsecurity AND NOT EXISTS (
      SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'rivulet_owner')
    UNION ALL
    SELECT 4, format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', $2::text)
    FROM pg_class WHERE oid = to_regclass($2) AND relforcerowsecurity
    UNION ALL
    SELECT 4, format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', $2::text, attname, attstattarget)
    FROM pg_attribute WHERE attrelid = to_regclass($2) AND attnum > 0 AND NOT attisdropped
      AND attstattarget >= 0
    UNION ALL
    SELECT 5, format('GRANT %s (%I) ON TABLE %s TO %s%s', x.privilege_type, a.attname, $2::text,
      CASE x.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(x.grantee)) END,
      CASE WHEN bool_or(x.is_grantable) THEN ' WITH GRANT OPTION' ELSE '' END)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid CROSS JOIN aclexplode(a.attacl) x
    WHERE c.oid = to_regclass($2) AND NOT a.attisdropped AND x.grantee <> c.relowner
    GROUP BY a.attname, x.privilege_type, x.grantee
    """

  /// Sets again what was kept, as far as it still fits.
  /// - Throws: `PostgreSQLError`.
  static func restore(to view: String, on connection: Connection) throws {
    let kept = try connection.query(
      "DELETE FROM rivulet.view_setting WHERE view = $1 RETURNING position, statement", [.text(view)])
    let ordered = try kept.rows.map { (try $0.value(0, Int.self), try $0.value(1, String.self)) }.sorted {
      $0.0 < $1.0
    }
    for (_, statement) in ordered {
      do {
        try connection.transaction { _ = try connection.execute(statement) }
      } catch let error as PostgreSQLError where error.isAboutStatement {
        // It was about a column that the view has no more, or a role that is gone.
        continue
      }
    }
  }

  /// What a statement would not set again as it was: a publication's subscribers, for one, would keep the old
  /// table's rows.
  private static func refuseLoss(of view: String, on connection: Connection) throws {
    let others = try connection.query(
      """
      SELECT format('trigger %I', tgname) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE tgrelid = to_regclass($1) AND NOT tgisinternal AND p.pronamespace <> 'rivulet'::regnamespace
      UNION ALL
      SELECT format('rule %I', rulename) FROM pg_rewrite
        WHERE ev_class = to_regclass($1) AND rulename <> '_RETURN'
      UNION ALL
      SELECT format('policy %I', polname) FROM pg_policy
      WHERE polrelid = to_regclass($1) AND polname <> 'rivulet_owner'
      UNION ALL
      SELECT format('constraint %I', conname) FROM pg_constraint WHERE conrelid = to_regclass($1)
      UNION ALL
      SELECT format('NOT NULL of column %I', attname) FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attnotnull
      UNION ALL
      SELECT format('default of column %I', attname) FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND atthasdef
      UNION ALL
      SELECT format('statistics %I', stxname) FROM pg_statistic_ext WHERE stxrelid = to_regclass($1)
      UNION ALL
      SELECT format('membership in publication %I', p.pubname)
      FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid WHERE r.prrelid = to_regclass($1)
      """, [.text(Quote.qualified(view))])
    let names: [String] = try others.rows.map { try $0.value(0) }
    guard names.isEmpty else { throw ViewLoss(view: view, names: names) }
  }
}

/// Something was set on a view by hand that making it again would lose.
public struct ViewLoss: Error, Sendable, CustomStringConvertible {
  /// The view.
  public let view: String
  /// What would be lost, such as `trigger audit`.
  public let names: [String]

  /// A sentence for the user.
  public var description: String {
    "\(view) must be made again, which would lose what somebody has set on it: "
      + names.joined(separator: ", ")
  }
}
