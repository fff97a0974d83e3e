import Host
import TestSupport
import Testing

@testable import MigrationEngine

/// Scripts of sqitch's projects that are written for psql, against psql itself.
@Suite("A script written for psql")
struct PsqlScriptTests {
  private static let who = "2026-01-31T12:00:00Z A Name <a@example.org>"
  private static let script = """
    -- Deploy fees to pg
    \\set table 'fee list'
    \\set column amount
    \\set both :column _due
    \\set quoted 'it''s' '\\tone\\n'
    \\set pair :'quoted'
    \\timing on
    \\ir parts/first.sql
    BEGIN;
    SELECT :pair AS it INTO quoted;
    CREATE TABLE :"table" (:column int, :both int DEFAULT :'given'::int, note text DEFAULT :'table');
    COMMIT;
    \\if :{?given}
      INSERT INTO :"table" VALUES (:given);
      \\if :on
        INSERT INTO :"table" VALUES (2);
      \\elif true
        INSERT INTO :"table" VALUES (3);
      \\else
        no SQL at all;
      \\endif
    \\else
      INSERT INTO missing VALUES (1);
    \\endif
    COPY :"table" (:column, note) FROM stdin;
    7	it's :given \\\\if
    \\.
    SELECT format('CREATE TABLE t%s (n int)', n), format('COMMENT ON TABLE t%s IS %L', n, 'number ' || n), NULL
    FROM generate_series(1, 3) n
    \\gexec
    SELECT (ARRAY[1, 2, 3])[1:2], 1::int, 'a:given' \\g
    \\i deploy/parts/last.sql
    \\echo done
    \\q
    no SQL either
    """

  private static let files = [
    "sqitch.plan": "%project=fees\n\nfees \(who)\n", "deploy/fees.sql": script,
    "deploy/parts/first.sql": "CREATE TABLE first (n int);\n\\ir deeper/second.sql\n",
    "deploy/parts/deeper/second.sql": "CREATE TABLE second (n int);",
    "deploy/parts/last.sql": "\\set there yes\nCREATE VIEW last AS SELECT 'x' AS :there;\n",
  ]

  private static let values = ["given": "5", "on": "off"]

  @Test("makes what psql makes, and reads included files and variables as it does")
  func asPsql() throws {
    let folder = try OwnMigrations(PsqlScriptTests.files)
    let psql = try TestServer.shared.makeDatabase()
    let command =
      "cd \"$1\" && exec psql \"$2\" -Xq -v ON_ERROR_STOP=1 -v given=5 -v on=off -f deploy/fees.sql"
    let run = try Subprocess(["/bin/sh", "-c", command, "sh", folder.scratch.path, psql.url]).run()
    #expect(run.status == 0, "\(run.output)")
    #expect(try folder.labelsUp(PsqlScriptTests.values) == ["fees"])
    let ours = try SchemaSnapshot.read(from: folder.database.connect())
    let theirs = try SchemaSnapshot.read(from: psql.connect())
    #expect(ours.objects.count > 7)
    #expect(theirs.differences(to: ours).map { $0.line(.drift) } == [])
    let rows = "SELECT string_agg(f::text, ' ' ORDER BY f::text) FROM \"fee list\" f"
    let found = try #require(try folder.database.value(rows))
    #expect(try psql.value(rows) == found)
    #expect(found.contains("it's :given"))
    let quoted = "SELECT it FROM quoted"
    #expect(try psql.value(quoted) == "it's\tone\n")
    #expect(try folder.database.value(quoted) == "it's\tone\n")
  }

  @Test("names the file and the line that an error is in, of an included file too")
  func places() throws {
    var files = PsqlScriptTests.files
    files["deploy/parts/deeper/second.sql"] = "SELECT 1;\n\nSELECT nothing;"
    let folder = try OwnMigrations(files)
    #expect(
      complaint { try folder.labelsUp(PsqlScriptTests.values) }.hasPrefix("second.sql:3:8: ERROR 42703"))
    files["deploy/parts/deeper/second.sql"] = ""
    files["deploy/fees.sql"] = PsqlScriptTests.script.replacing("BEGIN;", with: "SELECT nothing;\nBEGIN;")
    let other = try OwnMigrations(files)
    #expect(complaint { try other.labelsUp(PsqlScriptTests.values) }.hasPrefix("fees.sql:9:8: ERROR 42703"))
  }

  @Test(
    "is refused with the place of a command that only psql can do",
    arguments: [
      ("SELECT 1;\n\\copy a FROM b", "fees.sql:2:1: \\copy is a command for psql"),
      ("SELECT 1 AS a \\gset", "fees.sql:1:15: \\gset is a command for psql"),
      ("\\i nowhere.sql", "fees.sql:1:1: there is no file 'nowhere.sql' to include"),
      (
        "\\i /etc/hostname",
        "fees.sql:1:1: there is no file '/etc/hostname' to include in the project's folder"
      ),
      (
        "\\i ../../../../../../etc/hostname",
        "fees.sql:1:1: there is no file '../../../../../../etc/hostname'"
      ),
      ("\\ir fees.sql", "fees.sql:1:1: 'fees.sql' includes itself"),
      (
        "\\if :maybe\n\\endif",
        "fees.sql:1:1: \\if ':maybe' is neither true nor false: give it with --set maybe="
      ),
      ("\\if true\nSELECT 1;", "fees.sql:1:1: this \\if has no \\endif"),
      ("\\endif", "fees.sql:1:1: \\endif has no \\if before it"),
      ("\\set a `echo x`", "fees.sql:1:1: text in backquotes is what a command of the shell writes"),
      ("SELECT :'a'\n\\gexec", "fees.sql:2:1: \\gexec after a query with a value that is given from outside"),
      ("SELECT 1;\n\\gexec", "fees.sql:2:1: \\gexec has no query before it"),
    ])
  func refusals(text: String, sentence: String) throws {
    var files = PsqlScriptTests.files.filter { !$0.key.contains("parts") }
    files["deploy/fees.sql"] = text
    let folder = try OwnMigrations(files)
    let found = complaint { try folder.labelsUp() }
    #expect(found.hasPrefix(sentence), "\(found)")
  }
}
