extension DumpKind {
  /// Defaults by themselves; most of them are written within their tables: see ``TablePart``.
  static let defaults = DumpKind(
    sql: """
      SELECT 'pg_attrdef'::regclass AS classid, d.oid AS objid,
        format('ALTER %s %s ALTER COLUMN %I SET DEFAULT %s', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'f'
          THEN 'FOREIGN TABLE ONLY' ELSE 'TABLE ONLY' END, adrelid::regclass, attname,
          pg_get_expr(adbin, adrelid)) AS sql
      FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = adrelid AND attnum = adnum
      JOIN pg_class c ON c.oid = adrelid WHERE attgenerated = ''
      """)

  /// Constraints by themselves, but foreign keys; most of them are written within their tables: see
  /// ``TablePart``.
  ///
  /// What a table has from the one it inherits from comes with the inheritance; a partition is made before it
  /// is one.
  static let constraints = DumpKind(
    sql: """
      SELECT 'pg_constraint'::regclass AS classid, o.oid AS objid,
        CASE WHEN conrelid <> 0 THEN format('ALTER %sTABLE ONLY %s ADD CONSTRAINT %I %s',
          CASE relkind WHEN 'f' THEN 'FOREIGN ' END, conrelid::regclass, conname, pg_get_constraintdef(o.oid))
        ELSE format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', contypid::regtype, conname, pg_get_constraintdef(o.oid))
        END AS sql
      FROM pg_constraint o LEFT JOIN pg_class c ON c.oid = conrelid
      WHERE contype IN ('p', 'u', 'x', 'c') AND o.oid >= 16384
        AND CASE WHEN conrelid = 0 THEN NOT convalidated ELSE conislocal OR relispartition END
      """)

  /// Foreign keys; those of partitions come from their parents.
  static let foreignKeys = DumpKind(
    sql: """
      SELECT 'pg_constraint'::regclass AS classid, o.oid AS objid,
        format('ALTER TABLE %s%s ADD CONSTRAINT %I %s', CASE WHEN relkind <> 'p' THEN 'ONLY ' END, conrelid::regclass,
          conname, pg_get_constraintdef(o.oid)) AS sql
      FROM pg_constraint o JOIN pg_class c ON c.oid = conrelid WHERE contype = 'f' AND conparentid = 0
      """, phase: .last)

  /// Indexes that belong to no constraint and are not broken: a partitioned one is invalid until it has all
  /// its parts.
  static let indexes = DumpKind(
    sql: """
      SELECT 'pg_class'::regclass AS classid, indexrelid AS objid, pg_get_indexdef(indexrelid) AS sql
      FROM pg_index i JOIN pg_class c ON c.oid = indexrelid
      WHERE (indisvalid OR relkind = 'I') AND indexrelid >= 16384 AND NOT EXISTS (SELECT FROM pg_constraint
        WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
      """)

  static let indexPartitions = DumpKind(
    sql: """
      SELECT 'pg_inherits'::regclass AS classid, c.oid AS objid,
        format('ALTER INDEX %s ATTACH PARTITION %s', inhparent::regclass, c.oid::regclass) AS sql
      FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE relkind IN ('i', 'I')
      """)

  /// The address is that of the index in `pg_index`, since `pg_class` has the index itself.
  static let replicaIdentities = DumpKind(
    sql: """
      SELECT 'pg_index'::regclass AS classid, indexrelid AS objid,
        format('ALTER TABLE ONLY %s REPLICA IDENTITY USING INDEX %I', indrelid::regclass, relname) AS sql
      FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indisreplident AND indisvalid
      """, phase: .last)

  static let statistics = DumpKind(
    sql: """
      SELECT 'pg_statistic_ext'::regclass AS classid, s.oid AS objid, pg_get_statisticsobjdef(s.oid)
        || CASE WHEN stxstattarget >= 0 THEN format(E';\\nALTER STATISTICS %I.%I SET STATISTICS %s', nspname, stxname,
          stxstattarget) ELSE '' END AS sql
      FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = stxnamespace
      """)

  static let policies = DumpKind(
    sql: """
      SELECT 'pg_policy'::regclass AS classid, p.oid AS objid,
        concat(format('CREATE POLICY %I ON %s', polname, polrelid::regclass),
          CASE WHEN NOT polpermissive THEN ' AS RESTRICTIVE' END,
          ' FOR ' || CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
            WHEN 'd' THEN 'DELETE' END,
          ' TO ' || (SELECT string_agg(quote_ident(rolname), ', ' ORDER BY rolname) FROM pg_roles
            WHERE pg_roles.oid = ANY (polroles)),
          E'\\n  USING (' || pg_get_expr(polqual, polrelid) || ')',
          E'\\n  WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')') AS sql
      FROM pg_policy p
      """)

  static let publications = DumpKind(
    sql: """
      SELECT 'pg_publication'::regclass AS classid, p.oid AS objid,
        concat('CREATE PUBLICATION ', quote_ident(pubname), CASE WHEN puballtables THEN ' FOR ALL TABLES' END,
          E' FOR\\n  ' || \(publicationMembers), E'\\n  WITH (publish = ', quote_literal(concat_ws(', ',
            CASE WHEN pubinsert THEN 'insert' END, CASE WHEN pubupdate THEN 'update' END,
            CASE WHEN pubdelete THEN 'delete' END, CASE WHEN pubtruncate THEN 'truncate' END)),
          CASE WHEN pubviaroot THEN ', publish_via_partition_root = true' END, ')') AS sql
      FROM pg_publication p
      """, phase: .last)

  private static let publicationMembers = """
    (SELECT string_agg(member, E',\\n  ' ORDER BY member COLLATE "C") FROM (
      SELECT concat('TABLE ONLY ', prrelid::regclass,
        (SELECT ' (' || string_agg(quote_ident(attname), ', ' ORDER BY attnum) || ')' FROM pg_attribute
          WHERE attrelid = prrelid AND attnum = ANY (prattrs)),
        ' WHERE (' || pg_get_expr(prqual, prrelid) || ')') AS member
      FROM pg_publication_rel WHERE prpubid = p.oid
      UNION ALL
      SELECT format('TABLES IN SCHEMA %I', nspname) FROM pg_publication_namespace
      JOIN pg_namespace n ON n.oid = pnnspid WHERE pnpubid = p.oid) m)
    """

  static let eventTriggers = DumpKind(
    sql: """
      SELECT 'pg_event_trigger'::regclass AS classid, oid AS objid,
        concat(format('CREATE EVENT TRIGGER %I ON %s', evtname, evtevent),
          (SELECT ' WHEN TAG IN (' || string_agg(quote_literal(tag), ', ' ORDER BY tag COLLATE "C") || ')' FROM unnest(evttags) tag),
          ' EXECUTE FUNCTION ', evtfoid::regproc, '()',
          CASE WHEN evtenabled <> 'O' THEN format(E';\\nALTER EVENT TRIGGER %I %s', evtname, CASE evtenabled
            WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END) END) AS sql
      FROM pg_event_trigger
      """, phase: .last)

  /// What objects made later are granted; last, so that nothing of the dump itself gets it.
  static let defaultPrivileges = DumpKind(
    sql: """
      SELECT 'pg_default_acl'::regclass AS classid, d.oid AS objid,
        (SELECT string_agg(rtrim(format('ALTER DEFAULT PRIVILEGES FOR ROLE %I%s %s ON %s %s %s', r.rolname,
          ' IN SCHEMA ' || quote_ident(nspname), words, CASE defaclobjtype WHEN 'r' THEN 'TABLES'
            WHEN 'S' THEN 'SEQUENCES' WHEN 'f' THEN 'FUNCTIONS' WHEN 'T' THEN 'TYPES' ELSE 'SCHEMAS' END, toward, tail)),
          E';\\n' ORDER BY place, toward COLLATE "C", tail) FROM (\(PrivilegeQuery.differences(
            acl: "defaclacl", base: """
              CASE WHEN defaclnamespace <> 0 THEN '{}' ELSE acldefault(CASE defaclobjtype WHEN 'S' THEN 's'
                ELSE defaclobjtype END::"char", defaclrole) END
              """, owner: "0"))) difference) AS sql
      FROM pg_default_acl d JOIN pg_roles r ON r.oid = defaclrole LEFT JOIN pg_namespace n ON n.oid = defaclnamespace
      """, phase: .last)
}
