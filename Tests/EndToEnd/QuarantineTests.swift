import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Refused records")
struct QuarantineTests {
  /// The records that an export has, without what it says of them.
  private func records(_ text: String) -> [String] {
    text.split(separator: "\n").dropFirst().compactMap { line in
      line.range(of: "\",").map { String(line[$0.upperBound...]) }
    }
  }

  @Test(
    "are kept however many they are where a share of them is allowed, and come back byte for byte, corrected")
  func many() throws {
    let own = try OwnDataset()
    let bad = (0..<100_000).map { "b\($0),3,words of some length,x\($0 % 7),," }
    let good = (0..<1_000).map { "g\($0),3,words,1,," }
    try own.write("items25a", ["ITEM.csv": (good + bad).joined(separator: "\n")])
    let run = try own.run("items25a", options: ["--max-rejects", "100%", "--format", "json"]).succeeded()
    #expect(
      try run.at("rejects/*/records", "rejects/*/rule", "rejects/*/column") == "100000 not-a-decimal price")
    let examples = "rejects/0/examples/*/"
    #expect(try run.at(examples + "line", examples + "value") == "1002 1003 1004 x0 x1 x2")
    #expect(run.errors.contains("100,000 of 101,000 records were refused and kept"), "\(run.errors)")
    #expect(try own.value("SELECT count(*) FROM rivulet.reject") == "100000")

    let file = own.path("fixed.csv")
    try own.command("rejects", "export", "1", "-o", file).succeeded()
    let text = try own.text(of: "fixed.csv")
    #expect(text.hasPrefix("rivulet_reason," + OwnDataset.header))
    #expect(text.contains("\n\"line 1002, price: not-a-decimal\",b0,3,"))
    #expect(records(text) == bad)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    try own.scratch.write("fixed.csv", text.replacing(",x", with: ",1"))
    let replay = try own.command("rejects", "replay", "1", file, "--format", "json").succeeded()
    #expect(try !replay.errors.contains("warning") && replay.at("revision") == "2", "\(replay.errors)")
    #expect(try own.value("SELECT count(*) FROM own.item") == "101000")
    #expect(
      try own.database.rows("SELECT revision, target, rows FROM rivulet.release_table ORDER BY 1, 2") == [
        "1|own.item|1000", "1|own.mark|0", "1|own.price|1000", "2|own.item|101000",
        "2|own.mark|0", "2|own.price|101000",
      ])
    // The same corrected records again, and the source itself again, are there already.
    for outcome in [
      try own.command("rejects", "replay", "1", file, "--format", "json"),
      try own.run("items25a", options: ["--max-rejects", "100%", "--format", "json"]),
    ] {
      #expect(try outcome.succeeded().at("state") == "unchanged")
    }
    try own.run("items25a", options: ["--max-rejects", "100%", "--force"]).succeeded()
    #expect(try own.value("SELECT count(*) FROM own.item") == "1000")
    #expect(try own.leftovers() == "0")
  }

  @Test("show no value of a layout with a sensitive column, wherever one looks, and none to another role")
  func sensitive() throws {
    let own = try OwnDataset(isSensitive: true)
    try own.write("items25a", ["ITEM.csv": "a,3,one,secret1,,m\nb,3,two,1,,m\nc,3,thr\"secret2,1,,m"])
    let refused = try own.run("items25a").failed(
      3, saying: "1 not-a-decimal in price of items", "ITEM.csv:2, price: the value is not a plain decimal")
    let outcomes = [
      refused, try own.run("items25a", options: ["--format", "json"]),
      try own.run("items25a", options: ["--max-rejects", "2"]),
      try own.run("items25a", options: ["--max-rejects", "2", "--force", "--format", "json"]),
      try own.command("rejects", "list", "1"), try own.command("rejects", "list", "1", "--format", "json"),
      try own.command("runs", "show", "1", "--format", "json"), try own.command("runs", "show", "4"),
    ]
    for outcome in outcomes { outcome.withholding("secret") }
    #expect(outcomes[2].status == 0 && outcomes[3].status == 0)
    #expect(outcomes[4].output.contains("not-a-decimal"), "\(outcomes[4].output)")
    let shown = """
      SELECT count(*) FILTER (WHERE error LIKE '%secret%') FROM rivulet.run
      UNION ALL SELECT count(value) + count(key) FROM rivulet.reject
      UNION ALL SELECT sum(cardinality(shown)) FROM rivulet.reject_reason
      UNION ALL SELECT count(*) FILTER (WHERE convert_from(raw, 'UTF8') NOT LIKE '%secret%') FROM rivulet.reject
      """
    #expect(
      try own.value("SELECT string_agg(count::text, ' ') FROM (\(shown)) c(count)") == "0 0 0 0")
    let role = "reader_" + own.database.name
    let connection = try own.database.connect()
    try connection.execute("CREATE ROLE \(role); GRANT USAGE ON SCHEMA rivulet TO \(role); SET ROLE \(role)")
    for table in ["reject", "reject_reason", "reject_header"] {
      #expect(throws: PostgreSQLError.self) { try connection.query("SELECT * FROM rivulet.\(table)") }
    }
    try connection.execute("RESET ROLE; REVOKE ALL ON SCHEMA rivulet FROM \(role); DROP ROLE \(role)")
  }

  @Test("have no social security number, nor do words on them, and are taken again once it is not asked for")
  func socialSecurityNumbers() throws {
    let own = try OwnDataset()
    try own.scratch.write(
      "items25a/ITEM.csv",
      OwnDataset.header.replacing("\n", with: ",SSN\n") + "a,3,one,123-45-6789,,m,123456789\n"
        + "b,3,two,1,,n,987654321\n123-45-6789,3,three,1,x,o,\n")
    let run = try own.run("items25a", options: ["--max-rejects", "2"]).succeeded(saying: "***-**-****")
    let list = try own.command("rejects", "list", "1").succeeded()
    for outcome in [run, list] { outcome.withholding("123-45", "45-6789", "123456789", "987654321") }
    #expect(
      try own.database.rows("SELECT convert_from(raw, 'UTF8') FROM rivulet.reject ORDER BY line") == [
        "a,3,one,***-**-****,,m,*********", "***-**-****,3,three,1,x,o,",
      ])
    let file = own.path("fixed.csv")
    try own.command("rejects", "export", "1", "-o", file).succeeded()
    // Only what a column takes has to be written again.
    try own.scratch.write(
      "fixed.csv",
      try own.text(of: "fixed.csv").replacing("one,***-**-****", with: "one,1").replacing(",x,", with: ",1,"))
    let refused = try own.command("rejects", "replay", "1", file).failed(3, saying: "withheld")
    #expect(refused.errors.contains("asterisks stand for a number that was not kept"), "\(refused.errors)")
    try own.scratch.write("fixed.csv", try own.text(of: "fixed.csv").replacing("***-**-****,3", with: "c,3"))
    try own.command("rejects", "replay", "1", file).succeeded()
    #expect(try own.value("SELECT string_agg(code, ' ' ORDER BY code) FROM own.item") == "a b c")
  }

  @Test("beyond the limit are refused with the ten commonest reasons, and the first ten thousand are kept")
  func tooMany() throws {
    let own = try OwnDataset()
    let prices = (0..<12_000).map { "b\($0),3,words,x,," }
    let codes = (0..<300).map { _ in ",3,words,1,," }
    try own.write("items25a", ["ITEM.csv": (codes + prices).joined(separator: "\n")])
    let run = try own.run("items25a", options: ["--max-rejects", "5", "--format", "json"]).failed(3)
    let message = try run.at("error/message")
    #expect(
      message.hasPrefix(
        "12300 of 12300 records were refused, 5 allowed; 10000 of the 12300 are kept:\n  12000 not-a-decimal in price"
      ), "\(message)")
    #expect(
      try run.at("error/rejects/*/records", "error/rejects/*/rule") == "12000 300 not-a-decimal required")
    #expect(try own.value("SELECT count(*) FROM rivulet.reject") == "10000")
    #expect(
      try own.value("SELECT string_agg(records::text, ' ' ORDER BY records) FROM rivulet.reject_reason")
        == "300 12000")
    #expect(try own.value("SELECT count(*) FROM own.item") == "0")
    let list = try own.command("rejects", "list", "1", "--format", "json")
    let first = "rejects/0/"
    #expect(
      try list.at(first + "line", first + "byte_offset", first + "rule")
        == "2 \(OwnDataset.header.utf8.count) required")
    #expect(try !["null", "(nothing)"].contains(list.at(first + "value")))
    try own.command("rejects", "export", "1", "-o", own.path("fixed.csv")).succeeded(
      saying: "2,300 of the 12,300 refused records of ITEM.csv are missing")
    try own.command("rejects", "list", "1").succeeded(showing: "of which the first 10,000 are kept")
    try own.command("rejects", "replay", "1", own.path("fixed.csv")).failed(
      3, saying: "run 1 ended refused and published nothing", "or run it with --max-rejects")
    // With a share as the limit that is known only at the end, and no more are kept.
    try own.run("items25a", options: ["--max-rejects", "50%", "--force"]).failed(
      3, saying: "12300 of 12300 records were refused, 50% allowed; 10000 of the 12300 are kept")
    #expect(
      try own.value(
        "SELECT count(*) || ' ' || max(line) FROM rivulet.reject WHERE source_file_id = 2") == "10000 10001")
  }

  @Test("of a run that is killed in the middle are not there")
  func killed() throws {
    let own = try OwnDataset()
    let rows = (0..<400_000).map { "c\($0),3,words of some length,x,," }.joined(separator: "\n")
    try own.write("items25a", ["ITEM.csv": rows])
    try own.write("items25b", ["ITEM.csv": "a,3,one,x,,\nb,3,two,1,,"])
    let started = try own.start("items25a", "--max-rejects", "100%")
    #expect(
      try own.database.finds(
        """
        SELECT FROM pg_stat_activity a JOIN pg_stat_progress_copy p USING (pid)
        WHERE a.datname = current_database() AND a.query LIKE 'COPY%"reject"%' AND p.tuples_processed > 5000
        """))
    started.signal(SIGKILL)
    #expect(try started.wait().status == 128 + SIGKILL)
    try own.run("items25b", options: ["--max-rejects", "1", "--lock-wait", "120"]).succeeded()
    #expect(
      try own.value(
        "SELECT string_agg(f.run || ' ' || j.line, ',') FROM rivulet.reject j JOIN rivulet.source_file f USING (source_file_id)"
      ) == "2 2")
    #expect(try own.value("SELECT count(*) FROM rivulet.reject_reason") == "1")
    #expect(try own.leftovers() == "0")
  }

  @Test("are written over no file without --force, with their reasons neither, and into a device as they are")
  func existing() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,one,x,,"])
    try own.run("items25a", options: ["--max-rejects", "1"]).succeeded()
    func export(_ file: String, _ options: String...) throws -> Program.Outcome {
      try own.command("rejects", "export", "1", "-o", own.path(file), options: options)
    }
    try export("fixed.csv").succeeded()
    let corrected = try own.text(of: "fixed.csv") + "corrected by hand"
    try own.scratch.write("fixed.csv", corrected)
    let refused = try export("fixed.csv", "--format", "json").failed(2, saying: "exists already")
    #expect(try refused.at("error/file") == own.path("fixed.csv"))
    #expect(try refused.at("error/hint").contains("--force"))
    // A folder is gone into, not written over.
    try FileManager.default.createDirectory(atPath: own.path("all"), withIntermediateDirectories: true)
    try export("all").succeeded()
    try export("all").failed(2, saying: "all/ITEM.csv exists already")
    #expect(try own.text(of: "fixed.csv") == corrected)
    try export("fixed.csv", "--force").succeeded()
    #expect(try !own.text(of: "fixed.csv").contains("by hand"))
    try export("/dev/null").succeeded()
  }

  @Test("that are not there are said so, and wrong words with 2")
  func wrongWords() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,"])
    try own.run("items25a").succeeded()
    #expect(
      try own.command("rejects", "list", "1").succeeded().output == "run 1 has refused no record\n")
    let file = try own.scratch.write("fixed.csv", OwnDataset.header + "b,3,two,1,,\n")
    let cases: [(words: [String], status: Int32, says: String)] = [
      (["export", "1"], 2, "-o FILE is missing"),
      (["export", "1", "-o", own.path("x.csv")], 2, "run 1 has refused no record"),
      (["replay", "1", file], 2, "run 1 has refused no record, so there is nothing to correct"),
      (["replay", "1", own.path("absent.csv")], 6, "absent.csv"),
    ]
    for (words, status, says) in cases {
      try own.command("rejects", options: words).failed(status, saying: says)
    }
    #expect(!FileManager.default.fileExists(atPath: own.path("x.csv")))
  }
}
