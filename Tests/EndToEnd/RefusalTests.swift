import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Broken data are refused with their place, and nothing of them is published. Each rule is proven on a
/// bundle that breaks it.
@Suite("A broken bundle")
struct RefusalTests {
  /// The sample, unpacked, with one of its files changed.
  private func bundle(_ entry: String, _ change: (String) -> String) throws -> Scratch {
    let scratch = try Scratch()
    for name in ["PPRRVU2025_Oct.csv", "GPCI2025.csv", "25LOCCO.csv", "ANES2025.csv", "OPPSCAP_Oct.csv"] {
      let text = try Archive.text(name, in: Sample.path)
      let changed = name == entry ? change(text) : text
      if name == entry { try #require(changed != text, "the change must change something") }
      try scratch.write("RVU25D/\(name)", changed)
    }
    return scratch
  }

  /// The text with the first line that begins so changed.
  private func line(_ start: String, _ text: String, _ change: (String) -> String) -> String {
    var lines = text.components(separatedBy: "\r\n")
    if let index = lines.firstIndex(where: { $0.hasPrefix(start) }) { lines[index] = change(lines[index]) }
    return lines.joined(separator: "\r\n")
  }

  private func field(_ number: Int, _ value: String) -> (String) -> String {
    { line in
      var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      fields[number] = value
      return fields.joined(separator: ",")
    }
  }

  private func run(_ scratch: Scratch, _ extra: String...) throws -> (TestDatabase, Program.Outcome) {
    let (database, program) = try Loaded.migrated()
    return (database, try program.run(["run", "cms-rvu", scratch.path + "/RVU25D"] + extra))
  }

  private func expectNothingPublished(_ database: TestDatabase, state: String = "refused") throws {
    let left = """
      SELECT (SELECT count(*) FROM cms.rvu) + (SELECT count(*) FROM cms.gpci)
        + (SELECT count(*) FROM rivulet.release) + (SELECT count(*) FROM pg_class WHERE relname ~ '_2025d_')
      """
    #expect(try database.value(left) == "0")
    #expect(try database.value("SELECT string_agg(state, ',') FROM rivulet.run") == state)
  }

  @Test(
    "is refused by the rule it breaks",
    arguments: [
      // The work RVU no longer adds up to the totals.
      ("PPRRVU2025_Oct.csv", 5, "77.77", "totals-add-up", "first in line"),
      // A second row of the same code and modifier.
      ("PPRRVU2025_Oct.csv", 0, "duplicate", "unique-key-pprrvu", "cf_class, hcpcs, modifier"),
    ])
  func gates(entry: String, column: Int, value: String, rule: String, says: String) throws {
    let scratch = try bundle(entry) { text in
      line("99213,", text) { line in
        value == "duplicate" ? line + "\r\n" + line : field(column, value)(line)
      }
    }
    let (database, outcome) = try run(scratch)
    #expect(outcome.status == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains(rule), "\(outcome.errors)")
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
    try expectNothingPublished(database)
    let gate = "SELECT passed || ' ' || (found > 0) FROM rivulet.gate_result WHERE rule = '\(rule)'"
    #expect(try database.value(gate) == "false true")
  }

  @Test(
    "is reported with a warning where it is odd but harmless",
    arguments: [
      ("OPPSCAP_Oct.csv", "published-prices-agree", ",A,10112,", 5, "0.01"),
      ("ANES2025.csv", "anesthesia-localities-match", "10112", 1, "97"),
    ])
  func warnings(entry: String, rule: String, holding: String, column: Int, value: String) throws {
    let scratch = try bundle(entry) { text in
      var lines = text.components(separatedBy: "\r\n")
      let index = lines.firstIndex { $0.contains(holding) } ?? 0
      lines[index] = field(column, value)(lines[index])
      return lines.joined(separator: "\r\n")
    }
    let (database, outcome) = try run(scratch)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("warning: \(rule)"), "\(outcome.errors)")
    #expect(try database.value("SELECT found > 0 FROM rivulet.gate_result WHERE rule = '\(rule)'") == "t")
  }

  @Test("is named in the document of the error, and once in its sentence")
  func path() throws {
    let scratch = try Scratch()
    try scratch.write("RVU25D/other.csv", "a,b\n")
    let (_, program) = try Loaded.migrated()
    for (path, code) in [(scratch.path + "/RVU25D", 3), (scratch.path + "/absent.zip", 6)] {
      let outcome = try program.run("run", "cms-rvu", path, "--format", "json")
      let error = try #require(try outcome.object()["error"] as? [String: Any])
      #expect(error["file"] as? String == path && error["code"] as? Int == code, "\(outcome.output)")
      #expect(outcome.errors.components(separatedBy: path).count == 2, "\(outcome.errors)")
    }
    let outcome = try program.run("run", "cms-hcpcs", scratch.path + "/RVU25D")
    #expect(outcome.errors.components(separatedBy: "HCPC*ANWEB*").count == 2, "\(outcome.errors)")
  }

  @Test(
    "has its record refused with file, line, column and value, where no column of the layout is sensitive")
  func rejects() throws {
    let scratch = try bundle("PPRRVU2025_Oct.csv") { text in
      line("99213,", text, field(5, "1.2.3-shown"))
    }
    let (database, outcome) = try run(scratch)
    #expect(outcome.status == 3)
    let text = try String(contentsOfFile: scratch.path + "/RVU25D/PPRRVU2025_Oct.csv", encoding: .utf8)
    let number =
      text.components(separatedBy: "\r\n").firstIndex { $0.hasPrefix("99213,") }.map { $0 + 1 } ?? 0
    #expect(outcome.errors.contains("1 not-a-decimal in work_rvu of pprrvu"), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("PPRRVU2025_Oct.csv:\(number), work_rvu: the value is not a plain decimal"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("'1.2.3-shown'"), "\(outcome.errors)")
    try expectNothingPublished(database)
    let kept = """
      SELECT line || ' ' || column_name || ' ' || rule || ' ' || value || ' '
        || (convert_from(raw, 'UTF8') LIKE '99213,%shown%') FROM rivulet.reject
      """
    #expect(try database.value(kept) == "\(number) work_rvu not-a-decimal 1.2.3-shown true")
    // The ledger of runs is for more people than the quarantine.
    #expect(try database.value("SELECT error LIKE '%shown%' FROM rivulet.run") == "f")
  }

  @Test("is published without its refused records where a limit allows it, and the counts add up")
  func allowedRejects() throws {
    let scratch = try bundle("PPRRVU2025_Oct.csv") { text in line("99213,", text, field(5, "x")) }
    let (database, outcome) = try run(scratch, "--max-rejects", "1", "--format", "json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let sources = try #require(try outcome.object()["sources"] as? [[String: Any]])
    #expect(sources[0]["records_read"] as? Int == 400)
    #expect(sources[0]["records_loaded"] as? Int == 399)
    #expect(sources[0]["records_rejected"] as? Int == 1)
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "399")
    #expect(try database.value("SELECT count(*) FROM rivulet.reject") == "1")
  }

  @Test("that lacks a column is refused with what is missing")
  func header() throws {
    let scratch = try bundle("GPCI2025.csv") { $0.replacing("PE GPCI", with: "PE Index") }
    let (database, outcome) = try run(scratch)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("(pe_gpci) is missing"), "\(outcome.errors)")
    #expect(try database.value("SELECT count(*) FROM rivulet.run") == "0")
  }

  @Test("that has a new column is loaded with a warning that names it")
  func newColumn() throws {
    let scratch = try bundle("GPCI2025.csv") { text in
      text.components(separatedBy: "\r\n").map { line in
        line.hasPrefix("Medicare Adm")
          ? line + ",Brand New" : line.first?.isNumber == true ? line + ",7" : line
      }.joined(separator: "\r\n")
    }
    let (database, outcome) = try run(scratch)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("'BRAND NEW'"), "\(outcome.errors)")
    #expect(try database.value("SELECT count(*) FROM cms.gpci") == "109")
  }

  @Test("whose name and banner disagree is refused, and loaded once the release is named")
  func disagreement() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let renamed = scratch.path + "/RVU24B.zip"
    try FileManager.default.copyItem(atPath: Sample.path, toPath: renamed)
    let refused = try program.run("run", "cms-rvu", renamed)
    #expect(refused.status == 3)
    #expect(refused.errors.contains("2024B") && refused.errors.contains("2025D"))
    #expect(try program.run("run", "cms-rvu", renamed, "--release", "2025D").status == 0)
    #expect(try database.value("SELECT DISTINCT release FROM cms.rvu") == "2025D")
  }

  @Test("that lacks a table says which, and is published only when that is allowed")
  func missingTable() throws {
    let scratch = try bundle("PPRRVU2025_Oct.csv") { line("99213,", $0, field(2, "Other words")) }
    try FileManager.default.removeItem(atPath: scratch.path + "/RVU25D/OPPSCAP_Oct.csv")
    let (database, outcome) = try run(scratch)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("lacks oppscap (OPPSCAP*)"), "\(outcome.errors)")
    let allowed = try Program(database: database.url).run(
      "run", "cms-rvu", scratch.path + "/RVU25D", "--allow-missing")
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try database.value("SELECT missing_tables FROM cms.release") == "{cms.opps_cap}")
  }

  @Test(
    "that was cut off is refused, and its last record is no footnote",
    arguments: [
      ("GPCI2025.csv", 0.6), ("GPCI2025.csv", 0.97), ("PPRRVU2025_Oct.csv", 0.5), ("ANES2025.csv", 0.7),
    ])
  func cutOff(entry: String, share: Double) throws {
    let scratch = try bundle(entry) { text in
      var cut = text.prefix(Int(Double(text.count) * share))
      // In the middle of the first field of a record.
      if let end = cut.lastIndex(of: "\r\n") { cut = cut[...end] }
      return String(cut) + "152"
    }
    let (database, outcome) = try run(scratch)
    #expect(outcome.status == 3, "\(outcome.errors)")
    try expectNothingPublished(database)
  }

  @Test("whose row the server refuses is reported with its place, without its value")
  func serverRefusal() throws {
    let (database, program) = try Loaded.migrated()
    try database.connect().execute(
      "ALTER TABLE cms.rvu ADD CONSTRAINT short CHECK (length(description) < 12) NOT VALID")
    let outcome = try program.run("run", "cms-rvu", Sample.path)
    #expect(outcome.status == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains("PPRRVU2025_Oct.csv: row "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Sample service"), "\(outcome.errors)")
    #expect(try database.value("SELECT error LIKE '%Sample service%' FROM rivulet.run") == "f")
    try expectNothingPublished(database)
  }
}
