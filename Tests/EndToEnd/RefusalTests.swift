import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Broken files are refused with 3 and their place, and nothing of them is published. What each rule finds is
/// proven in `ControlTests`, what each file breaks in `RecordsTests`.
@Suite("A broken bundle")
struct RefusalTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  /// The folder of the sample's files, some of them changed.
  private func bundle(_ change: (inout Control.Files) throws -> Void) throws -> String {
    var files = try Control.Files(Sample.path)
    try change(&files)
    try files.write(to: desk.scratch, "RVU25D")
    return desk.path("RVU25D")
  }

  /// Runs a bundle, which must be refused in one sentence.
  private func refused(
    _ path: String, _ pipeline: String = "cms-rvu", options: [String] = []
  ) throws -> Program.Outcome {
    let outcome = try desk.load(pipeline, path, options: ["--format", "json"] + options).failed(3)
    let said = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("rivulet: ") }
    #expect(said.count == 1, "\(outcome.errors)")
    #expect(try outcome.at("error/code") == "3")
    return outcome
  }

  private func expectNothingPublished() throws {
    let left = """
      SELECT (SELECT count(*) FROM cms.rvu) + (SELECT count(*) FROM cms.gpci)
        + (SELECT count(*) FROM rivulet.release) + (SELECT count(*) FROM pg_class WHERE relname ~ '_2025d_')
      """
    #expect(try desk.value(left) == "0")
  }

  @Test("that is not what its name says is refused in one sentence")
  func files() throws {
    // The flag of encryption in each header, local and of the directory.
    var encrypted = try [UInt8](Data(contentsOf: URL(filePath: Samples.make(rows: 60))))
    for place in encrypted.indices.dropLast(10) where encrypted[place...].starts(with: [0x50, 0x4B]) {
      if encrypted[(place + 2)...].starts(with: [3, 4]) { encrypted[place + 6] |= 1 }
      if encrypted[(place + 2)...].starts(with: [1, 2]) { encrypted[place + 8] |= 1 }
    }
    try Workbook.write([["HCPCS"]], to: desk.path("a.xlsx"))
    let workbook = try [UInt8](Data(contentsOf: URL(filePath: desk.path("a.xlsx"))))
    let table = "RVU25D/PPRRVU2025_Oct."
    for (number, (name, bytes, words)) in [
      ("RVU25D.zip", encrypted, "is encrypted. Unpack it with its password"),
      (table + "xlsx", Array("HCPCS,MOD\n".utf8), "has the name of an .xlsx workbook but is"),
      (table + "csv", workbook, "has the name of a text file but is a workbook or an archive"),
      (
        table + "csv", Array("<html><body>Sign in</body></html>".utf8),
        "has the name of a text file but is a web page"
      ),
      (
        "RVU25D.zip", Array("<!DOCTYPE html><html><body>Page not found</body></html>".utf8),
        "has the name of an archive but is a web page"
      ),
      ("RVU25D.zip", [], "the archive holds no file"),
    ].enumerated() {
      try desk.scratch.write("\(number)/\(name)", bytes: bytes)
      let path = desk.path("\(number)/" + name.split(separator: "/")[0])
      try refused(path, options: ["--allow-missing"]).failed(3, saying: words)
    }
    try expectNothingPublished()
    // Another dataset is named in the document of the error, and once in its sentence.
    let path = desk.path("other/RVU25D")
    try desk.scratch.write("other/RVU25D/other.csv", "a,b\n")
    let other = try refused(path)
    #expect(try other.at("error/file") == path && other.errors.components(separatedBy: path).count == 2)
    #expect(try refused(path, "cms-hcpcs").errors.components(separatedBy: "HCPC*ANWEB*").count == 2)
  }

  @Test("whose archive is damaged is a line of the ledger that says so, and where")
  func damaged() throws {
    let zip = try Samples.make(rows: 4000)
    var bytes = try Data(contentsOf: URL(filePath: zip))
    // In the middle of the first entry, the largest: beyond its header, and before the directory.
    bytes[bytes.startIndex + 40_000] ^= 0xff
    try bytes.write(to: URL(filePath: zip))
    let run = try desk.load("cms-rvu", zip).failed(3)
    #expect(
      run.errors.split(separator: "\n").filter { $0.contains("damaged") || $0.hasPrefix(".") }.count == 1)
    #expect(
      try desk.value(
        "SELECT state || ' ' || coalesce(substring(error FROM 'entry PPRRVU.*archive is damaged'), error) FROM rivulet.run"
      ) == "refused entry PPRRVU2025_Oct.csv: the archive is damaged")
    try expectNothingPublished()
  }

  @Test("has its record refused with its place and value, and is published without it where that is allowed")
  func rejects() throws {
    let path = try bundle { try $0.set("PPRRVU", "99213,", 5, "1.2.3-shown") }
    let number = try #require(
      try desk.text(of: "RVU25D/PPRRVU2025_Oct.csv").components(separatedBy: "\r\n").firstIndex {
        $0.hasPrefix("99213,")
      }.map { $0 + 1 })
    let outcome = try refused(path).failed(
      3, saying: "1 not-a-decimal in work_rvu of pprrvu",
      "PPRRVU2025_Oct.csv:\(number), work_rvu: the value is not a plain decimal", "'1.2.3-shown'")
    #expect(try outcome.at("error/file", "error/line") == "\(path)/PPRRVU2025_Oct.csv \(number)")
    try expectNothingPublished()
    let kept = """
      SELECT line || ' ' || column_name || ' ' || rule || ' ' || value || ' '
        || (convert_from(raw, 'UTF8') LIKE '99213,%shown%') FROM rivulet.reject
      """
    #expect(try desk.value(kept) == "\(number) work_rvu not-a-decimal 1.2.3-shown true")
    // The ledger of runs is for more people than the quarantine.
    #expect(try desk.value("SELECT state || (error LIKE '%shown%') FROM rivulet.run") == "refusedfalse")

    let allowed = try desk.load("cms-rvu", path, options: ["--max-rejects", "1", "--format", "json"])
      .succeeded()
    let counts = ["read", "loaded", "rejected"].map { "sources/0/records_" + $0 }
    #expect(try counts.map { try allowed.at($0) } == ["400", "399", "1"])
    #expect(try desk.value("SELECT count(*) FROM cms.rvu") == "399")
  }

  @Test("is refused with the file and line of an example, the rule in words, and how to go on as a hint")
  func hints() throws {
    func line(_ start: String, of entry: String) throws -> Int {
      let lines = try desk.text(of: "RVU25D/" + entry).components(separatedBy: "\r\n")
      return try #require(lines.firstIndex { $0.hasPrefix(start) }) + 1
    }
    func hint(_ change: (inout Control.Files) throws -> Void, _ words: () throws -> [String]) throws -> String
    {
      let outcome = try refused(bundle(change))
      let message = try outcome.at("error/message")
      for word in try words() { #expect(message.contains(word), "'\(word)': \(message)") }
      let hint = try outcome.at("error/hint")
      #expect(outcome.errors.contains(hint), "\(outcome.errors)")
      return hint
    }
    let file = "RVU25D/PPRRVU2025_Oct.csv"
    let rejected = try hint({ try $0.set("PPRRVU", "99213,", 5, "1.2.3") }) { ["not-a-decimal", file] }
    #expect(rejected.contains("--max-rejects 1") && rejected.contains("rivulet rejects list "), "\(rejected)")
    // Both of the lines that share a key.
    let doubled = try hint({ try $0.double("PPRRVU", "99213,") }) {
      let first = try line("99213,", of: "PPRRVU2025_Oct.csv")
      let all = try desk.text(of: file).components(separatedBy: "\r\n")
      let second = try #require(all.lastIndex { $0.hasPrefix("99213,") }) + 1
      return ["unique-key-pprrvu: 1 found, first in line \(first), \(second) of ", file, "hcpcs, modifier"]
    }
    #expect(doubled.contains("cannot be accepted"), "\(doubled)")
    let sums = try hint({ try $0.set("PPRRVU", "10004,", 12, "99.99") }) {
      ["first in line \(try line("10004,", of: "PPRRVU2025_Oct.csv")) of ", file]
    }
    #expect(sums.contains("--accept totals-add-up"), "\(sums)")
    try expectNothingPublished()
  }

  @Test("of a wrong or an unknown release, or without a table, is answered with the option to use")
  func options() throws {
    let path = try bundle { _ in }
    let wrong = try desk.load("cms-rvu", path, options: ["--release", "2025Z", "--format", "json"]).failed(2)
    #expect(try wrong.at("error/hint") == "name the release with --release, such as --release 2025D")
    try FileManager.default.removeItem(atPath: path + "/GPCI2025.csv")
    #expect(try refused(path).at("error/hint").contains("--allow-missing"))
    let unknown = try refused(Samples.make(quirks: ["missing-column"], rows: 60))
    #expect(try unknown.at("error/hint").contains("rivulet pipelines new --from"))
    #expect(try unknown.at("error/message").split(separator: "\n").count <= 11)
    // The last line of the header.
    #expect(try unknown.at("error/message").contains("line 10 comes nearest"))
    #expect(try unknown.at("error/line") == "10")
  }

  @Test("that was cut off is refused, and its last record is no footnote")
  func cutOff() throws {
    for (entry, share) in [
      ("GPCI2025.csv", 0.6), ("GPCI2025.csv", 0.97), ("PPRRVU2025_Oct.csv", 0.5), ("ANES2025.csv", 0.7),
    ] {
      let path = try bundle { files in
        try files.change(entry) { lines in
          // In the middle of the first field of a record.
          lines = lines.prefix(Int(Double(lines.count) * share)) + ["152"]
        }
      }
      _ = try refused(path)
    }
    try expectNothingPublished()
  }

  /// A bundle with two oddities.
  private func oddBundle() throws -> String {
    try bundle { files in
      try files.set("OPPSCAP", "70010,,A,10112,", 5, "0.01")
      try files.set("ANES", "10112,", 1, "97")
    }
  }

  @Test("that is odd has each oddity on a line of its own at a terminal, though there is the progress, too")
  func terminal() throws {
    let stop = try Barrier(in: desk.database)
    let started = try desk.program.start(["run", "cms-rvu", oddBundle()], typing: "")
    try #require(try stop.isReached())
    // Until the progress is shown.
    usleep(700_000)
    try stop.letGo()
    let output = try started.wait().output
    let (clear, drawn) = ("\r\u{1b}[J", "\u{1b}[?7l\u{1b}[2Kcms-rvu 2025D: ")
    #expect(output.contains("\r\(drawn)"), "\(output)")
    let before = output.components(separatedBy: "warning: ").dropLast()
    #expect(before.count > 1 && before.allSatisfy { $0.hasSuffix(clear) }, "\(output)")
    // It is shown again, and is gone at the end.
    #expect(output.contains("\r\n\(drawn)"), "\(output)")
    let last = try #require(output.range(of: drawn, options: .backwards))
    #expect(output[last.upperBound...].contains(clear), "\(output)")
  }

  @Test("that is odd but harmless is published with a warning of each oddity")
  func warnings() throws {
    let path = try oddBundle()
    try desk.load("cms-rvu", path).succeeded(
      saying: "warning: published-prices-agree", "warning: anesthesia-localities-match")
    #expect(
      try desk.value(
        """
        SELECT count(*) FROM rivulet.gate_result
        WHERE rule IN ('published-prices-agree', 'anesthesia-localities-match') AND found > 0
        """) == "2")
  }
}
