import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What `releases diff` says of two releases whose differences are known.
@Suite("The difference of two releases")
struct ReleaseDiffTests {
  // MARK: Real releases

  @Test(
    "is that of CMS's own files from January to October, by count, column and row",
    .needs(Loaded.latest, Loaded.first))
  func realReleases() throws {
    let (database, program) = try Loaded.both.get()
    let outcome = try program.run(
      "releases", "diff", "cms-rvu", "2025A", "2025D", "--rows", "--format", "json"
    ).succeeded()
    #expect(
      try outcome.at("pipeline", "from", "to", "added", "removed", "changed")
        == "cms-rvu 2025A 2025D 226 1 118")
    let diff = try outcome.object()
    let columns = try #require(diff["columns"] as? [String: Int])
    #expect(columns["status_code"] == 45)
    #expect(columns["conversion_factor"] == nil, "columns that never differ are left out")
    #expect(
      Set((diff["tables"] as? [String: Any] ?? [:]).keys) == [
        "cms.gpci", "cms.locality_county", "cms.anesthesia_cf", "cms.opps_cap",
      ])

    let rows = try #require(diff["rows"] as? [[String: Any]])
    #expect(rows.count == 226 + 1 + 118)
    for (name, count) in columns {
      let changed = rows.filter {
        $0["change"] as? String == "changed" && ($0["columns"] as? [String: Any])?[name] != nil
      }
      #expect(changed.count == count, "\(name)")
    }
    let keys = rows.compactMap { $0["key"] as? [String: String] }.map {
      [$0["cf_class"] ?? "", $0["hcpcs"] ?? "", $0["modifier"] ?? ""].joined(separator: " ")
    }
    #expect(keys.count == rows.count && keys == keys.sorted(), "in the order of the key")
    // Found by another road: rows of which no twin is in the other release.
    let others = """
      SELECT count(*) FROM (
        SELECT to_jsonb(r) - '{release,source_file_id,source_line}'::text[] FROM cms.rvu r WHERE release = '2025D'
        EXCEPT
        SELECT to_jsonb(r) - '{release,source_file_id,source_line}'::text[] FROM cms.rvu r WHERE release = '2025A') d
      """
    #expect(try database.value(others) == "\(226 + 118)")
  }

  @Test(
    "in national payment is that of the rows that both releases pay, to the cent",
    .needs(Loaded.latest, Loaded.first))
  func realPayments() throws {
    let (database, program) = try Loaded.both.get()
    let diff = try program.run("releases", "diff", "cms-rvu", "2025A", "2025D", "--format", "json").object()
    let queries = try #require(diff["queries"] as? [String: [[String: Any]]])
    let expected = try #require(
      try database.connect().execute(
        """
        SELECT sum(round(d.nonfac_total * d.conversion_factor, 2) - round(a.nonfac_total * a.conversion_factor, 2)),
          sum(round(d.fac_total * d.conversion_factor, 2) - round(a.fac_total * a.conversion_factor, 2)), count(*)
        FROM cms.rvu a JOIN cms.rvu d USING (cf_class, hcpcs, modifier)
        WHERE a.release = '2025A' AND d.release = '2025D'
          AND cms.paid_from_rvus(a.status_code, a.nonfac_total, a.fac_total)
          AND cms.paid_from_rvus(d.status_code, d.nonfac_total, d.fac_total)
        """
      ).first)
    for name in ["payment-change-by-status", "payment-change-by-first-character"] {
      let rows = try #require(queries[name], "\(name)")
      for (column, setting) in ["non-facility", "facility"].enumerated() {
        let groups = rows.filter { $0["setting"] as? String == setting }
        #expect(cents(groups, "change") == cents(expected[column]), "\(name), \(setting)")
        #expect(groups.compactMap { $0["compared"] as? Int }.reduce(0, +) == Int(expected[2] ?? ""))
        #expect(cents(groups, "amount_to") - cents(groups, "amount_from") == cents(expected[column]))
      }
    }
    let alone = try program.run(
      "query", "payment-change-by-status", "--from", "2025a", "--to", "2025d", "--format", "json"
    ).json()
    #expect(
      alone as? [[String: AnyHashable]]
        == queries["payment-change-by-status"] as? [[String: AnyHashable]])
  }

  private func cents(_ rows: [[String: Any]], _ column: String) -> Int {
    rows.compactMap { ($0[column] as? NSNumber)?.doubleValue }.reduce(0) { $0 + Int(($1 * 100).rounded()) }
  }

  private func cents(_ text: String?) -> Int { Int(((Double(text ?? "") ?? 0) * 100).rounded()) }

  // MARK: Known edits

  /// The release 2025A as the sample would be, had it been edited; the sample itself is 2025D.
  private struct Edited {
    let folder: Scratch
    /// The 99213 of 2025D: its two totals in hundredths and its conversion factor in ten-thousandths.
    var totals = [0, 0]
    var factor = 0
    var added = ""
    var described = ""
    var unpaid = ""

    init() throws {
      folder = try Scratch()
      var files = try Control.Files(Sample.path)
      var lines = try #require(files.lines["PPRRVU2025_Oct.csv"]).map {
        $0.replacing("October Release", with: "January Release")
      }
      let first = try #require(lines.firstIndex { $0.hasPrefix("HCPCS,") }) + 1
      added = lines.remove(at: first)
      let visit = try #require(lines.firstIndex { $0.hasPrefix("99213,,") })
      var fields = lines[visit].components(separatedBy: ",")
      totals = fields[11...12].map { Int($0.filter { $0 != "." }) ?? 0 }
      factor = Int(fields[24].filter { $0 != "." }) ?? 0
      // One that 2025D has not, paid.
      try #require(!lines.contains { $0.hasPrefix("99299,") })
      lines.append(lines[visit].replacing("99213,,", with: "99299,,"))
      // The work RVU was higher by one.
      for field in [5, 11, 12] {
        let number = fields[field].components(separatedBy: ".")
        fields[field] = "\((Int(number[0]) ?? 0) + 1).\(number[1])"
      }
      lines[visit] = fields.joined(separator: ",")
      let plain = lines.indices.dropFirst(first + 1).filter {
        lines[$0].hasSuffix(",0.00,0.00,0.00") && !lines[$0].hasPrefix("99") && !lines[$0].contains("\"")
      }
      let other = try #require(plain.first { lines[$0].contains(",A,") && lines[$0].contains(",,Sample") })
      unpaid = lines[other]
      lines[other] = unpaid.replacing(",A,", with: ",I,")
      let last = try #require(plain.last { $0 != other })
      described = lines[last]
      var words = described.components(separatedBy: ",")
      words[2] = "\"Worded \"\"so\"\", then\""
      lines[last] = words.joined(separator: ",")
      try files.change("PPRRVU") { $0 = lines }
      try files.change("GPCI") { $0 = $0.map { $0.replacing(",ALABAMA,", with: ",OLD ALABAMA,") } }
      try files.edit("25LOCCO", "10112,0,ALABAMA,") { ["10112,0,ALABAMA,ELSEWHERE,A COUNTY", $0] }
      try files.write(to: folder, "RVU25A")
      // Their names say which release they are, too.
      for name in files.lines.keys where name.contains("_Oct") {
        try FileManager.default.moveItem(
          atPath: "\(folder.path)/RVU25A/\(name)",
          toPath: "\(folder.path)/RVU25A/\(name.replacing("_Oct", with: "_Jan"))")
      }
    }

    /// The national payment of a total in hundredths, in cents.
    func payment(_ total: Int) -> Int { (total * factor + 5_000) / 10_000 }

    func code(_ line: String) -> String { line.components(separatedBy: ",")[0] }
  }

  @Test("is what was edited, in every table and in payment, with old and new values")
  func knownEdits() throws {
    let edited = try Edited()
    let (_, program) = try Loaded.migrated()
    try program.run("run", "cms-rvu", edited.folder.path + "/RVU25A", Sample.path).succeeded()
    let outcome = try program.run(
      "releases", "diff", "cms-rvu", "2025a", "2025d", "--rows", "--format", "json"
    ).succeeded()
    func counts(_ table: String = "") throws -> String {
      try outcome.at(table + "added", table + "removed", table + "changed")
    }
    #expect(try counts() == "1 1 3")
    #expect(
      try outcome.at("columns", "tables/cms.gpci/columns") == """
        {"description":1,"fac_total":1,"nonfac_total":1,"status_code":1,"work_rvu":1} {"locality_name":1}
        """)
    #expect(try counts("tables/cms.gpci/") == "0 0 1")
    // One record more at the top moves all others, and changes none.
    #expect(try counts("tables/cms.locality_county/") == "0 1 0")
    let diff = try outcome.object()
    let rows = try #require(diff["rows"] as? [[String: Any]])
    #expect(rows.count == 7)
    func row(_ code: String) -> [String: Any] {
      rows.first { ($0["key"] as? [String: Any])?["hcpcs"] as? String == code } ?? [:]
    }
    func value(_ row: [String: Any], _ column: String, _ side: String) -> String? {
      ((row["columns"] as? [String: [String: Any]])?[column]?[side]).map { "\($0)" }
    }
    let visit = row("99213")
    #expect(visit["table"] as? String == "cms.rvu" && visit["change"] as? String == "changed")
    #expect(
      Set((visit["columns"] as? [String: Any] ?? [:]).keys) == ["work_rvu", "nonfac_total", "fac_total"])
    let (before, after) = (value(visit, "fac_total", "from"), value(visit, "fac_total", "to"))
    #expect(cents(before) - cents(after) == 100)
    #expect(value(row(edited.code(edited.described)), "description", "from") == "Worded \"so\", then")
    #expect(value(row(edited.code(edited.unpaid)), "status_code", "to") == "A")
    let added = row(edited.code(edited.added))
    #expect(added["change"] as? String == "added")
    #expect(value(added, "work_rvu", "from") == "<null>")
    #expect(row("99299")["change"] as? String == "removed")
    #expect(
      outcome.output.contains(/"work_rvu":{"from":null,"to":\d+\.\d\d}/), "numbers keep their decimals")

    try program.run("releases", "diff", "cms-rvu", "2025A", "2025D", "--rows").succeeded(
      showing: "\ncms.rvu  all 99213 ''  changed  work_rvu: ", "\ncms.rvu  all 99299 ''  removed\n",
      "changed  locality_name: OLD ALABAMA -> ALABAMA\n",
      "\ncms.locality_county  10112 00 ALABAMA ELSEWHERE")
    try expectPayments(edited, program)
  }

  /// Payment leaves out what only one release has or pays, and turns its sign with the direction.
  private func expectPayments(_ edited: Edited, _ program: Program) throws {
    for (from, to, sign) in [("2025A", "2025D", -1), ("2025D", "2025A", 1)] {
      let diff = try program.run("releases", "diff", "cms-rvu", from, to, "--format", "json").object()
      #expect(["added", "removed", "changed"].map { diff[$0] as? Int } == [1, 1, 3])
      let queries = try #require(diff["queries"] as? [String: [[String: Any]]])
      let rows = try #require(queries["payment-change-by-status"])
      for (index, setting) in ["non-facility", "facility"].enumerated() {
        let total = edited.totals[index]
        let change = sign * (edited.payment(total + 100) - edited.payment(total))
        let groups = rows.filter { $0["setting"] as? String == setting }
        let active = try #require(groups.first { $0["status_code"] as? String == "A" })
        #expect(cents([active], "change") == change, "\(from) to \(to), \(setting)")
        #expect([active["up"], active["down"]].map { $0 as? Int } == (sign < 0 ? [0, 1] : [1, 0]))
        let counts = ["added", "removed", "newly_paid", "no_longer_paid"].map { name in
          groups.compactMap { $0[name] as? Int }.reduce(0, +)
        }
        #expect(counts == (sign < 0 ? [0, 1, 1, 0] : [1, 0, 0, 1]), "\(from) to \(to)")
      }
      let nine = try #require(
        queries["payment-change-by-first-character"]?.first { $0["first_character"] as? String == "9" })
      #expect(
        abs(cents([nine], "change")) == edited.payment(edited.totals[0] + 100)
          - edited.payment(edited.totals[0]))
    }
  }

  // MARK: What cannot be compared

  @Test("cannot be shown of releases that are not there or not visible, nor of a table that one lacks")
  func errors() throws {
    let desk = try Desk(with: Loaded.sample())
    func expect(_ from: String, _ to: String, _ status: Int32, _ says: String) throws {
      let outcome = try desk.command("releases", "diff", "cms-rvu", from, to, "--format", "json").failed(
        status)
      #expect(try outcome.at("error/message").contains(says), "\(outcome.output)")
    }
    try expect("2025D", "2025A", 2, "no release '2025A': loaded are 2025D")
    try expect("2025D", "2025d", 2, "FROM and TO are both 2025D")
    let edited = try Edited()
    let part = edited.folder.path + "/RVU25A"
    try FileManager.default.removeItem(atPath: part + "/OPPSCAP_Jan.csv")
    try desk.load("cms-rvu", part, options: ["--allow-missing", "--no-publish"]).succeeded()
    try expect("2025A", "2025D", 1, "2025A is not published")
    try desk.command("releases", "publish", "cms-rvu", "2025A").succeeded()
    let diff = try desk.command("releases", "diff", "cms-rvu", "2025A", "2025D", "--rows", "--format", "json")
    let caps = "tables/cms.opps_cap/"
    #expect(try diff.at(caps + "missing_in", caps + "added") == #"["2025A"] null"#)
    #expect(try (diff.object()["rows"] as? [Any])?.count == 7)
    try desk.command("releases", "diff", "cms-rvu", "2025A", "2025D").succeeded(
      showing: "not compared: not in 2025A")
    try desk.command("migrate", "down", "--to", "0").succeeded()
    try expect("2025A", "2025D", 5, "cms.rvu")
  }
}
