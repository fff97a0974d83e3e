import TestSupport

/// Folders of many migrations.
enum MigrationFolders {
  /// One table and one index each; every fourth has a row too, so that the runs between share commits and it
  /// does not, and every twentieth index is built concurrently.
  static func tables(_ count: Int) throws -> Scratch {
    let scratch = try Scratch()
    for number in 1...count {
      let table = "public.t\(number)"
      let isConcurrent = number.isMultiple(of: 20)
      let index = "CREATE INDEX \(isConcurrent ? "CONCURRENTLY " : "")t\(number)_idx ON \(table) (n);"
      try scratch.write(
        "\(1000 + number)_t\(number).sql",
        """
        -- rivulet:up
        CREATE TABLE \(table) (n int NOT NULL DEFAULT \(number), t text CHECK (t <> ''));
        \(number.isMultiple(of: 4) ? "INSERT INTO \(table) (t) VALUES ('x');" : "")
        \(index)
        -- rivulet:down
        DROP TABLE \(table);
        """)
    }
    return scratch
  }

  /// What such a folder leaves in a database, its rows and its history included.
  static let outcome = """
    SELECT md5(string_agg(line, '|' ORDER BY line)) FROM (
      SELECT concat(c.relname, c.relkind, pg_get_indexdef(c.oid), i.indisvalid) AS line
      FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace
      UNION ALL
      SELECT concat(attrelid::regclass, attname, atttypid::regtype, attnotnull) FROM pg_attribute
      WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
      UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT version || name || checksum FROM rivulet.migration
      UNION ALL SELECT version || 'journal' FROM rivulet.migration_statement
      UNION ALL SELECT concat('rows ', (xpath('/row/c/text()', query_to_xml('SELECT count(*) AS c FROM '
        || oid::regclass, false, true, '')))[1]::text, relname)
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS lines
    """
}
