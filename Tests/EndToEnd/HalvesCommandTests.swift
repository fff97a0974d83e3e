import PostgreSQL
import TestSupport
import Testing

/// Migrations of two halves, as a user and a deployment run them.
@Suite("Halves by command") struct HalvesCommandTests {
  private let database: TestDatabase
  private let scratch: Scratch

  init() throws {
    database = try TestServer.shared.makeDatabase()
    scratch = try Scratch()
    try scratch.write(
      "0001_t.sql", "-- rivulet:up\nCREATE TABLE t (a int);\n-- rivulet:down\nDROP TABLE t;\n")
    try scratch.write(
      "0002_b.sql",
      """
      -- rivulet:expand
      ALTER TABLE t ADD COLUMN b int;
      -- rivulet:down
      ALTER TABLE t DROP COLUMN b;
      -- rivulet:contract
      ALTER TABLE t DROP COLUMN a;
      -- rivulet:down
      ALTER TABLE t ADD COLUMN a int;

      """)
  }

  private func run(_ words: String...) throws -> Program.Outcome {
    try Program(database: database.url).run(["migrate"] + words + ["--dir", scratch.path])
  }

  /// The columns of the table in a schema, run together.
  private func columns(_ schema: String) throws -> String? {
    try database.value(
      """
      SELECT string_agg(attname, '' ORDER BY attname) FROM pg_attribute
      WHERE attrelid = '\(schema).t'::regclass AND attnum > 0 AND NOT attisdropped
      """)
  }

  @Test("the first half is a success that names what waits, and what is behind the second ends with 5")
  func waiting() throws {
    let answer = try run("up", "--format", "json").succeeded().object()
    #expect(answer["awaits_contract"] as? String == "0002.contract" && answer["pending"] as? Int == 1)
    #expect(try run("status", "--check").succeeded().output.contains("waits for contract"))
    try scratch.write("0003_c.sql", "-- rivulet:up\nCREATE TABLE c ();\n-- rivulet:down\nDROP TABLE c;\n")
    let refused = try run("up").failed(5)
    #expect(refused.errors.contains("and so do those behind it: 0003 c"))
    #expect(refused.errors.contains("rivulet migrate contract"))
    try run("status", "--check").failed(5)
    #expect(try run("plan").succeeded().output == "nothing to do\n")
    #expect(try run("plan", "--contract").succeeded().output.contains("drops column public.t.a"))
    try run("contract", "--dry-run").succeeded()
    #expect(try columns("public") == "ab")
    try run("contract").succeeded()
    try run("contract").succeeded()
    #expect(try columns("public") == "b")
    try run("up").succeeded()
    try run("status", "--check").succeeded()
  }

  @Test("each of several schemas gets its first half before any gets its second")
  func schemas() throws {
    try scratch.write("0003_c.sql", "-- rivulet:up\nCREATE TABLE c ();\n-- rivulet:down\nDROP TABLE c;\n")
    try database.connect().execute("CREATE SCHEMA a; CREATE SCHEMA b")
    let answer = try run("up", "--schema", "a,b", "--format", "json").failed(5).object()
    let found = try #require(answer["schemas"] as? [[String: Any]])
    #expect(found.map { $0["awaits_contract"] as? String } == ["0002.contract", "0002.contract"])
    #expect(try columns("a") == "ab" && columns("b") == "ab")
    try run("contract", "--schema", "a,b").succeeded()
    #expect(try columns("a") == "b" && columns("b") == "b")
    try run("up", "--schema", "a,b").succeeded()
  }

  @Test(
    "a draft that cannot be asked for so is refused, with how",
    arguments: [
      (["new", "--rename-column", "t.a"], "write it as schema.table.column=NEW"),
      (["new", "x", "--using", "a"], "--using and --back are for --change-type"),
      (["new", "--rename-column", "t.a=b", "--change-type", "t.a=text"], "exclude each other"),
      (["new", "--repeatable", "--rename-column", "t.a=b"], "is for a migration that runs once"),
      (["new"], "a NAME is needed"), (["new", "--rename-column", "nope.a=b"], "there is no table nope"),
    ])
  func refusals(words: [String], sentence: String) throws {
    let outcome = try Program(database: database.url).run(["migrate"] + words + ["--dir", scratch.path])
    outcome.failed(2, saying: sentence)
  }
}
