import PostgreSQL

/// The columns and checks of a table, from which tables like it are made.
///
/// `CREATE TABLE (LIKE ...)` says as much, and keeps a lock on the table until its transaction ends: no
/// publication could have it while the new one is filled.
struct TableDefinition: Sendable {
  /// What `CREATE TABLE` says of a column.
  private struct Column: Sendable {
    let definition: String
    let defaultValue: String?
    /// How its long values are stored, where that is not as its type has it.
    let storage: String?
  }

  private let columns: [Column]
  private let checks: [String]

  /// Reads the definition of a table.
  /// - Parameters:
  ///   - oid: its number.
  ///   - connection: whose `search_path` is that of those who make tables of it.
  /// - Throws: `PostgreSQLError`.
  init(of oid: String, on connection: Connection) throws {
    columns = try connection.query(
      """
      SELECT format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
          || CASE WHEN l.oid IS NOT NULL THEN format(' COLLATE %I.%I', n.nspname, l.collname) ELSE '' END
          || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
        CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END,
        CASE WHEN a.attstorage <> t.typstorage THEN format('ALTER COLUMN %I SET STORAGE %s', a.attname,
          CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END) END
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_collation l ON l.oid = a.attcollation AND l.oid <> t.typcollation
        LEFT JOIN pg_namespace n ON n.oid = l.collnamespace
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """, [.text(oid)]
    ).rows.map { Column(definition: try $0.value(0), defaultValue: $0[1], storage: $0[2]) }
    checks = try connection.query(
      """
      SELECT format('CONSTRAINT %I %s', conname, regexp_replace(pg_get_constraintdef(oid), ' NOT VALID$', ''))
      FROM pg_constraint WHERE conrelid = $1::oid AND contype = 'c' ORDER BY conname
      """, [.text(oid)]
    ).rows.map { try $0.value(0) }
  }

  /// A table like it: statements.
  /// - Parameters:
  ///   - name: its name, quoted.
  ///   - hasDefaults: whether its columns have the defaults.
  ///   - more: constraints more.
  ///   - settings: what follows WITH.
  /// - Returns: the statements.
  func table(_ name: String, hasDefaults: Bool, with more: [String], settings: [String]) -> String {
    let columns = self.columns.map { column in
      column.definition + (hasDefaults ? column.defaultValue.map { " DEFAULT \($0)" } ?? "" : "")
    }
    let storage = self.columns.compactMap(\.storage)
    return """
      CREATE TABLE \(name) (
        \((columns + checks + more).joined(separator: ",\n  "))
      ) WITH (\(settings.joined(separator: ", ")));
      \(storage.isEmpty ? "" : "ALTER TABLE \(name) \(storage.joined(separator: ", "));")
      """
  }
}
