import Foundation
import TestSupport
import Testing

/// Files that are not what they should be, and would load all the same.
@Suite("A file that is not whole, or not real")
struct WrongFileTests {
  /// The real release without the last lines of PPRRVU, in a folder of a desk.
  private static func cutOff(by count: Int, on desk: Desk) throws -> String {
    try Loaded.unzip(SharedData.path(Loaded.latest), "*.csv", into: desk.path("RVU25D"))
    let file = URL(filePath: desk.path("RVU25D/PPRRVU2025_Oct.csv"))
    let lines = try Data(contentsOf: file).split(separator: 10, omittingEmptySubsequences: false)
    let data = lines.lastIndex { !$0.allSatisfy { $0 == 13 || $0 == 44 || $0 == 32 } } ?? 0
    try Data(lines[...(data - count)].joined(separator: [10])).write(to: file)
    return "RVU25D"
  }

  @Test(
    "is no yardstick for a real one where it is a sample, and a revision that was cut off is refused",
    .needs(Loaded.latest))
  func cutOff() throws {
    let desk = try Desk(with: Loaded.sample())
    let first = try desk.load("cms-rvu", SharedData.path(Loaded.latest), options: ["--format", "json"])
      .succeeded()
    #expect(try first.at("revision", "gates/rule=lost-keys-pprrvu/found") == "2 0")
    let list = try desk.command("releases", "list", "cms-rvu", options: ["--format", "json"]).succeeded()
    #expect(
      try list.at(
        "releases/0/revision", "releases/0/synthetic", "releases/0/partial", "releases/1/revision",
        "releases/1/synthetic")
        == "2 false false 1 true")

    let refused = try desk.load("cms-rvu", Self.cutOff(by: 1499, on: desk)).failed(3)
    #expect(
      refused.errors.contains(
        "  lost-keys-pprrvu: 1499 found. 1499 of 19090 keys of 2025D revision 2 are gone"),
      "\(refused.errors)")
    #expect(refused.errors.contains("--accept"), "\(refused.errors)")
    #expect(try desk.value("SELECT count(*) FROM cms.rvu") == "19090")
  }

  @Test("is refused where it is a part of a release that is whole, with the way on", .needs(Loaded.latest))
  func part() throws {
    let desk = try Desk(with: Loaded.sample())
    try desk.load("cms-rvu", SharedData.path(Loaded.latest)).succeeded()
    try Loaded.unzip(SharedData.path(Loaded.latest), "PPRRVU*.csv", into: desk.path("part"))
    try FileManager.default.moveItem(
      atPath: desk.path("part/PPRRVU2025_Oct.csv"), toPath: desk.path("x.csv"))
    let options = ["--release", "2025D", "--allow-missing"]
    try desk.load("cms-rvu", "x.csv", options: options).failed(
      3, saying: "2025D is published with cms.anesthesia_cf, cms.gpci", "which this bundle lacks",
      "load a whole bundle, or use --force to hide them")
    let refused = try desk.load("cms-rvu", "x.csv", options: options + ["--format", "json"]).failed(3)
    #expect(try refused.at("error/hint") == "load a whole bundle, or use --force to hide them")
  }

  @Test("is refused where it does not say that it is a sample, and is as short as one")
  func short() throws {
    let desk = try Desk()
    try Loaded.unzip(
      try Samples.make(formats: ["csv"], rows: 60, release: "2025D"), into: desk.path("RVU25D"))
    // One file that says so makes the whole release a sample.
    for name in try FileManager.default.contentsOfDirectory(atPath: desk.path("RVU25D")) {
      let text = try desk.text(of: "RVU25D/\(name)")
      try desk.scratch.write("RVU25D/\(name)", text.replacing("SYNTHETIC SAMPLE", with: "CALENDAR YEAR"))
    }
    try desk.load("cms-rvu", "RVU25D").failed(
      3, saying: "rows-pprrvu: 60 found. There must be 10000 rows at least", "--accept rows-pprrvu")
  }

  @Test("is refused for one code that is paid, and reported for one that is not")
  func paid() throws {
    let desk = try Desk()
    let zip = try Samples.make(formats: ["csv"], rows: 400, release: "2025D")
    try desk.load("cms-rvu", zip).succeeded()
    try Loaded.unzip(zip, into: desk.path("RVU25D"))
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: desk.path("RVU25D")).first {
        $0.hasPrefix("PPRRVU")
      })
    let whole = try desk.text(of: "RVU25D/\(file)")
    for (paid, status) in [("NOT ", 0), ("", 3)] as [(String, Int32)] {
      let code = try #require(
        try desk.value(
          """
          SELECT hcpcs FROM cms.rvu r WHERE modifier = '' AND \(paid)cms.paid_from_rvus(status_code, nonfac_total, fac_total)
            AND NOT EXISTS (SELECT FROM cms.opps_cap c WHERE c.hcpcs = r.hcpcs)
            AND (SELECT count(*) FROM cms.rvu o WHERE o.hcpcs = r.hcpcs) = 1
          ORDER BY hcpcs LIMIT 1
          """))
      let lines = whole.components(separatedBy: "\r\n").filter { !$0.hasPrefix(code + ",") }
      try desk.scratch.write("RVU25D/\(file)", lines.joined(separator: "\r\n"))
      let run = try desk.load("cms-rvu", "RVU25D", options: ["--dry-run"])
      #expect(run.status == status && run.errors.contains("lost-keys-pprrvu: 1 found"), "\(run.errors)")
      #expect(run.errors.contains("1 of 400 keys of 2025D revision 1 are gone, such as \(code)"))
    }
  }

  @Test("says what it lacks where half of it is enough, in text, in JSON and in the list of releases")
  func partial() throws {
    let desk = try Desk()
    let zip = try Samples.make(
      quirks: ["qpp"], formats: ["csv"], without: ["oppscap"], rows: 60, release: "2026A")
    try Loaded.unzip(zip, into: desk.path("RVU26A"))
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.path("RVU26A"))
    let qualifying = try #require(names.first { $0.hasPrefix("PPRRVU") && !$0.contains("nonQPP") })
    try FileManager.default.removeItem(atPath: desk.path("RVU26A/\(qualifying)"))
    try desk.load("cms-rvu", "RVU26A").failed(3, saying: "a part of pprrvu (PPRRVU*QPP*)", "--allow-missing")
    let text = try desk.load("cms-rvu", "RVU26A", options: ["--allow-missing", "--dry-run"]).succeeded()
    let missing = "oppscap (OPPSCAP*), a part of pprrvu (PPRRVU*QPP*)"
    #expect(text.output.contains("missing, so that the release is partial: \(missing)"), "\(text.output)")
    let run = try desk.load("cms-rvu", "RVU26A", options: ["--allow-missing", "--format", "json"]).succeeded()
    #expect(try run.at("missing/1") == "a part of pprrvu (PPRRVU*QPP*)")
    let list = try desk.command("releases", "list", options: ["--format", "json"]).succeeded()
    #expect(
      try list.at("releases/0/partial", "releases/0/missing/0", "releases/0/missing/1")
        == "true cms.opps_cap a part of pprrvu (PPRRVU*QPP*)")
    try desk.command("releases", "list").succeeded(showing: "synthetic, partial")
  }

  /// What a spreadsheet makes of the sample's PPRRVU: numbers, without the zeros that they begin with.
  private static func throughSpreadsheet(_ line: String) -> String {
    var fields = line.components(separatedBy: ",")
    guard fields.count > 25, fields[0].count == 5, fields[0].last?.isNumber == true else { return line }
    for place in [0, 14, 25] {
      if let number = Int(fields[place]) { fields[place] = "\(number)" }
    }
    return fields.joined(separator: ",")
  }

  @Test("gets its leading zeros back where its code lists make them certain, and says how many")
  func zeros() throws {
    let content =
      "SELECT md5(string_agg(concat_ws('|', hcpcs, modifier, global_days, diagnostic_supervision), ',' "
      + "ORDER BY hcpcs, modifier)) FROM cms.rvu"
    let zip = try Samples.make(formats: ["csv"], rows: 400, release: "2025D")
    let whole = try Desk()
    try whole.load("cms-rvu", zip).succeeded()
    let lost = try whole.value(
      """
      SELECT concat_ws(' ', count(*) FILTER (WHERE hcpcs ~ '^0[0-9]{4}$'),
        count(*) FILTER (WHERE global_days ~ '^0' AND hcpcs !~ '[A-Z]$'),
        count(*) FILTER (WHERE diagnostic_supervision ~ '^0' AND hcpcs !~ '[A-Z]$')) FROM cms.rvu
      """)
    let desk = try Desk()
    try Loaded.unzip(zip, into: desk.path("RVU25D"))
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: desk.path("RVU25D")).first {
        $0.hasPrefix("PPRRVU")
      })
    let lines = try desk.text(of: "RVU25D/\(file)").components(separatedBy: "\r\n")
    try desk.scratch.write(
      "RVU25D/\(file)", lines.map(Self.throughSpreadsheet).joined(separator: "\r\n"))
    let run = try desk.load("cms-rvu", "RVU25D", options: ["--format", "json"]).succeeded()
    #expect(try desk.value(content) == (try whole.value(content)))
    let zeros = "sources/source=pprrvu/zeros_restored/"
    #expect(
      try run.at(zeros + "hcpcs", zeros + "global_days", zeros + "diagnostic_supervision") == lost)

    // Which of the five digits is gone nobody knows.
    try desk.scratch.write(
      "RVU25D/\(file)",
      lines.map { $0.hasPrefix("99213,") ? "9921" + $0.dropFirst(5) : $0 }.joined(separator: "\r\n"))
    try desk.load("cms-rvu", "RVU25D").failed(3, saying: "hcpcs", "9921")
  }

  @Test("with a placeholder of the publisher's for a code loads, and says which")
  func placeholder() throws {
    let desk = try Desk()
    try Loaded.unzip(
      try Samples.make(formats: ["csv"], rows: 60, release: "2025D"), into: desk.path("RVU25D"))
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: desk.path("RVU25D")).first {
        $0.hasPrefix("PPRRVU")
      })
    try desk.edit("RVU25D/\(file)", "\r\n10004,", to: "\r\nGXXX1,")
    let run = try desk.load("cms-rvu", "RVU25D", options: ["--format", "json"])
      .succeeded(saying: "hcpcs: 1 values are odd, and were loaded as they are: GXXX1 (1)")
    #expect(try run.at("gates/rule=odd-values-pprrvu/found") == "1")
    #expect(try desk.value("SELECT count(*) FROM cms.rvu WHERE hcpcs = 'GXXX1'") == "1")
  }
}
