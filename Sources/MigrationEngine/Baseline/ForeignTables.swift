import PostgreSQL

/// The tables in which other migration tools keep their history: what a database that was taken over has beside
/// what its migrations make.
enum ForeignTables {
  /// A table that a tool makes, known by its columns, and by its name where these are many tables' columns.
  private struct Kind {
    /// Nil where the tool lets its users name it.
    let name: String?
    let columns: [String]
  }

  private static let kinds = [
    // Flyway.
    Kind(
      name: nil,
      columns: [
        "installed_rank", "version", "description", "type", "script", "checksum", "installed_by",
        "installed_on",
        "execution_time", "success",
      ]),
    // golang-migrate; dbmate, Rails.
    Kind(name: "schema_migrations", columns: ["version", "dirty"]),
    Kind(name: "schema_migrations", columns: ["version"]),
    Kind(name: "ar_internal_metadata", columns: ["key", "value", "created_at", "updated_at"]),
    // Liquibase.
    Kind(
      name: "databasechangelog",
      columns: ["id", "author", "filename", "dateexecuted", "orderexecuted", "md5sum"]),
    Kind(name: "databasechangeloglock", columns: ["id", "locked", "lockgranted", "lockedby"]),
    // goose, sqlx, node-pg-migrate.
    Kind(name: "goose_db_version", columns: ["id", "version_id", "is_applied", "tstamp"]),
    Kind(
      name: "_sqlx_migrations",
      columns: ["version", "description", "installed_on", "success", "checksum", "execution_time"]),
    Kind(name: "pgmigrations", columns: ["id", "name", "run_on"]),
    // sqitch.
    Kind(name: "releases", columns: ["version", "installed_at", "installer_name", "installer_email"]),
    Kind(name: "projects", columns: ["project", "uri", "created_at", "creator_name", "creator_email"]),
    Kind(
      name: "changes",
      columns: ["change_id", "script_hash", "change", "project", "committed_at", "planner_name"]),
    Kind(name: "tags", columns: ["tag_id", "tag", "project", "change_id", "committed_at", "planner_name"]),
    Kind(name: "dependencies", columns: ["change_id", "type", "dependency", "dependency_id"]),
    Kind(
      name: "events", columns: ["event", "change_id", "change", "project", "requires", "conflicts", "tags"]),
  ]

  /// Them and the sequences of their columns, each as `schema.name` with neither part quoted; and the schemas that
  /// hold nothing else.
  static func find(on connection: Connection) throws -> (relations: Set<String>, schemas: [String]) {
    let wanted = kinds.map { "\($0.name ?? "*") \($0.columns.joined(separator: " "))" }
    let rows = try connection.query(
      """
      WITH kind AS (
        SELECT split_part(k, ' ', 1) AS name, (string_to_array(k, ' '))[2:] AS columns FROM unnest($1::text[]) k),
      tool AS (
        SELECT c.oid, relnamespace FROM pg_class c WHERE relkind = 'r' AND EXISTS (
          SELECT FROM kind WHERE kind.name IN ('*', relname) AND kind.columns <@ ARRAY(
            SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)
          -- One of a few columns that has others beside them may be anybody's.
          AND (cardinality(kind.columns) > 5 OR cardinality(kind.columns) = (
            SELECT count(*) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)))),
      own AS (
        SELECT oid, relnamespace FROM tool
        UNION SELECT s.oid, s.relnamespace FROM pg_class s
        JOIN pg_depend d ON d.objid = s.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
        JOIN tool ON tool.oid = d.refobjid WHERE s.relkind = 'S')
      SELECT nspname || '.' || relname, quote_ident(nspname), nspname <> 'public' AND NOT EXISTS (
        SELECT FROM pg_class o WHERE o.relnamespace = n.oid AND o.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
          AND o.oid NOT IN (SELECT oid FROM own))
      FROM own JOIN pg_class c ON c.oid = own.oid JOIN pg_namespace n ON n.oid = c.relnamespace
      """, [.textArray(wanted)]
    ).rows
    let schemas = rows.filter { $0[2] == "t" }.compactMap { $0[1] }
    return (Set(rows.compactMap { $0[0] }), Set(schemas).sorted())
  }
}
