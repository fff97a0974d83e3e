import SQLText
import Testing

/// What counts as a change of a migration, and what as a statement.
@Suite("SQL taken apart")
struct SQLStatementsTests {
  @Test(
    "takes texts for the same that differ only in line ends, blanks and comments",
    arguments: [
      ("SELECT 1;", "SELECT 1;\n"), ("SELECT 1;", "SELECT  1 ;".replacing(" ;", with: ";")),
      ("SELECT 1;\nSELECT 2;", "SELECT 1;\r\nSELECT 2;\r\n"), ("SELECT 1;", "-- why\nSELECT 1; -- what"),
      ("SELECT 1;", "/* a /* nested */ comment */ SELECT 1;"), ("SELECT 'a';", "\tSELECT\n'a';"),
    ])
  func same(one: String, other: String) {
    #expect(SQLStatements.normalised(one) == SQLStatements.normalised(other))
  }

  @Test(
    "takes texts for different that differ in anything else, inside quotes above all",
    arguments: [
      ("SELECT 1;", "SELECT 2;"), ("SELECT 'a  b';", "SELECT 'a b';"),
      ("SELECT '-- a';", "SELECT '-- b';"), ("SELECT $$a -- b$$;", "SELECT $$a -- c$$;"),
      ("SELECT $x$ a $x$;", "SELECT $x$  a $x$;"), ("SELECT \"a\";", "SELECT \"A\";"),
      ("SELECT E'\\' -- a';", "SELECT E'\\' -- b';"), ("SELECT 'it''s -- a';", "SELECT 'it''s -- b';"),
      ("SELECT ab;", "SELECT a b;"),
    ])
  func different(one: String, other: String) {
    #expect(SQLStatements.normalised(one) != SQLStatements.normalised(other))
  }

  @Test(
    "finds the first word of each statement, and none in bodies and strings",
    arguments: [
      ("CREATE TABLE a (); commit;", ["CREATE", "COMMIT"]), ("SELECT '; COMMIT';", ["SELECT"]),
      ("DO $$ BEGIN PERFORM 1; COMMIT; END $$;", ["DO"]), ("-- COMMIT;\nSELECT 1", ["SELECT"]),
      ("DO $a$ $b$ ; COMMIT; $b$ $a$;", ["DO"]), ("", []),
      (
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; COMMIT;",
        ["CREATE", "COMMIT"]
      ), ("CREATE TABLE a (); END;", ["CREATE", "END"]),
    ])
  func statements(sql: String, words: [String]) throws {
    #expect(try SQLScript(sql).statements.map(\.words[0]) == words)
  }
}
