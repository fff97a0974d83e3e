import Definitions
import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Checks that say what each row must be, or what it refers to.
@Suite("Conditions over rows")
struct RowConditionTests {
  /// What a run says of a rule.
  private struct Verdict: Equatable {
    var found = -1
    var passed = false
    var about = ""
    /// The line for people, with the places, but for the files that they are in: a query need not say them.
    var words = ""
  }

  /// What a run says of some rules.
  private static func verdicts(
    on rules: [String], _ outcome: Program.Outcome
  ) throws -> [String: Verdict] {
    let gates = try #require(
      try outcome.object()["gates"] as? [[String: Any]], "\(outcome.errors) \(outcome.output)")
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    var verdicts: [String: Verdict] = [:]
    for rule in rules {
      let gate = try #require(gates.first { $0["rule"] as? String == rule }, "\(rule): \(outcome.errors)")
      let line = lines.first { $0.contains(" \(rule): ") } ?? ""
      verdicts[rule] = Verdict(
        found: gate["found"] as? Int ?? -1, passed: gate["passed"] as? Bool ?? false,
        about: gate["about"] as? String ?? "",
        words: line.replacing(" \(rule): ", with: " ").replacing(/\ of \S+\.(csv|txt)/, with: ""))
    }
    return verdicts
  }

  // MARK: Our own pipelines

  /// The bundles that have a broken row for a condition.
  static let bases = Control.Base.allCases.filter { base in ControlTests.all.contains { isHeld($0, of: base) }
  }

  /// Whether a query that says the same as the rule is kept to hold it against.
  private static func isHeld(_ control: Control, of base: Control.Base) -> Bool {
    control.base == base
      && FileManager.default.fileExists(
        atPath: SharedData.project + "/Tests/EndToEnd/Oracle/checks/\(control.rule).sql")
  }

  /// Our project, with a query beside each condition that one is kept of.
  private func project(for base: Control.Base) throws -> Scratch {
    let scratch = try Scratch()
    for name in ["Data", "rivulet.yaml"] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path + "/" + name, withDestinationPath: SharedData.project + "/" + name)
    }
    try FileManager.default.copyItem(
      atPath: SharedData.project + "/Pipelines", toPath: scratch.path + "/Pipelines")
    let pipelines = try Project.load(SharedData.project).pipelines()
    let pipeline = try #require(pipelines.first { $0.name == base.pipeline })
    let file = "Pipelines/\(pipeline.name)/pipeline.yaml"
    var queries = ""
    for check in pipeline.checks where check.condition != nil {
      queries += "  - {rule: \(check.rule)-sql, severity: \(check.severity.rawValue)"
      queries += check.allowed > 0 ? ", allow: \(check.allowed)}\n" : "}\n"
      try scratch.write(
        "Pipelines/\(pipeline.name)/checks/\(check.rule)-sql.sql", Oracle.sql("checks/\(check.rule)"))
    }
    let whole = try String(contentsOfFile: SharedData.project + "/" + file, encoding: .utf8)
    let end = try #require(whole.range(of: "\nrejects:"))
    let list = try #require(whole.range(of: "\nchecks:", range: whole.startIndex..<end.lowerBound))
    let between = whole[list.upperBound..<end.lowerBound]
    let ending = between.range(of: "\n\n").map { $0.lowerBound } ?? end.lowerBound
    try scratch.write(file, whole[..<ending] + "\n" + queries.dropLast() + whole[ending...])
    return scratch
  }

  @Test(
    "find what the queries found that said the same before, with the same words and places", arguments: bases)
  func forms(_ base: Control.Base) throws {
    let project = try project(for: base)
    let database = try base.database()
    // Some of what is broken breaks other rules, too.
    let accepted =
      try Project.load(project.path).pipelines().first { $0.name == base.pipeline }?.gateRules
      .filter { $0.severity == .fail && $0.refusesAcceptance == nil }.flatMap { ["--accept", $0.name] } ?? []
    for control in ControlTests.all where Self.isHeld(control, of: base) {
      var files = try base.files()
      try control.edit(&files)
      let other = control.rule + "-sql"
      let outcome = try Program(database: database.url).run(
        [
          "run", base.pipeline, try files.written(), "--dry-run", "--allow-missing", "--format", "json",
          "--project", project.path,
        ] + accepted)
      let verdicts = try Self.verdicts(on: [control.rule, other], outcome)
      let condition = try #require(verdicts[control.rule])
      #expect(condition == verdicts[other], "\(control.rule)")
      #expect(
        condition.found == control.found && condition.words.contains(", first in line "), "\(condition)")
    }
  }

  // MARK: A dataset of one's own

  private static let conditions = """
    checks:
      - {rule: dear, severity: warn, table: own.price, about: Dear, row: price < 5}
      - {rule: dear-later, severity: warn, table: own.price, where: slot > 1, row: price < 5 -- no more}
      - rule: divided
        severity: warn
        table: own.price
        where: price <> 0
        row: 10 / price >= 2
      - {rule: words, severity: warn, table: own.item, row: words <> 'none'}
      - {rule: words-are-codes, severity: warn, table: own.item, columns: words, references: own.fix (code)}
      - rule: words-are-other-codes
        severity: warn
        table: own.item
        where: code <> 'a'
        columns: [words]
        references: own.fix (code) where words IS NULL OR words <> 'second (last)'
      - {rule: priced, severity: warn, table: own.item, references: own.price (code)}
    """

  /// The same rules as one would write them.
  private static let queries = [
    "dear": "-- Dear\nSELECT source_file_id, source_line FROM {own.price} WHERE price >= 5",
    "dear-later": "SELECT source_file_id, source_line FROM {own.price} WHERE slot > 1 AND price >= 5",
    "divided": "SELECT source_file_id, source_line FROM {own.price} WHERE 10 / nullif(price, 0) < 2",
    "words": "SELECT source_file_id, source_line FROM {own.item} WHERE words = 'none'",
    "words-are-codes": """
    SELECT i.source_file_id, i.source_line FROM {own.item} i LEFT JOIN {own.fix} f ON f.code = i.words
    WHERE i.words IS NOT NULL AND f.code IS NULL
    """,
    "words-are-other-codes": """
    SELECT i.source_file_id, i.source_line FROM {own.item} i
    LEFT JOIN {own.fix} f ON f.code = i.words AND f.words IS DISTINCT FROM 'second (last)'
    WHERE i.words IS NOT NULL AND i.code <> 'a' AND f.code IS NULL
    """,
    "priced": """
    SELECT i.source_file_id, i.source_line FROM {own.item} i
    WHERE i.code NOT IN (SELECT code FROM {own.price})
    """,
  ]

  private func own(_ more: String) throws -> OwnDataset {
    let own = try OwnDataset()
    try own.scratch.write(
      "Pipelines/items/pipeline.yaml",
      OwnDataset.pipeline.replacing("\n    amends: fixes", with: "") + "\n" + more)
    return own
  }

  @Test(
    "say what queries say, where values are null, filters exclude what cannot be computed, and keys are not there"
  )
  func sameAsQueries() throws {
    let rules = Self.queries.keys.sorted()
    let own = try own(
      Self.conditions + "\n"
        + rules.map { "  - {rule: \($0)-sql, severity: warn}\n" }.joined())
    for (rule, sql) in Self.queries { try own.scratch.write("Pipelines/items/checks/\(rule)-sql.sql", sql) }
    try own.write(
      "items25a",
      [
        "ITEM.csv": "a,3,none,1,7,m\nb,3,,0,,n\nc,3,x,9,5,o\nd,3,y,8,9,p\ne,3,none,,,q\nf,3,y,,,r",
        "FIX1.csv": "x,first\ny,second (last)",
      ])
    let verdicts = try Self.verdicts(
      on: rules + rules.map { $0 + "-sql" }, own.run("items25a", options: ["--format", "json"]).succeeded())
    for rule in rules { #expect(verdicts[rule] == verdicts[rule + "-sql"], "\(rule)") }
    #expect(
      try rules.map { try #require(verdicts[$0]).found } == [5, 3, 4, 2, 2, 2, 3],
      "\(rules.map { "\($0): \(String(describing: verdicts[$0]))" })")
    #expect(verdicts["dear"]?.about == "Dear")
  }

  @Test("take rows out where the severity says so")
  func taking() throws {
    let own = try own(
      "checks: [{rule: known, severity: skip, source: items, table: own.item, row: code <> 'b'}]")
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,2,m\nb,3,two,0,7,n", "FIX1.csv": "a,first"])
    let run = try own.run("items25a", options: ["--format", "json"]).succeeded()
    #expect(try run.at("gates/rule=known/found", "gates/rule=known/severity") == "1 skip")
    #expect(
      try own.value("SELECT string_agg(code, '') || (SELECT count(*) FROM own.price) FROM own.item") == "a2")
  }

  @Test(
    "that the server refuses are named with the place in the definition, among others over the same table",
    arguments: [
      ("row: prise < 5", "42703"), ("row: price < 5 AND", "42601"), ("row: sum(price) < 5", "42803"),
      ("row: 1 / (price - price) < 5", "22012"), ("row: nextval('own.counter') < 0", "25006"),
      ("columns: [code], references: own.item (kode)", "42703"),
    ])
  func refused(_ condition: String, _ state: String) throws {
    let own = try own(
      """
      checks:
        - {rule: dear, severity: warn, table: own.price, row: price < 50}
        - {rule: wrong, severity: warn, table: own.price, \(condition)}
        - {rule: cheap, severity: warn, table: own.price, row: price > 0}
      """)
    try own.database.connect().execute("CREATE SEQUENCE own.counter")
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,2,m", "FIX1.csv": "a,first"])
    let outcome = try own.run("items25a", options: ["--format", "json"]).failed(
      2, saying: "'wrong' cannot be run: ")
    #expect(try outcome.at("error/sqlstate") == "\"\(state)\"")
    #expect(try outcome.at("error/file") == "Pipelines/items/pipeline.yaml")
    let line = try own.text(of: "Pipelines/items/pipeline.yaml").split(
      separator: "\n", omittingEmptySubsequences: false
    ).firstIndex { $0.contains("rule: wrong") }
    #expect(try outcome.at("error/line") == "\(try #require(line) + 1)")
    #expect(try own.leftovers() == "0")
  }
}
