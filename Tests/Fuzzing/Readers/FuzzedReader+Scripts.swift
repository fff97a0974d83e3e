import Host
import MigrationEngine
import SQLText

/// SQL, and folders of it.
extension FuzzedReader {
  static let scripts = [
    FuzzedReader("sql", words: sqlWords) { input, _ in
      let isPsql = input.choice(of: [false, true])
      let text = input.text
      _ = SQLStatements.normalised(text)
      if isPsql {
        let script = try PsqlScript(text, file: "a.sql", given: { $0 == "given" ? "1" : nil }) { name, _ in
          name == "b.sql" ? ("b.sql", "SELECT 1;\n\\set v 2\n") : nil
        }
        _ = try SQLScript(script.sql)
      } else {
        let script = try SQLScript(text)
        for statement in script.statements { _ = (statement.text, script.data(of: statement)) }
      }
    },
    FuzzedReader("migrations", words: sqlWords + markWords) { input, folder in
      try folder.put(input.files)
      try look(at: try MigrationFolder(folder.path))
    },
    FuzzedReader("other-tools", words: sqlWords + toolWords) { input, folder in
      let values = input.choice(of: [[:], ["a": "1", "b": "fee"]])
      try folder.put(input.files)
      try look(at: try MigrationFolder.open(folder.path, values: PlaceholderValues(values), mayBeEmpty: true))
    },
  ]

  /// All that is asked of a folder without a server.
  private static func look(at folder: MigrationFolder) throws {
    for complaint in folder.complaints { _ = "\(complaint)" }
    for migration in folder.migrations + folder.repeatables {
      _ = (migration.checksum, migration.text, migration.label)
      _ = folder.migration(migration.version)?.file
    }
    for forCitus in [false, true] { _ = try Lint(folder: folder, forCitus: forCitus).findings() }
    _ = try folder.using(["a"], of: ["a", "b"])
  }

  private static let sqlWords = [
    "CREATE TABLE a (b int PRIMARY KEY);\n", "ALTER TABLE a ADD COLUMN c text NOT NULL DEFAULT 'd';\n",
    "ALTER TABLE a ALTER COLUMN b TYPE bigint USING b::bigint;\n", "DROP TABLE IF EXISTS a CASCADE;\n",
    "CREATE INDEX CONCURRENTLY i ON a (b);\n",
    "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS ", "BEGIN ATOMIC", "END", "$$", "$tag$",
    "E'\\'", "U&\"", "/*", "*/", "--", ";", "COPY a FROM STDIN;\n1\n\\.\n", "\\gexec\n", "\\if :a\n",
    "\\elif true\n", "\\else\n", "\\endif\n", "\\i b.sql\n", "\\ir b.sql\n", "\\set v 1\n", ":'v'",
    ":\"v\"", ":v", "ADD CONSTRAINT k FOREIGN KEY (b) REFERENCES c (d) NOT VALID", "BEGIN;", "COMMIT;",
    "CREATE VIEW v AS SELECT ", "UPDATE a SET b = 1;", "PARTITION BY RANGE (b)", "DO $$",
    "VALIDATE CONSTRAINT k", "SELECT create_distributed_table('a', 'b');", "RENAME COLUMN b TO c",
    "GENERATED ALWAYS AS (b + 1) STORED",
  ]

  private static let markWords = [
    "\u{1}0001_a.sql\n", "\u{1}0002_b.sql\n", "\u{1}R_c.sql\n", "\u{1}before_all.sql\n", "-- rivulet:up\n",
    "-- rivulet:down\n", "-- rivulet:verify\n", "-- rivulet:require\n", "-- rivulet:datasets a\n",
    "transaction=off", "placeholders=on", "lock_timeout=5s", "statement_timeout=1min", "irreversible",
    "-- rivulet:expand\n", "-- rivulet:contract\n", "-- rivulet:allow ", "batch=b size=1000 pause=1s",
    "{from}", "{to}", "${a}",
  ]

  private static let toolWords = [
    "\u{1}V1.2__a.sql\n", "\u{1}U1.2__a.sql\n", "\u{1}B2__a.sql\n", "\u{1}R__a.sql\n",
    "\u{1}V1.2__a.sql.conf\n", "\u{1}beforeMigrate__a.sql\n", "executeInTransaction=false\n",
    "placeholderReplacement=true\n", "${a}", "\u{1}1_a.up.sql\n", "\u{1}1_a.down.sql\n",
    "\u{1}20250101120000_a.sql\n", "-- migrate:up transaction:false\n", "-- migrate:down\n",
    "-- +goose Up\n", "-- +goose Down\n", "-- +goose StatementBegin\n", "-- +goose StatementEnd\n",
    "-- +goose NO TRANSACTION\n", "-- +goose ENVSUB ON\n", "--liquibase formatted sql\n",
    "--changeset me:1 runOnChange:true splitStatements:false endDelimiter:/ context:a\n",
    "--rollback DROP TABLE a;\n", "--preconditions onFail:MARK_RAN\n",
    "--precondition-sql-check expectedResult:0 SELECT 1\n", "\u{1}sqitch.plan\n",
    "%syntax-version=1.0.0\n%project=p\n", "a [b @v1] 2025-01-01T00:00:00Z A <a@b> # note\n",
    "@v1 2025-01-01T00:00:00Z A <a@b> # tag\n", "\u{1}deploy/a.sql\n", "\u{1}revert/a.sql\n",
    "\u{1}verify/a.sql\n", "\u{1}sqitch.conf\n", "[core]\n\tengine = pg\n", "-- Up Migration\n",
    "-- Down Migration\n", "-- no-transaction\n", "\u{1}m.yaml\ndatabaseChangeLog:\n",
    "- includeAll:\n    path: ../a\n    relativeToChangelogFile: true\n", "- include:\n    file: a.sql\n",
    "\u{1}m.xml\n<databaseChangeLog>\n", "<include file=\"m.yaml\"/>",
  ]
}
