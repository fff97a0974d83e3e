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

  /// What the newest run says of a rule.
  private static func about(_ rule: String, _ place: some Workplace) throws -> String {
    try place.value("SELECT about FROM rivulet.gate_result WHERE rule = '\(rule)' ORDER BY run DESC LIMIT 1")
      ?? ""
  }

  @Test(
    "let the real releases of a year pass without a word, and refuse one whose file was cut in half",
    .needs(Loaded.first, Loaded.latest))
  func real() throws {
    let desk = try Desk(with: Loaded.january())
    try Loaded.unzip(SharedData.path(Loaded.latest), "*.csv", into: desk.path("RVU25D"))
    let file = URL(filePath: desk.path("RVU25D/PPRRVU2025_Oct.csv"))
    let whole = try Data(contentsOf: file)
    let middle = try #require(whole[..<(whole.count / 2)].lastIndex(of: 10))
    try whole[...middle].write(to: file)
    try desk.load("cms-rvu", "RVU25D").failed(
      3, saying: " rows after 18,865 in 2025A, -", "share-of-status-code-pprrvu: 4 found")
    #expect(try desk.value("SELECT string_agg(release, ',') FROM rivulet.release") == "2025A")

    let run = try desk.load("cms-rvu", SharedData.path(Loaded.latest), options: ["--format", "json"])
      .succeeded()
    #expect(!run.errors.contains("warning"), "\(run.errors)")
    #expect(try run.at("gates/rule=row-change-pprrvu/accepted") == "false")
    for (rule, about) in [
      ("row-change-pprrvu", "19,090 rows after 18,865 in 2025A, +1.2%; 10% is allowed"),
      (
        "share-of-status-code-pprrvu",
        "the share of 'A' in status_code is 47.3% after 47.8% in 2025A; 5 points are allowed"
      ),
      (
        "sum-of-work-rvu-pprrvu",
        "the sum of work_rvu is 71745.11 after 71745.11 in 2025A, 0%; 15% is allowed"
      ),
    ] { #expect(try run.at("gates/rule=\(rule)/about") == about) }
  }

  @Test("hold a release against the one before it by its date that has the table, class by class")
  func before() throws {
    let desk = try Desk()
    try desk.load("cms-rvu", Self.sample("2025D")).succeeded()
    // Twice as many rows, but nothing is before it.
    try desk.load("cms-rvu", Self.sample("2025A", rows: 120)).succeeded()
    #expect(
      try Self.about("row-change-pprrvu", desk) == "no release before it is published that has the table")
    let partial = try Self.sample("2025B", rows: 120, without: ["oppscap"])
    try desk.load("cms-rvu", partial, options: ["--allow-missing"]).succeeded()
    try desk.load("cms-rvu", Self.sample("2025C", rows: 120)).succeeded()
    #expect(
      try Self.about("row-change-oppscap", desk).hasSuffix(
        " in 2025A, 0%; 2025B without the table passed over; 10% is allowed"))
    #expect(try Self.about("row-change-gpci", desk) == "109 rows after 109 in 2025B, 0%; 10% is allowed")
    // Twice the rows, in two classes.
    try desk.load("cms-rvu", Self.sample("2026A", quirks: ["qpp"])).succeeded().withholding("warning")
    #expect(
      try Self.about("row-change-pprrvu", desk)
        == "cf_class non_qp: 60 rows after 60 in 2025D, 0%; cf_class qp: 59 rows after 60 in 2025D, -1.7%; "
        + "10% is allowed")
    // A revision of 2025D comes after 2025C, not after what it takes the place of.
    let again = try Self.sample("2025D", seed: 2)
    let refused = try desk.load("cms-rvu", again).failed(3, saying: "60 rows after 120 in 2025C, -50%")
    for rule in ["row-change-pprrvu", "sum-of-work-rvu-pprrvu"] {
      #expect(refused.errors.contains("  \(rule): "), "\(refused.errors)")
    }

    // One is accepted by its name, which the ledger notes, and all others still hold.
    let one = try desk.load("cms-rvu", again, options: ["--accept", "row-change-pprrvu"]).failed(3)
    #expect(!one.errors.contains("  row-change-pprrvu: "), "\(one.errors)")
    let run = try desk.load("cms-rvu", again, options: ["--format", "json"] + Loaded.unlikeTheLast)
      .succeeded(
        saying: "warning: row-change-pprrvu: 60 found, accepted. 60 rows after 120 in 2025C, -50%")
    let gate = "gates/rule=row-change-pprrvu/"
    #expect(
      try run.at(gate + "passed", gate + "accepted", gate + "severity", gate + "found")
        == "false true fail 60")
    // What holds needs no acceptance, and is not recorded as accepted.
    #expect(
      try desk.value(
        """
        SELECT bool_or(rule = 'row-change-pprrvu') FROM rivulet.gate_result JOIN rivulet.run USING (run)
        WHERE is_accepted AND NOT passed AND state = 'published'
        """) == "t")
    #expect(try desk.value("SELECT count(*) FROM rivulet.gate_result WHERE is_accepted AND passed") == "0")
    try desk.command("runs", "show", run.at("run")).succeeded(showing: "accepted")
  }

  @Test("are reported all together, with the file of the first as that of the error, and publish nothing")
  func together() throws {
    let desk = try Desk()
    var files = try Control.Base.feeSchedule.files()
    try files.set("PPRRVU", "10004,", 12, "99.99")
    try files.drop("ANES", "10112,", "02102,", "03102,", "07102,")
    let outcome = try desk.load("cms-rvu", files.written(), options: ["--format", "json"]).failed(3)
    #expect(try outcome.at("error/file") == "Pipelines/cms-rvu/pipeline.yaml")
    let message = try outcome.at("error/message")
    for words in ["totals-add-up: 1 found, first in line ", "anesthesia-localities-match: 4 found"] {
      #expect(message.contains(words), "\(message)")
    }
    #expect(
      try desk.value(
        "SELECT state || (SELECT count(*) FROM cms.rvu) || (SELECT count(*) FROM rivulet.release) FROM rivulet.run"
      ) == "refused00")
    #expect(try PublishedContent.leftovers(in: desk.database) == [])
  }

  // MARK: Datasets of one's own

  /// Puts more into the pipeline of a dataset.
  private static func define(
    _ own: OwnDataset, _ more: String, _ checks: [String: String], expect: String = ""
  ) throws {
    let pipeline = OwnDataset.pipeline.replacing("key: [code]}", with: "key: [code]\(expect)}")
    try own.scratch.write("Pipelines/items/pipeline.yaml", pipeline + "\n" + more)
    for (name, sql) in checks { try own.scratch.write("Pipelines/items/checks/\(name).sql", sql) }
  }

  @Test("never tell a value of a table with sensitive columns, nor repeat the server's words, which may")
  func withheld() throws {
    let expect = ", expect: {drift: [{share_of: words, by: 5%}]}"
    let own = try OwnDataset(isSensitive: true)
    try Self.define(own, "", [:], expect: expect)
    try own.write("items24a", ["ITEM.csv": "a,3,hush,1,,m\nb,3,hush,1,,n"])
    try own.write("items25a", ["ITEM.csv": "a,3,mum,1,,m\nb,3,mum,1,,n"])
    try own.run("items24a").succeeded()
    try own.run("items25a").failed(3, saying: "the share of one value in words is 0% after 100% in 2024A")
      .withholding("hush", "mum")
    try Self.define(
      own, "checks: [{rule: no-class, severity: warn}]",
      ["no-class": "SELECT words::regclass FROM {own.item}\nWHERE words::regclass IS NOT NULL"],
      expect: expect)
    try own.run("items25a", options: ["--format", "json"]).failed(
      2, saying: "'no-class' cannot be run: the server refuses it (42P01)"
    ).withholding("hush", "mum")
    #expect(
      try own.value(
        """
        SELECT (SELECT string_agg(about, ' ') ~ 'hush|mum' FROM rivulet.gate_result)
          OR (SELECT string_agg(error, ' ') ~ 'hush|mum' FROM rivulet.run)
        """) == "f")
  }

  private static let free = """
    -- An item must cost something.
    SELECT source_file_id, source_line FROM {own.item} i
    WHERE EXISTS (SELECT FROM {own.price} p WHERE p.code = i.code AND p.price = 0)
    """

  @Test("take the records out that a check rejects, with their children and those that continue them")
  func rejecting() throws {
    let own = try OwnDataset()
    try Self.define(
      own, "checks: [{rule: no-free-item, severity: reject, source: items}]\nrejects: {allow: 50%}",
      ["no-free-item": Self.free])
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
    let counts = ["read", "loaded", "rejected", "skipped"].map { "sources/0/records_" + $0 }
    #expect(try counts.map { try run.at($0) } == ["6", "2", "1", "3"])
    #expect(try run.at("sources/0/targets") == #"{"own.item":2,"own.mark":2,"own.price":3}"#)
    let gate = "gates/rule=no-free-item/"
    #expect(try run.at(gate + "severity", gate + "found", gate + "passed") == "reject 1 true")
    #expect(
      try own.value("SELECT string_agg(words, '|' ORDER BY code) FROM own.item") == "one|three and")
    // Past what is no row of its own.
    let kept = """
      SELECT string_agg(line || ' ' || rule || ' ' || convert_from(raw, 'UTF8'), '|') FROM rivulet.reject
      JOIN rivulet.source_file USING (source_file_id) WHERE run = 2
      """
    #expect(try own.value(kept) == "3 no-free-item b,3,two,0,7,n\nb,4,more,,,")
  }

  @Test("see all rows before a check that takes some out, and what is left after it")
  func aroundTaking() throws {
    let rules = [
      "no-item", "no-price", "no-fix", "no-free-item", "no-item-left", "no-price-left", "no-fix-left",
    ]
    let own = try OwnDataset()
    let list = rules.map {
      "  - {rule: \($0), severity: \($0 == "no-free-item" ? "skip, source: items" : "warn")}\n"
    }
    let checks = rules.map { rule in
      let table = ["item", "price", "fix"].first { rule.contains("-\($0)") } ?? ""
      return (rule, rule == "no-free-item" ? Self.free : "SELECT source_line FROM {own.\(table)}")
    }
    try Self.define(own, "checks:\n" + list.joined(), Dictionary(uniqueKeysWithValues: checks))
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
      #expect(try own.value("SELECT last_value FROM own.counter") == "1")
      #expect(try own.leftovers() == "0")
    }
  }

  @Test("tell the place in the file of a check whose SQL is wrong")
  func wrongSQL() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m"])
    let sql = """
      -- Ünusual.
      SELECT source_file_id, source_line FROM {own.item} i
      WHERE (SELECT true FROM {own.price} p WHERE p.cost = 0)
      """
    let file = "Pipelines/items/checks/no-free-item.sql"
    for severity in ["warn", "reject"] {
      try Self.define(
        own, "checks: [{rule: no-free-item, severity: \(severity), source: items}]", ["no-free-item": sql])
      let run = try own.run("items25a", options: ["--format", "json"]).failed(
        2, saying: "\(file):3:45: 'no-free-item' cannot be run: column p.cost does not exist")
      #expect(
        try run.at("error/file", "error/line", "error/column", "error/sqlstate") == "\(file) 3 45 \"42703\"")
      #expect(try own.leftovers() == "0")
    }
    #expect(try own.value("SELECT bool_and(error LIKE '%no-free-item.sql:3:45%') FROM rivulet.run") == "t")
  }
}
