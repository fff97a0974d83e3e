import TestSupport
import Testing

@testable import MigrationEngine

/// The line `-- rivulet:batch` of a file.
@Suite("The mark of a batch")
struct BatchMarkTests {
  @Test("has a table, a key, a size and options")
  func parts() throws {
    let mark = try BatchMark(" app.\"Visit\" (site, \"Id\") 5000  max_lag=2min pause=100ms")
    #expect(mark.table == SQLName(schema: "app", "Visit") && mark.keys == ["site", "Id"])
    #expect(mark.size == 5000 && mark.maxLag.seconds == 120 && mark.pause?.milliseconds == 100)
    let plain = try BatchMark("visit Id 1")
    #expect(plain.keys == ["id"] && plain.maxLag.seconds == 10 && plain.pause == nil)
  }

  private static let update = "UPDATE a SET m = 1 WHERE {batch};"

  @Test(
    "is refused with its place where it cannot be taken",
    arguments: [
      ("-- rivulet:batch\n\(update)", "3:1: the mark names no table"),
      ("-- rivulet:batch a\n\(update)", "3:1: the mark names no key of a"),
      ("-- rivulet:batch a (n DESC) 5\n\(update)", "3:1: the mark names no key of a"),
      ("-- rivulet:batch a n\n\(update)", "3:1: the mark does not say how many rows"),
      ("-- rivulet:batch a n 0\n\(update)", "3:1: the mark has a batch of 0 rows; it has 1 to 1000000000"),
      ("-- rivulet:batch a n 1000000001\n\(update)", "3:1: the mark has a batch of 1000000001 rows"),
      ("-- rivulet:batch a n \(Int.max)\n\(update)", "3:1: the mark has a batch of \(Int.max) rows"),
      ("-- rivulet:batch a n \(Int.max)0\n\(update)", "3:1: the mark has a batch of \(Int.max)0 rows"),
      ("-- rivulet:batch a n 5 lag=3s\n\(update)", "3:1: the mark has an unknown option 'lag=3s'"),
      ("-- rivulet:batch a n 5 pause=soon\n\(update)", "3:1: the mark has an unknown option 'pause=soon'"),
      ("-- rivulet:batch a n 5\n-- rivulet:batch a n 6\n\(update)", "4:1: a second mark"),
      ("\(update)\n-- rivulet:batch a n 5\n", "4:1: no statement follows the mark"),
      ("SELECT 1; -- rivulet:batch a n 5\n\(update)", "3:11: the mark is not on a line of its own"),
      ("UPDATE a SET m = 1\n-- rivulet:batch a n 5\nWHERE {batch};", "4:1: the mark is within a statement"),
      ("-- rivulet:batch a n 5\nALTER TABLE a ADD x int;", "4:1: ALTER does not run in batches"),
      ("-- rivulet:batch a n 5\nWITH b AS (SELECT 1) SELECT * FROM b;", "4:1: WITH does not run in batches"),
      (
        "-- rivulet:batch a n 5\nUPDATE a SET m = 1 WHERE '{batch}' <> '';",
        "4:1: the statement does not say where"
      ),
      (
        "-- rivulet:batch a (k, n) 5\nUPDATE a AS b SET m = (1), (o, N) = (2, 3) WHERE {batch};",
        "4:1: the statement changes n"
      ),
      (
        "-- rivulet:batch a n 5\nINSERT INTO a SELECT n + 100 FROM a WHERE {batch};",
        "4:1: what is inserted into the table"
      ),
    ])
  func refused(sql: String, sentence: String) throws {
    let own = try OwnMigrations(["1_a.sql": "-- rivulet:up\nSELECT 1;\n" + sql])
    let found = complaint { try own.up() }
    #expect(found.hasPrefix("1_a.sql:" + sentence), "\(found)")
    #expect(try own.open().complaints.count == 1)
  }

  @Test("has no place in what is one transaction")
  func transactions() throws {
    let sql = "-- rivulet:batch a n 5\n\(BatchMarkTests.update)\n"
    for (file, text, sentence) in [
      ("1_a.sql", "-- rivulet:up transaction=on\n\(sql)", "1_a.sql:2:1: batches are transactions"),
      ("1_a.sql", "-- rivulet:up transaction=own\n\(sql)", "1_a.sql:2:1: batches are transactions"),
      (
        "1_a.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:verify\n\(sql)",
        "1_a.sql:4:1: nothing runs in batches here"
      ),
      (
        "1_a.sql", "-- rivulet:up\nSELECT 1;\n-- rivulet:require\n\(sql)",
        "1_a.sql:4:1: nothing runs in batches here"
      ),
      ("H_before_all.sql", sql, "H_before_all.sql:1:1: nothing runs in batches here"),
    ] {
      let own = try OwnMigrations([file: text, "2_b.sql": "-- rivulet:up\nSELECT 1;"])
      let found = complaint { try own.up() }
      #expect(found.hasPrefix(sentence), "\(found)")
    }
  }

  @Test("goes with a repeatable file, with placeholders and behind rows of COPY")
  func elsewhere() throws {
    let own = try OwnMigrations([
      "1_a.sql": """
      -- rivulet:up placeholders=on
      CREATE TABLE a (n int PRIMARY KEY, m text);
      COPY a FROM stdin;
      1	it's -- rivulet:batch
      2	x
      \\.
      -- rivulet:batch ${table} n 1
      UPDATE ${table} SET m = '${value}' WHERE {batch};
      """,
      "R_fill.sql": "-- rivulet:batch a n 1\nUPDATE a SET m = m || '!' WHERE {batch};",
    ])
    #expect(try own.labelsUp(["table": "a", "value": "it"]) == ["1 a", "R fill"])
    #expect(try own.database.value("SELECT string_agg(m, ' ' ORDER BY n) FROM a") == "it! it!")
  }

  @Test("leaves the place of an error as the file has it")
  func places() throws {
    let own = try OwnMigrations([
      "1_a.sql": """
      -- rivulet:up
      CREATE TABLE a (n int PRIMARY KEY, m int);
      -- rivulet:batch a n 10
      UPDATE a SET m = n WHERE {batch} AND {batch} AND nothing = 1;
      """
    ])
    #expect(complaint { try own.up() }.hasPrefix("1_a.sql:4:50: ERROR 42703"))
  }
}
