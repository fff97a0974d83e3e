public import PostgreSQL
import Store

/// Reads the tables and views of a database from its catalog, and no row of any of them.
///
/// Left out are the schema `rivulet`, partitions and the tables of releases that are not published, staged
/// tables, and what belongs to an extension.
public enum SchemaReader {
  /// All tables and views, in the order of their names, as they are at one moment.
  /// - Throws: `PostgreSQLError` where a catalog cannot be read.
  public static func relations(on connection: Connection) throws -> [Relation] {
    try connection.transaction {
      try connection.execute(
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL search_path = '';"
          + "SET LOCAL jit = off")
      let isOurs = try connection.execute("SELECT to_regclass('rivulet.release_table') IS NOT NULL")
      let hasLedger: Bool = try isOurs[0].value(0)
      var found: [String: Relation] = [:]
      for relation in try plainRelations(connection, hasLedger: hasLedger) { found[relation.name] = relation }
      try addColumns(to: &found, connection)
      try addConstraints(to: &found, connection)
      try addReads(to: &found, connection, hasLedger: hasLedger)
      return found.values.sorted { $0.name < $1.name }
    }
  }

  private static func plainRelations(_ connection: Connection, hasLedger: Bool) throws -> [Relation] {
    let unpublished = hasLedger ? "SELECT partition FROM rivulet.release_table" : "SELECT NULL"
    return try connection.query(
      """
      SELECT n.nspname || '.' || c.relname, c.relkind IN ('v', 'm'), obj_description(c.oid, 'pg_class'),
        CASE c.relkind WHEN 'p' THEN (SELECT sum(greatest(p.reltuples, 0))::bigint FROM pg_inherits i
            JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = c.oid)
          WHEN 'v' THEN NULL ELSE nullif(c.reltuples, -1)::bigint END,
        CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
        AND n.nspname NOT IN ('information_schema', 'rivulet') AND n.nspname NOT LIKE 'pg\\_%'
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
          AND d.deptype = 'e')
        AND NOT EXISTS (SELECT FROM (\(unpublished)) t(name) WHERE t.name = n.nspname || '.' || c.relname)
        AND NOT starts_with(coalesce(obj_description(c.oid, 'pg_class'), ''), $1)
      """, [.text(Leftovers.markStart)]
    ).rows.map { row in
      Relation(
        try row.value(0), isView: try row.value(1), comment: row[2], rows: try row.optional(3), sql: row[4])
    }
  }

  private static func addColumns(to found: inout [String: Relation], _ connection: Connection) throws {
    let rows = try connection.execute(
      """
      SELECT n.nspname || '.' || c.relname, a.attname, format_type(a.atttypid, a.atttypmod), NOT a.attnotnull,
        col_description(c.oid, a.attnum), pg_get_expr(d.adbin, d.adrelid), a.attgenerated <> '',
        a.attidentity <> ''
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE a.attnum > 0 AND NOT a.attisdropped AND NOT c.relispartition AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND n.nspname NOT IN ('information_schema', 'rivulet') AND n.nspname NOT LIKE 'pg\\_%'
      ORDER BY c.oid, a.attnum
      """)
    for row in rows.rows {
      found[try row.value(0)]?.columns.append(
        RelationColumn(
          try row.value(1), try row.value(2), isNullable: try row.value(3), comment: row[4],
          expression: row[5], isGenerated: try row.value(6), isIdentity: try row.value(7)))
    }
  }

  private static func addConstraints(to found: inout [String: Relation], _ connection: Connection) throws {
    let columns = { (table: String, numbers: String) in
      "ARRAY(SELECT a.attname::text FROM unnest(k.\(numbers)) WITH ORDINALITY x(number, place)"
        + " JOIN pg_attribute a ON a.attrelid = k.\(table) AND a.attnum = x.number ORDER BY x.place)"
    }
    let rows = try connection.execute(
      """
      SELECT n.nspname || '.' || c.relname, k.contype::text, \(columns("conrelid", "conkey")),
        o.nspname || '.' || other.relname, \(columns("confrelid", "confkey")), pg_get_constraintdef(k.oid)
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_class other ON other.oid = k.confrelid LEFT JOIN pg_namespace o ON o.oid = other.relnamespace
      WHERE k.contype IN ('p', 'u', 'f', 'c') AND k.conparentid = 0
      ORDER BY c.oid, k.conname
      """)
    for row in rows.rows {
      let name: String = try row.value(0)
      let columns: [String] = try row.value(2)
      switch row[1] {
      case "p": found[name]?.key = columns
      case "u": found[name]?.uniques.append(columns)
      case "f":
        found[name]?.references.append(
          .init(columns: columns, table: row[3] ?? "", others: try row.value(4)))
      default: found[name]?.checks.append(row[5] ?? "")
      }
    }
  }

  /// What a stored view is computed from is that of the plain view which is kept beside its table.
  private static func addReads(
    to found: inout [String: Relation], _ connection: Connection, hasLedger: Bool
  ) throws {
    let stored =
      hasLedger
      ? "SELECT name, 'rivulet.view_' || number FROM rivulet.view WHERE strategy <> 'live'" : "SELECT '', ''"
    let rows = try connection.execute(
      """
      SELECT DISTINCT coalesce(s.name, n.nspname || '.' || c.relname), rn.nspname || '.' || r.relname
      FROM pg_rewrite w JOIN pg_class c ON c.oid = w.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
        AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> w.ev_class
      JOIN pg_class r ON r.oid = d.refobjid JOIN pg_namespace rn ON rn.oid = r.relnamespace
      LEFT JOIN (\(stored)) s(name, rule) ON s.rule = n.nspname || '.' || c.relname
      ORDER BY 1, 2
      """)
    for row in rows.rows {
      let read: String = try row.value(1)
      if found[read] != nil { found[try row.value(0)]?.reads.append(read) }
    }
  }
}
