/// Keys and constraints.
extension LintCitusTests {
  static let constraints = [
    example(
      "unique-without-key",
      "ALTER TABLE app.visit ADD ▲CONSTRAINT u UNIQUE (id);",
      "ALTER TABLE app.visit ADD COLUMN z int ▲UNIQUE;",
      "ALTER TABLE app.visit ADD CONSTRAINT u UNIQUE (id, source_id);",
      "ALTER TABLE app.code ADD CONSTRAINT u UNIQUE (n);",
      "CREATE UNIQUE INDEX CONCURRENTLY u ON ▲app.visit (id);",
      "CREATE UNIQUE INDEX CONCURRENTLY u ON app.visit (id, source_id);",
      """
      CREATE TABLE app.whole (k bigint CONSTRAINT whole_key PRIMARY KEY);
      SELECT create_distributed_table('app.whole', NULL);
      """),
    anywhere("unique-without-key", "ALTER TABLE app.t ADD CONSTRAINT u UNIQUE (b);"),
    example(
      "foreign-key",
      "ALTER TABLE app.code ADD ▲CONSTRAINT f FOREIGN KEY (s, i) REFERENCES app.visit (source_id, id);",
      "ALTER TABLE app.visit ADD ▲CONSTRAINT f FOREIGN KEY (id) REFERENCES app.ledger (id);",
      "ALTER TABLE app.visit ADD CONSTRAINT f FOREIGN KEY (n) REFERENCES app.code (code);"),
    example(
      "unnamed-constraint",
      "CREATE TABLE app.visit (id bigint ▲PRIMARY KEY, a int NOT NULL, ▲CHECK (a > 0));",
      "CREATE TABLE app.other (id bigint PRIMARY KEY);"),
    anywhere(
      "unnamed-constraint",
      "CREATE TABLE app.other (id bigint ▲PRIMARY KEY, CONSTRAINT c CHECK (id > 0));"),
    example(
      "colocation",
      """
      CREATE TABLE app.c (source_id int);
      ▲SELECT create_distributed_table('app.c', 'source_id', colocate_with => 'app.visit');
      """,
      """
      CREATE TABLE app.c (source_id int);
      SELECT create_distributed_table('app.c', 'source_id');
      """,
      """
      CREATE TABLE app.c (source_id bigint);
      SELECT create_distributed_table('app.c', 'source_id', colocate_with => 'app.visit');
      """,
      """
      CREATE TABLE app.a (k text COLLATE "C", v int);
      SELECT create_distributed_table('app.a', 'k');
      CREATE TABLE app.b (k text, v int);
      ▲SELECT create_distributed_table('app.b', 'k', colocate_with => 'app.a');
      """,
      """
      CREATE TABLE app.a (k text COLLATE "C", v int);
      SELECT create_distributed_table('app.a', 'k');
      CREATE TABLE app.b (v int, k text COLLATE pg_catalog."C" NOT NULL);
      SELECT create_distributed_table('app.b', 'k', colocate_with => 'app.a');
      """,
      """
      CREATE TABLE app.a (k text, v int);
      SELECT create_distributed_table('app.a', 'k');
      CREATE TABLE app.b (k text COLLATE "C", v int);
      ▲SELECT create_distributed_table('app.b', 'k');
      """,
      """
      CREATE TABLE app.a (k text, v int);
      SELECT create_distributed_table('app.a', 'k');
      CREATE TABLE app.b (k text COLLATE "C", v int);
      SELECT create_distributed_table('app.b', 'k', colocate_with => 'none');
      """,
      """
      CREATE TABLE app.a (k text COLLATE "C", v int);
      SELECT create_distributed_table('app.a', 'k');
      CREATE TABLE app.b (k text, v int);
      ALTER TABLE app.b ALTER COLUMN k TYPE text COLLATE "C";
      SELECT create_distributed_table('app.b', 'k', colocate_with => 'app.a');
      """),
  ].flatMap(\.self)
}
