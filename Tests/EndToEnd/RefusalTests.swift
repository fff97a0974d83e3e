import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Broken files are refused with 3 and their place, and nothing of them is published. What each rule finds is
/// proven in `ControlTests`, what each file breaks in `RecordsTests`.
@Suite("A broken bundle")
struct RefusalTests {
  private let database: TestDatabase
  private let program: Program
  private let scratch: Scratch

  init() throws {
    (database, program) = try Loaded.migrated()
    scratch = try Scratch()
  }

  /// The folder of the sample's files, some of them changed.
  private func bundle(_ change: (inout Control.Files) throws -> Void) throws -> String {
    var files = try Control.Files(Sample.path)
    try change(&files)
    try files.write(to: scratch, "RVU25D")
    return scratch.path + "/RVU25D"
  }

  /// Runs a bundle, which must be refused in one sentence; gives that, and the error's document.
  private func refused(_ path: String, _ pipeline: String = "cms-rvu", options: [String] = []) throws -> (
    sentence: String, error: [String: Any]
  ) {
    let outcome = try program.run(["run", pipeline, path, "--format", "json"] + options).failed(3)
    let said = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("rivulet: ") }
    #expect(said.count == 1, "\(outcome.errors)")
    let error = try #require(try outcome.object()["error"] as? [String: Any], "\(outcome.output)")
    #expect(error["code"] as? Int == 3)
    return (outcome.errors, error)
  }

  private func expectNothingPublished() throws {
    let left = """
      SELECT (SELECT count(*) FROM cms.rvu) + (SELECT count(*) FROM cms.gpci)
        + (SELECT count(*) FROM rivulet.release) + (SELECT count(*) FROM pg_class WHERE relname ~ '_2025d_')
      """
    #expect(try database.value(left) == "0")
  }

  /// What is wrong with a file, and what must be said of it.
  enum Fault: String, CaseIterable {
    case password, renamedCSV, renamedWorkbook, webPage, webPageCSV, empty

    var words: String {
      switch self {
      case .password: "is encrypted. Unpack it with its password"
      case .renamedCSV: "has the name of an .xlsx workbook but is"
      case .renamedWorkbook: "has the name of a text file but is a workbook or an archive"
      case .webPageCSV: "has the name of a text file but is a web page"
      case .webPage: "has the name of an archive but is a web page"
      case .empty: "the archive holds no file"
      }
    }
  }

  @Test("that is not what its name says is refused in one sentence")
  func files() throws {
    for fault in Fault.allCases {
      let (sentence, _) = try refused(try make(fault), options: ["--allow-missing"])
      #expect(sentence.contains(fault.words), "\(fault): \(sentence)")
    }
    try expectNothingPublished()
  }

  /// Makes the file and gives its path, or that of its folder.
  private func make(_ fault: Fault) throws -> String {
    func write(_ bytes: some Sequence<UInt8>, _ name: String = "RVU25D.zip") throws -> String {
      try scratch.write("\(fault)/\(name)", bytes: Array(bytes))
    }
    func table(_ bytes: some Sequence<UInt8>, ending: String = "csv") throws -> String {
      _ = try write(bytes, "RVU25D/PPRRVU2025_Oct." + ending)
      return scratch.path + "/\(fault)/RVU25D"
    }
    switch fault {
    case .password:
      // The flag of encryption in each header, local and of the directory.
      var bytes = try [UInt8](Data(contentsOf: URL(filePath: Samples.make(rows: 60))))
      for place in bytes.indices.dropLast(10) where bytes[place] == 0x50 && bytes[place + 1] == 0x4B {
        if bytes[place + 2] == 3, bytes[place + 3] == 4 { bytes[place + 6] |= 1 }
        if bytes[place + 2] == 1, bytes[place + 3] == 2 { bytes[place + 8] |= 1 }
      }
      return try write(bytes)
    case .renamedCSV: return try table("HCPCS,MOD\n".utf8, ending: "xlsx")
    case .renamedWorkbook:
      try Workbook.write([["HCPCS"]], to: scratch.path + "/a.xlsx")
      return try table(Data(contentsOf: URL(filePath: scratch.path + "/a.xlsx")))
    case .webPageCSV: return try table("<html><body>Sign in</body></html>".utf8)
    case .webPage: return try write("<!DOCTYPE html><html><body>Page not found</body></html>".utf8)
    case .empty: return try write([])
    }
  }

  @Test("is named in the document of the error, and once in its sentence")
  func path() throws {
    try scratch.write("RVU25D/other.csv", "a,b\n")
    let path = scratch.path + "/RVU25D"
    let (sentence, error) = try refused(path)
    #expect(error["file"] as? String == path && sentence.components(separatedBy: path).count == 2)
    #expect(try refused(path, "cms-hcpcs").sentence.components(separatedBy: "HCPC*ANWEB*").count == 2)
    // Before a server is asked.
    let alone = Program(database: "host=nowhere")
    let unknown = try Samples.make(quirks: ["missing-column"], rows: 60)
    for (arguments, status, member, value) in [
      ([path + "/absent.zip"], 6, "file", path + "/absent.zip"),
      ([unknown], 3, "file", unknown + ", entry "),
      ([try Samples.make(rows: 60), "--release", "2025Z"], 2, "kind", "usage"),
    ] as [([String], Int32, String, String)] {
      let outcome = try alone.run(["run", "cms-rvu"] + arguments + ["--format", "json"])
      let error = try #require(try outcome.object()["error"] as? [String: Any])
      #expect(outcome.status == status && error["code"] as? Int == Int(status), "\(outcome.errors)")
      #expect((error[member] as? String)?.hasPrefix(value) == true, "\(error)")
    }
  }

  @Test("has its record refused with its place and value, and is published without it where that is allowed")
  func rejects() throws {
    let path = try bundle { try $0.set("PPRRVU", "99213,", 5, "1.2.3-shown") }
    let (sentence, error) = try refused(path)
    let text = try String(contentsOfFile: path + "/PPRRVU2025_Oct.csv", encoding: .utf8)
    let number = try #require(
      text.components(separatedBy: "\r\n").firstIndex { $0.hasPrefix("99213,") }.map { $0 + 1 })
    #expect(error["file"] as? String == path + "/PPRRVU2025_Oct.csv" && error["line"] as? Int == number)
    for words in [
      "1 not-a-decimal in work_rvu of pprrvu",
      "PPRRVU2025_Oct.csv:\(number), work_rvu: the value is not a plain decimal", "'1.2.3-shown'",
    ] { #expect(sentence.contains(words), "\(sentence)") }
    try expectNothingPublished()
    let kept = """
      SELECT line || ' ' || column_name || ' ' || rule || ' ' || value || ' '
        || (convert_from(raw, 'UTF8') LIKE '99213,%shown%') FROM rivulet.reject
      """
    #expect(try database.value(kept) == "\(number) work_rvu not-a-decimal 1.2.3-shown true")
    // The ledger of runs is for more people than the quarantine.
    #expect(try database.value("SELECT state || (error LIKE '%shown%') FROM rivulet.run") == "refusedfalse")

    let allowed = try program.run("run", "cms-rvu", path, "--max-rejects", "1", "--format", "json")
      .succeeded()
    let source = try #require((try allowed.object()["sources"] as? [[String: Any]])?.first)
    #expect(["read", "loaded", "rejected"].map { source["records_\($0)"] as? Int } == [400, 399, 1])
    #expect(try database.value("SELECT count(*) FROM cms.rvu") == "399")
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

  @Test("that is odd but harmless is published with a warning of each oddity")
  func warnings() throws {
    let path = try bundle { files in
      try files.set("OPPSCAP", "70010,,A,10112,", 5, "0.01")
      try files.set("ANES", "10112,", 1, "97")
    }
    let outcome = try program.run("run", "cms-rvu", path).succeeded()
    for rule in ["published-prices-agree", "anesthesia-localities-match"] {
      #expect(outcome.errors.contains("warning: \(rule)"), "\(outcome.errors)")
      #expect(try database.value("SELECT found > 0 FROM rivulet.gate_result WHERE rule = '\(rule)'") == "t")
    }
  }
}
