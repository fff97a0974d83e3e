import Catalog
import PostgreSQL

/// Brings into a shadow what migrations may ask for beside the schema: what the schema `rivulet` knows of
/// migrations, views and releases, and materialised views that are filled.
struct ShadowHistory {
  let target: Connection
  let shadow: Connection

  /// The tables that are copied; what runs have read and refused is nobody's business here.
  private static let tables = [
    "setting", "migration", "migration_statement", "release", "release_table", "publication", "dataset",
    "view_grant", "view",
  ]

  /// Copies the rows, without the keys that lead to what is not copied.
  func copy() throws {
    guard try Catalog.installedVersion(target) > 0 else { return }
    try shadow.execute(
      """
      DO $$ DECLARE key record; BEGIN
        FOR key IN SELECT conrelid::regclass AS owner, conname FROM pg_constraint
          WHERE contype = 'f' AND connamespace = 'rivulet'::regnamespace
        LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', key.owner, key.conname); END LOOP;
      END $$
      """)
    for table in ShadowHistory.tables { try copy(table) }
  }

  /// Copies the columns that both have; an older target lacks some, and then they have their defaults.
  private func copy(_ table: String) throws {
    let columns = try columns(of: table, target).filter(Set(try columns(of: table, shadow)).contains)
      // Values of somebody's data, and the shadow has none.
      .filter { !["last_key", "end_key"].contains($0) }
    if columns.isEmpty { return }
    let list = columns.map(Quote.identifier).joined(separator: ", ")
    let rows = try target.query("SELECT coalesce(json_agg(t), '[]') FROM rivulet.\(table) t")[0]
    try shadow.execute("DELETE FROM rivulet.\(table)")
    try shadow.query(
      """
      INSERT INTO rivulet.\(table) (\(list)) OVERRIDING SYSTEM VALUE
      SELECT \(list) FROM json_populate_recordset(NULL::rivulet.\(table), $1)
      """, [.text(try rows.value(0))])
    try moveSequence(of: table)
  }

  /// What is added goes on after the rows that were copied.
  private func moveSequence(of table: String) throws {
    try shadow.execute(
      """
      DO $$ DECLARE own record; BEGIN
        FOR own IN SELECT attname FROM pg_attribute WHERE attrelid = 'rivulet.\(table)'::regclass AND attidentity <> ''
        LOOP EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), max(%I)) FROM %s', 'rivulet.\(table)',
          own.attname, own.attname, 'rivulet.\(table)'); END LOOP;
      END $$
      """)
  }

  /// Fills the materialised views that are filled in the target, since some statements ask for that; those
  /// that read others come after them, and one that cannot be filled here stays as it is.
  func fillViews() throws {
    var waiting = try target.query(
      """
      SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind = 'm' AND relispopulated ORDER BY 1
      """
    ).rows.compactMap { $0[0] }
    var found = 0
    while waiting.count != found {
      found = waiting.count
      waiting = waiting.filter { name in
        (try? shadow.execute("SET statement_timeout = '5s'; REFRESH MATERIALIZED VIEW \(name)")) == nil
      }
    }
    try shadow.resetSession()
  }

  private func columns(of table: String, _ connection: Connection) throws -> [String] {
    try connection.query(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
        AND attgenerated = '' ORDER BY attnum
      """, [.text("rivulet.\(table)")]
    ).rows.compactMap { $0[0] }
  }
}
