import TestSupport

/// Makes scripts that mix all that can hide a semicolon, and runs on any server.
struct ScriptGenerator {
  private var random: RandomNumbers
  private var table = 0

  init(seed: UInt64) { random = RandomNumbers(seed: seed) }

  /// A script, and how many statements are in it.
  mutating func script() -> (sql: String, count: Int) {
    var sql = blank()
    let count = 1 + random.below(12)
    for _ in 0..<count {
      sql += statement()
      sql += random.pick(["", ";", " ; ;", ";/* ; */;", ";-- ; ' $$\n;"])
      sql += blank()
    }
    return (sql, count)
  }

  private mutating func blank() -> String {
    random.pick([
      " ", "\n", "\r\n", "\t", "\u{c}", "-- it's ; \\ $$ /*\n", "--\r", "/* ; ' \" $$ -- */",
      "/*/* ; */ ' /**/*/",
      "/***/", "/*/**/*/", "\n -- é ; ü\n\n",
    ])
  }

  /// Statements end with a semicolon, behind which more may be; rows of a COPY end with their line.
  private mutating func statement() -> String {
    switch random.below(9) {
    case 0: return "DO " + random.pick(["$$", "$_$", "$a1$", "$é$"]).wrapping("BEGIN PERFORM 1; END") + ";"
    case 1: return routine()
    case 2: return copy()
    case 3: return rule()
    default: return select() + ";"
    }
  }

  private mutating func select() -> String {
    let columns = (0...random.below(4)).map { _ in blank() + expression() + label() }
    return random.pick(["SELECT", "select", "SeLeCt"]) + columns.joined(separator: ",")
  }

  private mutating func label() -> String {
    random.pick([
      "", "", " AS end", " end", " AS \"a;\"", " a$b$", " AS U&\"d\\0061;\"\"\"", " AS case",
      " AS \"be\"\"gin;\"", " é$",
    ])
  }

  private mutating func expression() -> String {
    random.pick([
      "1", "2.5e-3", "'a;'", "'it''s;'", "'\\'", "''", "E'\\';'", "e'\\\\'", "E'a'\n'\\';'",
      "E'a' -- ' ;\n  'b\\';'",
      "'a'\n';b'", "U&'d\\0061;'", "U&'d!0061;' UESCAPE '!'", "B'101'", "x'1F'", "N'n;'", "$$;$$",
      "$a$ ; $$ $b$ ' $a$",
      "$a$$a$", "$é1$;$ $é1$", "$$ $a$ $$", "$_$ \" $_$", "1::text", "(ARRAY[1,2,3])[1:2]",
      "(SELECT (1) + 2)",
      "CASE WHEN true THEN 1 END", "CASE WHEN (SELECT true) THEN CASE 1 WHEN 1 THEN ';' END END", "3 - -1",
      "3*/* ; */2",
      "4+-- ;\n1", "'a' || E'\\n'", "(VALUES (';'), ('é;') LIMIT 1)",
    ])
  }

  private mutating func routine() -> String {
    let head = random.pick(["CREATE OR REPLACE FUNCTION", "create or/* ; */replace\nfunction"])
    var body = ""
    for _ in 0...random.below(3) { body += select() + ";" + blank() }
    return "\(head) pg_temp.f\(random.below(3))(\"begin\" int DEFAULT 1) RETURNS void"
      + random.pick([" BEGIN ATOMIC ", "\nbegin -- ;\natomic\n"]) + body + random.pick(["END", "end"]) + ";"
  }

  private mutating func copy() -> String {
    table += 1
    let rows = ["a;'\n", "$$\n", "-- \\\\.\n", "\\\\.x\n", "/* é\n", "\"\n", "\n"]
    var data = ""
    for _ in 0..<random.below(5) { data += random.pick(rows) }
    let options = random.pick(["", " WITH (FORMAT text, NULL 'x')", " (DELIMITER E'\\x01')", " WHERE true"])
    // A label of its own makes the table's creation part of the same statement's text.
    return "COPY copied (line) FROM " + random.pick(["stdin", "STDIN", "stdout"]) + options
      + random.pick([";", " ;-- ; '", ";  "])
      + "\n" + data + "\\.\n"
  }

  private mutating func rule() -> String {
    random.pick([
      "INSERT INTO ruled VALUES (1), (2);", "DELETE FROM ruled;", "UPDATE ruled SET n = 2;",
      "CREATE OR REPLACE RULE b AS ON DELETE TO ruled DO ALSO (SELECT 1; SELECT ';'; NOTIFY a);",
    ])
  }
}

extension String {
  fileprivate func wrapping(_ text: String) -> String { self + text + self }
}
