// What was granted and taken away, compared with what an object has by itself.
extension PartQuery {
  /// Rows of `place` (revoking comes first), `part`, `rights` (`INSERT, SELECT`), `words` (`GRANT INSERT (n),
  /// SELECT (n)`), `toward` (`TO x`) and `tail`, from two lists of privileges.
  ///
  /// The owner is written as `CURRENT_USER`, who will own the objects where the dump is replayed.
  static func differences(acl: String, base: String, owner: String, columns: String = "''") -> String {
    """
    WITH now AS (SELECT * FROM \(exploded(acl, owner: owner))),
      once AS (SELECT * FROM \(exploded(base, owner: owner)))
    SELECT 1 AS place, 'rights taken from ' || \(who) AS part, \(list("''")) AS rights,
      'REVOKE ' || \(list(columns)) AS words, 'FROM ' || grantee AS toward, '' AS tail
    FROM once WHERE (grantee, privilege) NOT IN (SELECT grantee, privilege FROM now) GROUP BY grantee
    UNION ALL
    SELECT 2, rtrim('grants to ' || \(who) || ' ' || \(option)), \(list("''")),
      'GRANT ' || \(list(columns)), 'TO ' || grantee, \(option)
    FROM (TABLE now EXCEPT TABLE once) added GROUP BY grantee, may_grant
    """
  }

  private static let who = "replace(grantee, 'CURRENT_USER', 'the owner')"
  private static let option = "CASE WHEN may_grant THEN 'WITH GRANT OPTION' ELSE '' END"

  private static func list(_ columns: String) -> String {
    "string_agg(privilege || \(columns), ', ' ORDER BY privilege COLLATE \"C\")"
  }

  private static func exploded(_ acl: String, owner: String) -> String {
    """
    (SELECT DISTINCT CASE WHEN a.grantee = \(owner) AND a.grantee <> 0 THEN 'CURRENT_USER'
        ELSE \(ObjectKind.role("a.grantee")) END AS grantee,
      privilege_type AS privilege, is_grantable AND a.grantee <> \(owner) AS may_grant
      FROM aclexplode(nullif(\(acl), '{}')) a) x
    """
  }

  /// Everything that has privileges, as `classid`, `objid`, `sub` (a column), `letter` (as `acldefault` takes
  /// it), `owner` and `acl`.
  private static let holders = """
    SELECT 'pg_class'::regclass::oid AS classid, oid AS objid, 0 AS sub,
      CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char" AS letter, relowner AS owner, relacl AS acl
    FROM pg_class WHERE relkind IN ('r', 'p', 'f', 'v', 'm', 'S')
    UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, 'c', relowner, attacl
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE attacl IS NOT NULL AND NOT attisdropped
    UNION ALL SELECT 'pg_proc'::regclass, oid, 0, 'f', proowner, proacl FROM pg_proc
    UNION ALL SELECT 'pg_namespace'::regclass, oid, 0, 'n', nspowner, nspacl FROM pg_namespace
    UNION ALL SELECT 'pg_type'::regclass, oid, 0, 'T', typowner, typacl FROM pg_type
    UNION ALL SELECT 'pg_language'::regclass, oid, 0, 'l', lanowner, lanacl FROM pg_language
    UNION ALL SELECT 'pg_foreign_data_wrapper'::regclass, oid, 0, 'F', fdwowner, fdwacl FROM pg_foreign_data_wrapper
    UNION ALL SELECT 'pg_foreign_server'::regclass, oid, 0, 'S', srvowner, srvacl FROM pg_foreign_server
    """

  /// Statements for what differs, each with its object. The schema `public` starts with what initdb has given
  /// it.
  static let privileges = """
    SELECT h.classid, h.objid, h.sub * 2 + place, concat(\(ofColumn("h.classid", "h.objid", "h.sub")), part), rights,
      (SELECT rtrim(format('%s ON %s %s %s %s', words, CASE i.type
        WHEN 'function' THEN 'FUNCTION' WHEN 'aggregate' THEN 'FUNCTION' WHEN 'procedure' THEN 'PROCEDURE'
        WHEN 'schema' THEN 'SCHEMA' WHEN 'type' THEN 'TYPE' WHEN 'language' THEN 'LANGUAGE' WHEN 'sequence' THEN 'SEQUENCE'
        WHEN 'foreign-data wrapper' THEN 'FOREIGN DATA WRAPPER' WHEN 'server' THEN 'FOREIGN SERVER' ELSE 'TABLE' END,
      i.identity, toward, tail)) FROM pg_identify_object(h.classid, h.objid, 0) i)
    FROM (\(holders)) h
    LEFT JOIN pg_init_privs p ON p.classoid = h.classid AND p.objoid = h.objid AND p.objsubid = h.sub
    CROSS JOIN LATERAL (SELECT CASE WHEN h.classid = 'pg_namespace'::regclass AND h.objid = to_regnamespace('public')
      THEN ARRAY[makeaclitem(0, h.owner, 'USAGE', false), makeaclitem(h.owner, h.owner, 'USAGE', false),
        makeaclitem(h.owner, h.owner, 'CREATE', false)]
      ELSE coalesce(p.initprivs, acldefault(h.letter, h.owner)) END AS base) b
    CROSS JOIN LATERAL (\(differences(
      acl: "coalesce(h.acl, acldefault(h.letter, h.owner))", base: "b.base", owner: "h.owner",
      columns: """
        coalesce((SELECT format(' (%I)', attname) FROM pg_attribute
          WHERE h.sub > 0 AND attrelid = h.objid AND attnum = h.sub), '')
        """))) d
    WHERE h.acl IS NOT NULL AND h.objid >= 16384 OR p.initprivs IS NOT NULL AND h.acl IS DISTINCT FROM p.initprivs
      OR h.classid = 'pg_namespace'::regclass AND h.objid = to_regnamespace('public')
    """
}
