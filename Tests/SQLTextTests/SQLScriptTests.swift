import Glibc
import SQLText
import Testing

/// Scripts taken apart without a server.
@Suite("A script taken apart")
struct SQLScriptTests {
  private func failure(_ sql: String) -> SQLScriptError? {
    do throws(SQLScriptError) {
      _ = try SQLScript(sql)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "ends a statement where the server does",
    arguments: [
      ("SELECT E'a\\';b'; SELECT 2", ["SELECT E'a\\';b'", "SELECT 2"]),
      // What goes on with a string on another line has the escapes of its beginning.
      ("SELECT E'a' -- ;\n '\\';'; SELECT 2", ["SELECT E'a' -- ;\n '\\';'", "SELECT 2"]),
      ("SELECT E'a' '\\'; SELECT 2", ["SELECT E'a' '\\'", "SELECT 2"]),
      ("SELECT '\\'; SELECT 2", ["SELECT '\\'", "SELECT 2"]),
      (
        "SELECT U&\"a;\" , U&'b;' UESCAPE ';'; SELECT 2",
        ["SELECT U&\"a;\" , U&'b;' UESCAPE ';'", "SELECT 2"]
      ),
      (
        "SELECT B'1', x'1f', n'a;', \"b\"\";\"; SELECT 2",
        ["SELECT B'1', x'1f', n'a;', \"b\"\";\"", "SELECT 2"]
      ),
      ("SELECT $é$;$é$, a$b$, c$b$; SELECT $1, $2", ["SELECT $é$;$é$, a$b$, c$b$", "SELECT $1, $2"]),
      ("SELECT $a$ $b$;$b$ $a; $a$; SELECT 2", ["SELECT $a$ $b$;$b$ $a; $a$", "SELECT 2"]),
      ("SELECT 1 -- ;\r; SELECT 2", ["SELECT 1", "SELECT 2"]),
      ("SELECT /*/* ; */ ; /**/*/ 1; SELECT 2", ["SELECT /*/* ; */ ; /**/*/ 1", "SELECT 2"]),
      (
        "SELECT a[1:2]::text; SELECT :x, :'y;', :\"z;\"",
        ["SELECT a[1:2]::text", "SELECT :x, :'y;', :\"z;\""]
      ),
      (
        "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2); SELECT 3",
        ["CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)", "SELECT 3"]
      ),
      (
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1 end; SELECT t.end, CASE WHEN a THEN 1 END AS case; END; END",
        [
          "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1 end; SELECT t.end, CASE WHEN a THEN 1 END AS case; END",
          "END",
        ]
      ),
      (
        "create or replace procedure p() begin /* */ atomic end; SELECT 1",
        ["create or replace procedure p() begin /* */ atomic end", "SELECT 1"]
      ),
      (
        "CREATE VIEW v AS SELECT begin atomic FROM t; SELECT 1",
        ["CREATE VIEW v AS SELECT begin atomic FROM t", "SELECT 1"]
      ),
      ("\u{feff}SELECT 1;;; -- ;\n", ["SELECT 1"]),
      ("\\restrict abc\nSELECT 1;\n\\unrestrict abc\n", ["SELECT 1"]),
      ("SET standard_conforming_strings = on;", ["SET standard_conforming_strings = on"]),
    ])
  func ends(sql: String, texts: [String]) throws {
    #expect(try SQLScript(sql).statements.map(\.text) == texts)
  }

  @Test(
    "takes the rows of a COPY out, and leaves every character behind them in its place",
    arguments: [
      ("COPY t FROM stdin;\n1;\n'\n\\.\nSELECT 1;", "1;\n'\n"),
      ("COPY t FROM stdin;\r\n1\r\n\\.\r\nSELECT 1;", "1\r\n"),
      ("COPY t (a, b) FROM STDIN WITH (FORMAT csv); -- rows;\n\"é\n\\\\.\n\\.\nSELECT 1", "\"é\n\\\\.\n"),
      ("copy public.t from stdout;\n\\.\nSELECT 1", ""),
      ("SELECT 1; COPY t FROM stdin;\n\\restrict\n\\.", "\\restrict\n"),
      ("COPY t FROM stdin WHERE n > 1;\n -- a\n\\.", " -- a\n"),
    ])
  func rows(sql: String, rows: String) throws {
    let script = try SQLScript(sql)
    let copy = try #require(script.statements.first { $0.keyword == "COPY" })
    #expect(script.data(of: copy).map { String(decoding: $0, as: UTF8.self) } == rows)
    let (given, sent) = (Array(sql.unicodeScalars), Array(script.text.unicodeScalars))
    #expect(given.count == sent.count)
    let data = try #require(copy.copyData)
    let start = String(decoding: Array(sql.utf8)[..<data.lowerBound], as: UTF8.self).unicodeScalars.count
    #expect(sent[..<start].elementsEqual(given[..<start]))
    #expect(script.text.split(separator: "SELECT").count == sql.split(separator: "SELECT").count)
    #expect(
      try SQLScript(
        "SELECT 1; " + script.text.replacing("COPY", with: "TABLE").replacing("copy", with: "TABLE")
      ).statements.count
        == script.statements.count + 1)
  }

  @Test(
    "takes no rows where the server reads none",
    arguments: [
      "COPY t FROM 'file';", "COPY t FROM PROGRAM 'cat';", "COPY (SELECT 1 FROM stdin) TO '/dev/null';",
      "COPY t TO stdout;", "SELECT 1 FROM stdin;", "COPY t (\"from\", stdin) FROM '/dev/null';",
    ])
  func noRows(sql: String) throws { #expect(try SQLScript(sql).statements.map(\.copyData) == [nil]) }

  @Test(
    "refuses what is not for the server, or cannot be taken apart, at its place",
    arguments: [
      ("SELECT 1;\n\\i other.sql\n", 2, 1, "text of that file"), ("SELECT 1; \\gexec", 1, 11, "semicolon"),
      ("SELECT 1 \\gset x_\n", 1, 10, "placeholder"), ("\\copy t from 'a'", 1, 1, "FROM stdin"),
      ("\n \\set a 1", 2, 2, "placeholder"), ("\\c other", 1, 1, "database"), ("\\if true", 1, 1, "DO"),
      ("SELECT\n\\restrict a\n 1", 2, 1, "take it out"), ("\\.", 1, 1, "take it out"),
      ("SELECT 'é', 'a", 1, 13, "close"), ("/* /* */ SELECT 1", 1, 1, "close"),
      ("SELECT $a$ b $a", 1, 8, "close"),
      ("SELECT \"a", 1, 8, "close"), ("SELECT E'a\\'", 1, 8, "close"), ("SELECT E'a'\n'\\'", 1, 8, "close"),
      ("SELECT 1;\n COPY t FROM stdin;\n1\n", 2, 2, "\\."),
      ("COPY t FROM stdin; SELECT 1;\n1\n\\.\n", 1, 20, "behind"),
      ("COPY t FROM stdin; /* a\n */ 1\n\\.\n", 1, 20, "behind"), ("SELECT 1;\n'a\u{0}'", 2, 3, "UTF-16"),
      ("SET LOCAL standard_conforming_strings TO 'off';", 1, 1, "E'"),
      (" set standard_conforming_strings=0;", 1, 2, "E'"),
    ])
  func refuses(sql: String, line: Int, column: Int, hint: String) throws {
    let found = try #require(failure(sql))
    #expect(found.place == SQLPlace(line: line, column: column))
    #expect(found.hint.contains(hint), "\(found.message); \(found.hint)")
  }

  @Test("counts lines from where the section begins, and knows the place of each token")
  func places() throws {
    let statement = try SQLScript("-- é\nSELECT 1;\n  DROP TABLE ü.\"x\";", firstLine: 10).statements[1]
    #expect(statement.place == SQLPlace(line: 12, column: 3))
    #expect(statement.words == ["DROP", "TABLE", "ü", ".", "\"x\""])
    #expect(statement.tokens.map(\.place.column) == [3, 8, 14, 15, 16])
    #expect(statement.begins(with: "DROP", "TABLE"))
    #expect(!statement.begins(with: "TABLE"))
  }

  @Test("takes no letter beyond ASCII for one of a keyword")
  func longS() throws { #expect(try SQLScript("copy t from \u{17f}tdin;").statements[0].copyData == nil) }

  @Test("takes rows of a COPY as they are for what counts as a change")
  func changedRows() {
    let copy = { (rows: String) in SQLStatements.normalised("COPY t FROM stdin; -- a\n\(rows)\\.\nSELECT  1;")
    }
    #expect(copy("a -- b\n") != copy("a -- c\n"))
    #expect(copy("a\tb\n") != copy("a b\n"))
    #expect(copy("it's\n") != copy("it''s\n"))
    #expect(copy("a\r\n") == copy("a\n"))
    #expect(copy("it's\n").hasSuffix("\n SELECT 1;"))
  }

  @Test(
    "takes time in proportion to the text, whatever is in it",
    arguments: [
      ("'", "''", "'"), ("SELECT ", "$a ", ""), ("$x$", "$y ", "$x$"), ("", "/*", ""),
      ("SELECT ", "E'a' ", ""),
      ("SELECT E'a'", " \n", "1"), ("", "(", ""), ("", "SELECT 1;", ""),
      ("COPY t FROM stdin;\n", "\\\n", "\\."),
      ("$", "a", "$"), ("CREATE FUNCTION f() BEGIN ATOMIC ", "SELECT CASE 1 END;", "END"), ("", "--\r", ""),
    ])
  func linear(head: String, piece: String, tail: String) {
    let time = { (count: Int) in
      let sql = head + String(repeating: piece, count: count) + tail
      return (0..<3).map { _ in processorTime { _ = try? SQLScript(sql) } }.min() ?? 0
    }
    let (small, large) = (time(4_000), time(64_000))
    // Sixteen times the text would take 256 times the time if it were quadratic.
    #expect(large < small * 80)
  }

  /// In nanoseconds of this thread, so that other work on the machine does not count.
  private func processorTime(_ body: () -> Void) -> Int {
    let now = {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let start = now()
    body()
    return now() - start
  }
}
