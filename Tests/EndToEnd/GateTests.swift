import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What is between staging and publishing, as a user meets it.
@Suite("The rules before publishing")
struct GateTests {
  private static func sample(
    _ release: String, rows: Int = 60, quirks: [String] = [], without: [String] = [], seed: UInt64 = 1
  ) throws -> String {
    try Samples.make(
      quirks: quirks, formats: ["csv"], without: without, rows: rows, seed: seed, release: release)
  }

  /// The gates of a document, by rule.
  private static func gates(_ outcome: Program.Outcome) throws -> [String: [String: Any]] {
    let gates = try outcome.object()["gates"] as? [[String: Any]] ?? []
    return Dictionary(gates.map { ($0["rule"] as? String ?? "", $0) }) { first, _ in first }
  }

  private static func about(_ rule: String, _ database: TestDatabase) throws -> String {
    try database.value(
      "SELECT about FROM rivulet.gate_result WHERE rule = '\(rule)' ORDER BY run DESC LIMIT 1") ?? ""
  }

  @Test(
    "let the real releases of a year pass without a word, and refuse one whose file was cut in half",
    .needs(Loaded.first, Loaded.latest))
  func real() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", SharedData.path(Loaded.first)).status == 0)
    let scratch = try Scratch()
    try Loaded.unzip(SharedData.path(Loaded.latest), "*.csv", into: scratch.path + "/RVU25D")
    let file = scratch.path + "/RVU25D/PPRRVU2025_Oct.csv"
    let whole = try Data(contentsOf: URL(filePath: file))
    let middle = try #require(whole[..<(whole.count / 2)].lastIndex(of: 10))
    try whole[...middle].write(to: URL(filePath: file))
    try program.run("run", "cms-rvu", scratch.path + "/RVU25D").failed(
      3, saying: " rows after 18,865 in 2025A, -", "share-of-status-code-pprrvu: 4 found")
    #expect(try database.value("SELECT string_agg(release, ',') FROM rivulet.release") == "2025A")

    let run = try program.run("run", "cms-rvu", SharedData.path(Loaded.latest), "--format", "json")
    #expect(run.status == 0 && !run.errors.contains("warning"), "\(run.errors)")
    let gates = try Self.gates(run)
    #expect(
      gates["row-change-pprrvu"]?["about"] as? String
        == "19,090 rows after 18,865 in 2025A, +1.2%; 10% is allowed")
    #expect(gates["row-change-pprrvu"]?["accepted"] as? Bool == false)
    #expect(
      gates["share-of-status-code-pprrvu"]?["about"] as? String
        == "the share of 'A' in status_code is 47.3% after 47.8% in 2025A; 5 points are allowed")
    #expect(
      gates["sum-of-work-rvu-pprrvu"]?["about"] as? String
        == "the sum of work_rvu is 71745.11 after 71745.11 in 2025A, 0%; 15% is allowed")
  }

  @Test("hold a release against the one before it by its date that has the table, class by class")
  func before() throws {
    let (database, program) = try Loaded.migrated()
    func run(_ path: String, _ options: String...) throws -> Program.Outcome {
      try program.run(["run", "cms-rvu", path] + options)
    }
    #expect(try run(Self.sample("2025D")).status == 0)
    // Twice as many rows, but nothing is before it.
    #expect(try run(Self.sample("2025A", rows: 120)).status == 0)
    #expect(
      try Self.about("row-change-pprrvu", database)
        == "no release before it is published that has the table")
    let partial = try Self.sample("2025B", rows: 120, without: ["oppscap"])
    #expect(try run(partial, "--allow-missing").status == 0)
    #expect(try run(Self.sample("2025C", rows: 120)).status == 0)
    #expect(
      try Self.about("row-change-oppscap", database).hasSuffix(
        " in 2025A, 0%; 2025B without the table passed over; 10% is allowed"))
    #expect(try Self.about("row-change-gpci", database) == "109 rows after 109 in 2025B, 0%; 10% is allowed")

    // Twice the rows, in two classes.
    let classes = try run(Self.sample("2026A", quirks: ["qpp"]))
    #expect(classes.status == 0 && !classes.errors.contains("warning"), "\(classes.errors)")
    #expect(
      try Self.about("row-change-pprrvu", database)
        == "cf_class non_qp: 60 rows after 60 in 2025D, 0%; cf_class qp: 59 rows after 60 in 2025D, -1.7%; "
        + "10% is allowed")

    // A revision of 2025D comes after 2025C, not after what it takes the place of.
    let again = try run(Self.sample("2025D", seed: 2))
    #expect(again.status == 3 && again.errors.contains("60 rows after 120 in 2025C, -50%"), "\(again.errors)")
  }

  @Test("can be accepted by name, which the ledger notes, and all others still hold")
  func accepting() throws {
    let (database, program) = try Loaded.migrated()
    #expect(try program.run("run", "cms-rvu", Self.sample("2025A", rows: 120)).status == 0)
    let path = try Self.sample("2025D")
    let refused = try program.run("run", "cms-rvu", path).failed(3)
    for rule in ["row-change-pprrvu", "sum-of-work-rvu-pprrvu"] {
      #expect(refused.errors.contains("  \(rule): "), "\(refused.errors)")
    }
    let one = try program.run("run", "cms-rvu", path, "--accept", "row-change-pprrvu")
    #expect(one.status == 3 && !one.errors.contains("  row-change-pprrvu: "), "\(one.errors)")

    let accepted = [
      "row-change-pprrvu", "row-change-oppscap", "sum-of-work-rvu-pprrvu", "share-of-status-code-pprrvu",
    ]
    let run = try program.run(
      ["run", "cms-rvu", path, "--format", "json"] + accepted.flatMap { ["--accept", $0] }
    ).succeeded()
    #expect(
      run.errors.contains("warning: row-change-pprrvu: 60 found, accepted. 60 rows after 120 in 2025A, -50%"))
    let gate = try #require(try Self.gates(run)["row-change-pprrvu"])
    #expect(gate["passed"] as? Bool == false && gate["accepted"] as? Bool == true)
    #expect(gate["severity"] as? String == "fail" && gate["found"] as? Int == 60)
    // What holds needs no acceptance, and is not recorded as accepted.
    let recorded = """
      SELECT string_agg(DISTINCT rule, ',' ORDER BY rule) FROM rivulet.gate_result JOIN rivulet.run USING (run)
      WHERE is_accepted AND NOT passed AND state = 'published'
      """
    #expect(try database.value(recorded)?.contains("row-change-pprrvu") == true)
    #expect(
      try database.value("SELECT count(*) FROM rivulet.gate_result WHERE is_accepted AND passed") == "0")
    let shown = try program.run("runs", "show", "4")
    #expect(shown.output.contains("accepted"), "\(shown.output)")
  }

  @Test(
    "cannot be accepted by a wrong name, nor where nothing could be published",
    arguments: [
      ("row-chnge-pprrvu", "did you mean 'row-change-pprrvu'?"),
      ("unique-key-pprrvu", "a table without its key cannot be published"),
      ("copied-localities", "what it finds is taken out"),
    ])
  func notAccepted(rule: String, says: String) throws {
    // No database is touched.
    let outcome = try Program(database: "postgresql://nobody@127.0.0.1:1/nowhere").run(
      "run", "cms-rvu", Sample.path, "--accept", rule)
    #expect(outcome.status == 2 && outcome.errors.contains(says), "\(outcome.errors)")
  }

  @Test("are reported all together, with the file of the first as that of the error, and publish nothing")
  func together() throws {
    let (database, program) = try Loaded.migrated()
    var files = try Control.Base.feeSchedule.files()
    try files.set("PPRRVU", "10004,", 12, "99.99")
    try files.drop("ANES", "10112,", "02102,", "03102,", "07102,")
    let outcome = try program.run("run", "cms-rvu", try files.written(), "--format", "json").failed(3)
    let error = try #require(try outcome.object()["error"] as? [String: Any])
    #expect(error["file"] as? String == "Pipelines/cms-rvu/checks/totals-add-up.sql")
    let message = error["message"] as? String ?? ""
    #expect(
      message.contains("totals-add-up: 1 found, first in line ")
        && message.contains("anesthesia-localities-match: 4 found"))
    #expect(
      try database.value(
        "SELECT state || (SELECT count(*) FROM cms.rvu) || (SELECT count(*) FROM rivulet.release) FROM rivulet.run"
      ) == "refused00")
    #expect(try PublishedContent.leftovers(in: database) == [])
  }

  // MARK: Datasets of one's own

  /// A dataset with more in its pipeline.
  private static func own(
    _ more: String, checks: [String: String] = [:], expect: String = "", isSensitive: Bool = false
  ) throws -> OwnDataset {
    let own = try OwnDataset(isSensitive: isSensitive)
    try define(own, more, checks, expect: expect)
    return own
  }

  private static func define(
    _ own: OwnDataset, _ more: String, _ checks: [String: String], expect: String = ""
  ) throws {
    let pipeline = OwnDataset.pipeline.replacing(
      "key: [code]}", with: "key: [code]\(expect.isEmpty ? "" : ", expect: \(expect)")}")
    try own.scratch.write("Pipelines/items/pipeline.yaml", pipeline + "\n" + more)
    for (name, sql) in checks { try own.scratch.write("Pipelines/items/checks/\(name).sql", sql) }
  }

  @Test("never tell a value of a table with sensitive columns, nor repeat the server's words, which may")
  func withheld() throws {
    let expect = "{drift: [{share_of: words, by: 5%}]}"
    let own = try Self.own("", expect: expect, isSensitive: true)
    try own.write("items24a", ["ITEM.csv": "a,3,hush,1,,m\nb,3,hush,1,,n"])
    try own.write("items25a", ["ITEM.csv": "a,3,mum,1,,m\nb,3,mum,1,,n"])
    #expect(try own.run("items24a").status == 0)
    let run = try own.run("items25a").failed(
      3, saying: "the share of one value in words is 0% after 100% in 2024A")
    try Self.define(
      own, "checks: [{rule: no-class, severity: warn}]",
      ["no-class": "SELECT words::regclass FROM {own.item}\nWHERE words::regclass IS NOT NULL"],
      expect: expect)
    let wrong = try own.run("items25a", options: ["--format", "json"]).failed(
      2, saying: "'no-class' cannot be run: the server refuses it (42P01)")
    for said in [run.errors, wrong.errors, wrong.output] {
      #expect(!said.contains("hush") && !said.contains("mum"), "\(said)")
    }
    let ledger = """
      SELECT (SELECT string_agg(about, ' ') ~ 'hush|mum' FROM rivulet.gate_result)
        OR (SELECT string_agg(error, ' ') ~ 'hush|mum' FROM rivulet.run)
      """
    #expect(try own.database.value(ledger) == "f")
  }

  private static let free = """
    -- An item must cost something.
    SELECT source_file_id, source_line FROM {own.item} i
    WHERE EXISTS (SELECT FROM {own.price} p WHERE p.code = i.code AND p.price = 0)
    """

  @Test("take the records out that a check rejects, with their children and those that continue them")
  func rejecting() throws {
    let own = try Self.own(
      "checks: [{rule: no-free-item, severity: reject, source: items}]\nrejects: {allow: 50%}",
      checks: ["no-free-item": Self.free])
    try own.changeLayout(
      "    continuation:", to: "    skip: [{rule: note, starts_with: 'Note'}]\n    continuation:")
    try own.write(
      "items25a",
      ["ITEM.csv": "a,3,one,1,2,m\nb,3,two,0,7,n\nNote: x,4,,,,\nb,4,more,,,\nc,3,three,3,,o\nc,4,and,,,"])
    try own.run("items25a", options: ["--max-rejects", "0"]).failed(
      3, saying: "1 of 6 records were refused, 0 allowed",
      "ITEM.csv:3: the record breaks the rule 'no-free-item'")
    #expect(try own.leftovers() == "0")

    let run = try own.run("items25a", options: ["--format", "json"]).succeeded()
    let source = try #require((try run.object()["sources"] as? [[String: Any]])?.first)
    let counts = ["read", "loaded", "rejected", "skipped"].compactMap { source["records_\($0)"] as? Int }
    #expect(counts == [6, 2, 1, 3])
    #expect(source["targets"] as? [String: Int] == ["own.item": 2, "own.price": 3, "own.mark": 2])
    let gate = try #require(try Self.gates(run)["no-free-item"])
    #expect(gate["severity"] as? String == "reject" && gate["found"] as? Int == 1)
    #expect(gate["passed"] as? Bool == true)
    #expect(
      try own.database.value("SELECT string_agg(words, '|' ORDER BY code) FROM own.item") == "one|three and")
    // Past what is no row of its own.
    let kept = """
      SELECT string_agg(line || ' ' || rule || ' ' || convert_from(raw, 'UTF8'), '|') FROM rivulet.reject
      JOIN rivulet.source_file USING (source_file_id) WHERE run = 2
      """
    #expect(try own.database.value(kept) == "3 no-free-item b,3,two,0,7,n\nb,4,more,,,")
  }

  @Test("see all rows before a check that takes some out, and what is left after it")
  func aroundTaking() throws {
    let rules = [
      "no-item", "no-price", "no-fix", "no-free-item", "no-item-left", "no-price-left", "no-fix-left",
    ]
    let own = try Self.own(
      "checks:\n"
        + rules.map {
          "  - {rule: \($0), severity: \($0 == "no-free-item" ? "skip, source: items" : "warn")}\n"
        }.joined(),
      checks: Dictionary(
        uniqueKeysWithValues: rules.map { rule in
          let table = ["item", "price", "fix"].first { rule.contains("-\($0)") } ?? ""
          return (
            rule, rule == "no-free-item" ? Self.free : "-- Nothing.\nSELECT source_line FROM {own.\(table)}"
          )
        }))
    try own.write(
      "items25a",
      ["ITEM.csv": "a,3,one,1,2,m\nb,3,two,0,7,n\nc,3,three,3,,o", "FIX1.csv": "a,first\nc,third"])
    let run = try own.run("items25a", options: ["--format", "json"]).succeeded()
    let gates = try #require(try run.object()["gates"] as? [[String: Any]])
    let found = gates.filter { rules.contains($0["rule"] as? String ?? "") }
    #expect(found.compactMap { $0["rule"] as? String } == rules, "as the pipeline names them")
    #expect(found.compactMap { $0["found"] as? Int } == [3, 5, 2, 1, 2, 3, 2])
  }

  @Test(
    "that cannot be run leave nothing behind while others look, and the first that the pipeline names is reported"
  )
  func wrongAmongOthers() throws {
    let slow = "SELECT f.source_line FROM {own.fix} f, pg_sleep(1) WHERE false"
    let cases = [
      (
        ["slow": slow, "first": "SELECT 1 / 0 FROM {own.fix}", "second": "SELECT 1 / 0 FROM {own.item}"],
        "warn"
      ),
      (
        ["slow": slow, "first": "SELECT code FROM {own.item}", "second": "SELECT 1 FROM {own.item}"], "reject"
      ),
    ]
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,2,m\nb,3,two,2,7,n", "FIX1.csv": "a,first"])
    for (checks, severity) in cases {
      try Self.define(
        own,
        "checks: [{rule: slow, severity: warn}, {rule: first, severity: \(severity), source: items}, "
          + "{rule: second, severity: warn}]", checks)
      try own.run("items25a").failed(2, saying: "'first' cannot be run")
      #expect(try own.leftovers() == "0")
    }
  }

  @Test("say that a check is wrong which changes something, or returns what no record of its source is")
  func wrongChecks() throws {
    let cases: [(severity: String, sql: String, says: String)] = [
      (
        "warn", "SELECT setval('own.counter', 7) FROM {own.item}",
        "'odd' cannot be run: cannot execute setval() in a read-only transaction"
      ),
      (
        "reject", "SELECT code FROM {own.item}",
        "'odd' cannot be run: it must return source_file_id and source_line"
      ),
      (
        "skip", "SELECT NULL::bigint AS source_file_id, source_line FROM {own.item}",
        "1 of the rows that it returns are no records of items"
      ),
      (
        "reject", "SELECT source_file_id + 1 AS source_file_id, source_line FROM {own.item}",
        "1 of the rows that it returns are no records of items"
      ),
      (
        "reject", "SELECT source_file_id, source_line + 1 AS source_line FROM {own.item}",
        "it must return source_file_id and source_line of rows of own.item"
      ),
    ]
    let own = try OwnDataset()
    try own.database.connect().execute("CREATE SEQUENCE own.counter")
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m"])
    for (severity, sql, says) in cases {
      try Self.define(
        own, "checks: [{rule: odd, severity: \(severity), source: items}]\nrejects: {allow: 50%}",
        ["odd": sql])
      try own.run("items25a").failed(2, saying: "Pipelines/items/checks/odd.sql", says)
      #expect(try own.database.value("SELECT last_value FROM own.counter") == "1")
      #expect(try own.leftovers() == "0")
    }
  }

  @Test("tell the place in the file of a check whose SQL is wrong", arguments: ["warn", "reject"])
  func wrongSQL(severity: String) throws {
    let own = try Self.own(
      "checks: [{rule: no-free-item, severity: \(severity), source: items}]",
      checks: [
        "no-free-item": """
        -- Ünusual.
        SELECT source_file_id, source_line FROM {own.item} i
        WHERE (SELECT true FROM {own.price} p WHERE p.cost = 0)
        """
      ])
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m"])
    let run = try own.run("items25a", options: ["--format", "json"]).failed(2)
    let error = try #require(try run.object()["error"] as? [String: Any])
    #expect(error["file"] as? String == "Pipelines/items/checks/no-free-item.sql")
    #expect(error["line"] as? Int == 3 && error["column"] as? Int == 45)
    #expect(error["sqlstate"] as? String == "42703")
    #expect(
      run.errors.contains(
        "Pipelines/items/checks/no-free-item.sql:3:45: 'no-free-item' cannot be run: column p.cost does not exist"
      ),
      "\(run.errors)")
    #expect(try own.leftovers() == "0")
    #expect(
      try own.database.value("SELECT error FROM rivulet.run")?.contains("no-free-item.sql:3:45") == true)
  }
}
