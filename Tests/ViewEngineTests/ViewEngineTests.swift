import Catalog
import PostgreSQL
import TestSupport
import Testing
import ViewEngine

@testable import Definitions

/// Derived views on a real server.
@Suite("The view engine")
struct ViewEngineTests {
  private let connection: Connection

  init() throws {
    connection = try TestServer.shared.makeDatabase().connect()
    try Catalog.prepare(connection)
    try connection.execute(
      "CREATE TABLE fees (code text, amount numeric); INSERT INTO fees VALUES ('a', 1), ('b', 2)")
  }

  private func engine(_ views: (name: String, sql: String)...) -> ViewEngine {
    ViewEngine(
      views.map {
        ViewDefinition(
          name: "public.\($0.name)", strategy: .live, description: "a test",
          template: SQLTemplate($0.sql, firstLine: 5, in: DefinitionFile("test")),
          file: "views/public.\($0.name).sql")
      })
  }

  private func value(_ sql: String) throws -> String? { try connection.execute(sql).first?[0] }

  @Test("makes views that read each other, whatever their order")
  func order() throws {
    let problems = try engine(
      ("top", "SELECT total * 2 AS twice FROM middle"), ("middle", "SELECT sum(amount) AS total FROM bottom"),
      ("bottom", "SELECT * FROM fees")
    ).synchronise(on: connection)
    #expect(problems.isEmpty)
    #expect(try value("SELECT twice FROM top") == "6")
    let options = "SELECT reloptions FROM pg_class WHERE relname = 'top'"
    #expect(try value(options) == "{security_invoker=true}")
  }

  @Test("makes a view again when its definition changes, and drops one that is defined no more")
  func change() throws {
    try engine(("a", "SELECT 1 AS n"), ("b", "SELECT 1 AS n")).synchronise(on: connection)
    let before = try value("SELECT 'a'::regclass::oid")
    try engine(("a", "SELECT 1 AS n"), ("b", "SELECT 1 AS n")).synchronise(on: connection)
    #expect(try value("SELECT 'a'::regclass::oid") == before)
    try engine(("a", "SELECT 'text' AS n, 2 AS m")).synchronise(on: connection)
    #expect(try value("SELECT m FROM a") == "2")
    #expect(try value("SELECT to_regclass('b')") == nil)
  }

  @Test("makes a view again that somebody dropped")
  func dropped() throws {
    let engine = engine(("a", "SELECT 1 AS n"))
    try engine.synchronise(on: connection)
    try connection.execute("DROP VIEW a")
    try engine.synchronise(on: connection)
    #expect(try value("SELECT n FROM a") == "1")
  }

  @Test("leaves out what cannot be made for want of a table, says so, and makes the rest")
  func missing() throws {
    let problems = try engine(
      ("a", "SELECT * FROM nowhere"), ("b", "SELECT * FROM a"), ("c", "SELECT * FROM fees")
    ).synchronise(on: connection)
    #expect(problems.map(\.view).sorted() == ["public.a", "public.b"])
    #expect(try value("SELECT count(*) FROM c") == "2")
  }

  @Test("says where the SQL of a view is wrong, and changes nothing")
  func broken() throws {
    try engine(("a", "SELECT 1 AS n")).synchronise(on: connection)
    #expect {
      try engine(("a", "SELECT 2 AS n"), ("b", "SELECT amount\nFRM fees")).synchronise(on: connection)
    } throws: { error in
      guard let problem = error as? ViewProblem else { return false }
      return problem.view == "public.b" && problem.sqlState == "42601"
        && problem.mark == Mark(line: 6, column: 5)
    }
    #expect(try value("SELECT n FROM a") == "1")
  }

  @Test("does not take somebody else's view with it")
  func foreign() throws {
    try engine(("a", "SELECT 1 AS n")).synchronise(on: connection)
    try connection.execute("CREATE VIEW theirs AS SELECT n FROM a")
    #expect(throws: PostgreSQLError.self) {
      try engine(("a", "SELECT 2 AS n")).synchronise(on: connection)
    }
    #expect(try value("SELECT n FROM theirs") == "1")
  }

  @Test("grants again what was granted on a view that it makes again")
  func grants() throws {
    try engine(("a", "SELECT 1 AS n")).synchronise(on: connection)
    try connection.execute("GRANT SELECT ON a TO PUBLIC; GRANT SELECT ON a TO pg_monitor WITH GRANT OPTION")
    try engine(("a", "SELECT 2 AS n")).synchronise(on: connection)
    let granted = """
      SELECT string_agg(coalesce(r.rolname, 'public') || ' ' || privilege_type || ' ' || is_grantable, ', ' ORDER BY 1)
      FROM pg_class c CROSS JOIN aclexplode(relacl) x LEFT JOIN pg_roles r ON r.oid = grantee
      WHERE relname = 'a' AND grantee <> relowner
      """
    #expect(try value(granted) == "pg_monitor SELECT true, public SELECT false")
  }
  @Test("keeps what was put on a view by hand, and refuses to lose what it cannot keep")
  func adorned() throws {
    try engine(("a", "SELECT 1 AS n")).synchronise(on: connection)
    try connection.execute(
      """
      COMMENT ON COLUMN a.n IS 'mine';
      COMMENT ON VIEW a IS 'as a whole';
      GRANT SELECT (n) ON a TO pg_monitor;
      ALTER VIEW a SET (security_barrier = true)
      """)
    let found = """
      SELECT concat_ws(' ', col_description(c.oid, 1), obj_description(c.oid), attacl, array(SELECT unnest(reloptions) ORDER BY 1))
      FROM pg_class c JOIN pg_attribute ON attrelid = c.oid AND attname = 'n' WHERE relname = 'a'
      """
    let before = try value(found)
    #expect(before?.contains("pg_monitor=r/") == true)
    try engine(("a", "SELECT 2 AS n")).synchronise(on: connection)
    #expect(try value(found) == before)
    #expect(try engine(("a", "SELECT 2 AS n")).release(on: connection))
    try engine(("a", "SELECT 2 AS n")).restore(on: connection)
    #expect(try value(found) == before)
    try connection.execute(
      """
      CREATE FUNCTION instead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER instead INSTEAD OF INSERT ON a FOR EACH ROW EXECUTE FUNCTION instead()
      """)
    let error = #expect(throws: ViewLoss.self) {
      try engine(("a", "SELECT 3 AS n")).synchronise(on: connection)
    }
    #expect(error?.names == ["trigger instead"])
    #expect(try value("SELECT n FROM a") == "2")
  }

  @Test("does not give another view of a name what was granted on one that is gone")
  func forgotten() throws {
    try engine(("a", "SELECT 1 AS n"), ("b", "SELECT 1 AS n")).synchronise(on: connection)
    try connection.execute("GRANT SELECT ON a TO PUBLIC; GRANT SELECT (n) ON a TO pg_monitor")
    try engine(("b", "SELECT 1 AS n")).synchronise(on: connection)
    try engine(("a", "SELECT 2 AS n"), ("b", "SELECT 1 AS n")).synchronise(on: connection)
    let granted = """
      SELECT concat(string_agg(x.grantee::regrole::text, ''), a.attacl) FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid
      LEFT JOIN aclexplode(relacl) x ON x.grantee <> relowner WHERE relname = 'a' AND attname = 'n' GROUP BY attacl
      """
    #expect(try value(granted) == "")
  }
}
