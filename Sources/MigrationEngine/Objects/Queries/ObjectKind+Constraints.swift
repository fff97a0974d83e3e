extension ObjectKind {
  /// Defaults; most of them are written within their tables.
  static let defaults = ObjectKind(
    sql: """
      SELECT 'pg_attrdef'::regclass AS classid, d.oid AS objid,
        format('ALTER %s %s ALTER COLUMN %I SET DEFAULT %s', CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'f'
          THEN 'FOREIGN TABLE ONLY' ELSE 'TABLE ONLY' END, adrelid::regclass, attname,
          value) AS sql,
        adrelid AS relation, 'column ' || quote_ident(attname) || ': default' AS part, value,
        CASE WHEN relkind IN ('r', 'p', 'f') AND (attislocal OR relispartition) THEN ' DEFAULT ' || value END AS line,
        adnum AS place
      FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = adrelid AND attnum = adnum
      JOIN pg_class c ON c.oid = adrelid, LATERAL pg_get_expr(adbin, adrelid) value WHERE attgenerated = ''
      """, extra: .line)

  /// Constraints but foreign keys; most of them are written within their tables or domains.
  ///
  /// What a table has from the one it inherits from comes with the inheritance; a partition is made before it
  /// is one. Keys of partitioned tables and partitions are made when the partitions are in their places, and
  /// a constraint that was not validated can only be added. The server takes two keys of the same columns for
  /// one where both are within the parentheses. From version 18 on NOT NULL is a constraint too, which its
  /// column says, unless it was not validated, or the column comes from where the constraint does not.
  static let constraints = ObjectKind(
    sql: """
      SELECT 'pg_constraint'::regclass AS classid, o.oid AS objid,
        CASE WHEN conrelid = 0 THEN format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', contypid::regtype, conname, definition)
          WHEN conislocal OR relispartition THEN format('ALTER %sTABLE %s%s ADD CONSTRAINT %I %s',
            CASE relkind WHEN 'f' THEN 'FOREIGN ' END, CASE WHEN NOT EXISTS (\(unprovenHeirs)) THEN 'ONLY ' END,
            conrelid::regclass, conname, definition) END AS sql,
        nullif(conrelid, 0) AS relation, 'constraint ' || quote_ident(conname) AS part, definition || CASE WHEN
          coninhcount > 0 AND conislocal AND conparentid = 0 THEN ' (declared here too)' ELSE '' END AS value,
        CASE WHEN \(isSettled) AND (conislocal OR relispartition) AND (contype IN ('c', 'n') AND relkind IN ('r', 'p', 'f')
          OR contype IN ('p', 'x') AND relkind = 'r' AND NOT relispartition
          OR contype = 'u' AND relkind = 'r' AND NOT relispartition AND NOT EXISTS (SELECT FROM pg_constraint same
            WHERE same.conrelid = o.conrelid AND same.conkey = o.conkey AND same.contype IN ('p', 'u') AND same.oid <> o.oid))
          THEN format('CONSTRAINT %I %s', conname, definition) END AS line,
        10000 + (SELECT count(*) FROM pg_constraint b WHERE b.conrelid = o.conrelid AND o.conrelid <> 0
          AND (b.contype = 'c', b.contype = 'x', b.contype = 'u', b.conname)
            < (o.contype = 'c', o.contype = 'x', o.contype = 'u', o.conname)) AS place
      FROM pg_constraint o LEFT JOIN pg_class c ON c.oid = conrelid, LATERAL pg_get_constraintdef(o.oid) definition
      WHERE o.oid >= 16384 AND (contype IN ('p', 'u', 'x', 'c') AND (conrelid <> 0 OR NOT convalidated)
        OR contype = 'n' AND conrelid <> 0 AND (NOT convalidated OR conislocal AND NOT relispartition AND EXISTS (
          SELECT FROM pg_attribute WHERE attrelid = conrelid AND attnum = conkey[1] AND NOT attislocal)))
      """, extra: .line)

  /// The same constraint `o`, not validated either, of tables that inherit from its table, as `conrelid`. These
  /// have to be there when it is added; those where it was validated come after it.
  static let unprovenHeirs = """
    WITH RECURSIVE heir AS (
      SELECT inhrelid FROM pg_inherits WHERE inhparent = o.conrelid AND o.conislocal AND NOT \(isSettled)
      UNION SELECT i.inhrelid FROM heir JOIN pg_inherits i ON i.inhparent = heir.inhrelid)
    SELECT inherited.conrelid FROM heir JOIN pg_constraint inherited ON inherited.conrelid = inhrelid
    JOIN pg_class heirs ON heirs.oid = inhrelid AND NOT heirs.relispartition
    WHERE inherited.conname = o.conname AND inherited.contype = o.contype AND NOT inherited.convalidated
    """

  /// Whether nothing of a constraint `o` waits for VALIDATE: from version 18 on there are those that are not
  /// enforced.
  private static let isSettled =
    "(o.convalidated OR to_jsonb(o) ->> 'conenforced' IS NOT DISTINCT FROM 'false')"

  /// Foreign keys; those of partitions come from their parents.
  static let foreignKeys = ObjectKind(
    sql: """
      SELECT 'pg_constraint'::regclass AS classid, o.oid AS objid,
        format('ALTER TABLE %s%s ADD CONSTRAINT %I %s', CASE WHEN relkind <> 'p' THEN 'ONLY ' END, conrelid::regclass,
          conname, value) AS sql,
        conrelid AS relation, 'constraint ' || quote_ident(conname) AS part, value
      FROM pg_constraint o JOIN pg_class c ON c.oid = conrelid, LATERAL pg_get_constraintdef(o.oid) value
      WHERE contype = 'f' AND conparentid = 0
      """, extra: .part, phase: .last)

  /// Indexes that belong to no constraint.
  static let indexes = ObjectKind(
    sql: """
      SELECT 'pg_class'::regclass AS classid, indexrelid AS objid, pg_get_indexdef(indexrelid) AS sql,
        indrelid AS relation
      FROM pg_index WHERE indexrelid >= 16384 AND NOT EXISTS (SELECT FROM pg_constraint
        WHERE conrelid = indrelid AND conindid = indexrelid AND contype IN ('p', 'u', 'x'))
      """, extra: .relation)

  static let indexPartitions = ObjectKind(
    sql: """
      SELECT 'pg_inherits'::regclass AS classid, c.oid AS objid,
        format('ALTER INDEX %s ATTACH PARTITION %s', inhparent::regclass, c.oid::regclass) AS sql,
        c.oid AS relation, 'attached to' AS part, inhparent::regclass AS value
      FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE relkind IN ('i', 'I')
      """, extra: .part)

  /// The address is that of the index in `pg_index`, since `pg_class` has the index itself.
  static let replicaIdentities = ObjectKind(
    sql: """
      SELECT 'pg_index'::regclass AS classid, indexrelid AS objid,
        format('ALTER TABLE ONLY %s REPLICA IDENTITY USING INDEX %I', indrelid::regclass, relname) AS sql,
        indrelid AS relation, 'replica identity' AS part, 'USING INDEX ' || quote_ident(relname) AS value
      FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE indisreplident AND indisvalid
      """, extra: .part, phase: .last)

  static let statistics = ObjectKind(
    sql: """
      SELECT 'pg_statistic_ext'::regclass AS classid, s.oid AS objid, pg_get_statisticsobjdef(s.oid)
        || CASE WHEN stxstattarget >= 0 THEN format(E';\\nALTER STATISTICS %I.%I SET STATISTICS %s', nspname, stxname,
          stxstattarget) ELSE '' END AS sql, stxrelid AS relation
      FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = stxnamespace
      """, extra: .relation)

  static let policies = ObjectKind(
    sql: """
      SELECT 'pg_policy'::regclass AS classid, p.oid AS objid,
        concat(format('CREATE POLICY %I ON %s', polname, polrelid::regclass),
          CASE WHEN NOT polpermissive THEN ' AS RESTRICTIVE' END,
          ' FOR ' || CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
            WHEN 'd' THEN 'DELETE' END,
          ' TO ' || (SELECT string_agg(role, ', ' ORDER BY role = 'the role that migrates', rolname)
            FROM (SELECT rolname, \(role("oid")) AS role FROM pg_roles WHERE oid = ANY (polroles)) r),
          E'\\n  USING (' || pg_get_expr(polqual, polrelid) || ')',
          E'\\n  WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')') AS sql, polrelid AS relation
      FROM pg_policy p
      """, extra: .relation)

  static let publications = ObjectKind(
    sql: """
      SELECT 'pg_publication'::regclass AS classid, p.oid AS objid,
        concat('CREATE PUBLICATION ', quote_ident(pubname), CASE WHEN puballtables THEN ' FOR ALL TABLES' END,
          E' FOR\\n  ' || \(publicationMembers), E'\\n  WITH (publish = ', quote_literal(concat_ws(', ',
            CASE WHEN pubinsert THEN 'insert' END, CASE WHEN pubupdate THEN 'update' END,
            CASE WHEN pubdelete THEN 'delete' END, CASE WHEN pubtruncate THEN 'truncate' END)),
          CASE WHEN pubviaroot THEN ', publish_via_partition_root = true' END,
          CASE WHEN to_jsonb(p) ->> 'pubgencols' = 's' THEN ', publish_generated_columns = stored' END, ')') AS sql
      FROM pg_publication p
      """, phase: .last)

  private static let publicationMembers = """
    (SELECT string_agg(member, E',\\n  ' ORDER BY member COLLATE "C") FROM (
      SELECT concat('TABLE ONLY ', prrelid::regclass,
        (SELECT ' (' || string_agg(quote_ident(attname), ', ' ORDER BY attnum) || ')' FROM pg_attribute
          WHERE attrelid = prrelid AND attnum = ANY (prattrs)),
        ' WHERE (' || pg_get_expr(prqual, prrelid) || ')') AS member
      FROM pg_publication_rel JOIN pg_class c ON c.oid = prrelid JOIN pg_namespace n ON n.oid = relnamespace
      WHERE prpubid = p.oid AND nspname || '.' || relname <> ALL (current_setting('rivulet.left_out')::text[])
      UNION ALL
      SELECT format('TABLES IN SCHEMA %I', nspname) FROM pg_publication_namespace
      JOIN pg_namespace n ON n.oid = pnnspid WHERE pnpubid = p.oid) m)
    """

  static let eventTriggers = ObjectKind(
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
  static let defaultPrivileges = ObjectKind(
    sql: """
      SELECT 'pg_default_acl'::regclass AS classid, d.oid AS objid,
        (SELECT string_agg(rtrim(format('ALTER DEFAULT PRIVILEGES FOR ROLE %s%s %s ON %s %s %s', role,
          ' IN SCHEMA ' || quote_ident(nspname), words, upper(things), toward, tail)),
          E';\\n' ORDER BY place, toward COLLATE "C", tail) FROM (\(PartQuery.differences(
            acl: "defaclacl", base: """
              CASE WHEN defaclnamespace <> 0 THEN '{}' ELSE acldefault(CASE defaclobjtype WHEN 'S' THEN 's'
                ELSE defaclobjtype END::"char", defaclrole) END
              """, owner: "0"))) difference) AS sql,
        concat('of ', role, ' in schema ' || quote_ident(nspname), ' on ', things) AS name
      FROM pg_default_acl d LEFT JOIN pg_namespace n ON n.oid = defaclnamespace,
      LATERAL (SELECT \(role("defaclrole")) AS role, CASE defaclobjtype WHEN 'r' THEN 'tables' WHEN 'S' THEN 'sequences'
        WHEN 'f' THEN 'functions' WHEN 'T' THEN 'types' WHEN 'n' THEN 'schemas' ELSE 'large objects' END AS things) x
      """, extra: .name, phase: .last)
}
