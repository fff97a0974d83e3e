import Host
import PostgreSQL
import TestSupport

@testable import MigrationEngine

/// A table of visits whose changes are counted, and migrations that change it in batches.
struct OwnBatches {
  let own: OwnMigrations

  /// `key` is the definition of the key's columns, `rows` a query for their values.
  init(key: String, primary: String, rows: String) throws {
    own = try OwnMigrations()
    try own.execute(
      """
      CREATE SCHEMA app;
      CREATE COLLATION german (provider = icu, locale = 'de');
      CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
      CREATE TYPE app_mood AS ENUM ('sad', 'ok', 'glad');
      CREATE DOMAIN app_key AS int NOT NULL;
      CREATE TYPE app_pair AS (site text, n int);
      CREATE TABLE app.visit (\(key), code text, norm text, PRIMARY KEY (\(primary)));
      INSERT INTO app.visit (\(primary)) \(rows);
      UPDATE app.visit SET code = md5(visit::text);
      CREATE TABLE touch (key text, size int);
      CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO touch SELECT ROW(\(primary))::text, (SELECT count(*) FROM changed) FROM changed;
        RETURN NULL;
      END $$;
      CREATE TRIGGER touch AFTER UPDATE ON app.visit REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION touch();
      """)
  }

  /// Visits 1 to a count.
  init(count: Int = 100) throws {
    try self.init(key: "id int", primary: "id", rows: "SELECT generate_series(1, \(count))")
  }

  /// Writes the migration that fills the column.
  func write(_ mark: String = "app.visit id 20", head: String = "", set: String = "norm = upper(code)") throws
  {
    try own.write(
      "1_norm.sql",
      up: "\(head)\n-- rivulet:batch \(mark)\nUPDATE app.visit SET \(set) WHERE {batch} AND norm IS NULL;",
      down: "-- rivulet:batch \(mark)\nUPDATE app.visit SET norm = NULL WHERE norm IS NOT NULL AND {batch};")
  }

  /// Has psql run the script that `migrate plan` would write.
  func runScript() throws -> (status: Int32, output: String) {
    let scratch = try Scratch()
    let script = try scratch.write("s.sql", try own.engine().script(.natural))
    let run = try Subprocess(["psql", own.database.url, "-Xq", "-f", script]).run()
    return (run.status, run.output)
  }

  /// How many rows are as one UPDATE would have left them, of how many, and how many changes there were of how
  /// many rows: `100/100 100/100`.
  func outcome() throws -> String? {
    try own.database.value(
      """
      SELECT concat_ws(' ', (SELECT concat(count(*) FILTER (WHERE norm = upper(code)), '/', count(*)) FROM app.visit),
        (SELECT concat(count(*), '/', count(DISTINCT key)) FROM touch))
      """)
  }

  /// How many rows each batch had that changed any, in order.
  func sizes() throws -> String? {
    try own.database.value(
      "SELECT string_agg(size::text, ' ' ORDER BY at) FROM (SELECT size, min(ctid) AS at FROM touch GROUP BY xmin, size) s"
    )
  }
}
