import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Files that are made to do harm, as a download from anywhere may be.
@Suite("A hostile file")
struct HostileFileTests {
  /// One record feeds many tables.
  private static let most = 96 << 20

  /// A file, or a folder of them, and how the program refuses it.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What is loaded, by its name in the folder.
    let file: String
    let status: Int32
    /// What the program says of it.
    let words: [String]
    let make: @Sendable (HostileFiles) throws -> Void

    init(
      _ what: String, _ file: String, _ status: Int32 = 3, saying words: String...,
      make: @escaping @Sendable (HostileFiles) throws -> Void
    ) {
      (testDescription, self.file, self.status, self.words, self.make) = (what, file, status, words, make)
    }
  }

  @Test("is refused in a sentence and in little memory", arguments: archives + workbooks + files)
  func refused(_ case: Case) throws { try expectRefused(`case`) }

  @Test("is refused in as little memory where it is huge", arguments: huge)
  func refusedHuge(_ case: Case) throws { try expectRefused(`case`) }

  private func expectRefused(_ case: Case) throws {
    let (own, files) = (
      try OwnProject(HostileFiles.project, on: HostileFiles.migrated.get()), try HostileFiles()
    )
    try `case`.make(files)
    let path =
      `case`.file == "."
      ? files.path : `case`.file.hasPrefix("/") ? `case`.file : files.path + "/" + `case`.file
    let words = ["run", "items", path, "--release", "2025A", "--progress", "none"]
    var (outcome, peak) = try own.program.start(words + own.project).waitMeasuring()
    // On a busy machine it may have ended before it was looked at.
    for _ in 1...10 where peak == 0 {
      (outcome, peak) = try own.program.start(words + own.project).waitMeasuring()
    }
    #expect(outcome.status == `case`.status, "\(outcome.errors)")
    for word in `case`.words + [path] { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    #expect(
      !outcome.errors.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    #expect(peak > 1 << 20 && peak < Self.most, "\(peak >> 20) MB")
    #expect(try own.value("SELECT count(*) FROM own.item") == "0")
  }

  @Test("whose entries have paths is loaded, and nothing is written anywhere")
  func paths() throws {
    let (own, files) = (
      try OwnProject(HostileFiles.project, on: HostileFiles.migrated.get()), try HostileFiles()
    )
    for (release, name) in ["2025A": "../../ITEM-up.csv", "2025B": files.path + "/ITEM-absolute.csv"] {
      try files.forge("\(release).zip", [(name, "CODE,WORDS\na,one\n")])
      try own.load("items", files.path + "/\(release).zip", options: ["--release", release]).succeeded()
      #expect(try own.value("SELECT words FROM own.item WHERE release = '\(release)'") == "one")
    }
    // Whatever the locale is.
    try files.forge("2025C.zip", [("\u{d1}and\u{fa}/ITEM-\u{e9}.csv", "CODE,WORDS\na,one\n")])
    try own.load("items", files.path + "/2025C.zip", options: ["--release", "2025C"]).succeeded()
    let entry = "SELECT entry FROM rivulet.source_file WHERE run = (SELECT max(run) FROM rivulet.run)"
    #expect(try own.value(entry) == "\u{d1}and\u{fa}/ITEM-\u{e9}.csv")
    for place in [SharedData.project + "/../../ITEM-up.csv", files.path + "/ITEM-absolute.csv"] {
      #expect(!FileManager.default.fileExists(atPath: place))
    }
  }

  @Test("whose workbook names other files is loaded, and they are not looked at")
  func externalLinks() throws {
    let (own, files) = (
      try OwnProject(HostileFiles.project, on: HostileFiles.migrated.get()), try HostileFiles()
    )
    let related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    let links = [("externalLink", "http://127.0.0.1:9/x.xlsx"), ("worksheet", "file:///etc/passwd")]
    try files.workbook(
      "ITEM.xlsx",
      links: links.map {
        "<Relationship Id=\"\($0.0)\" Type=\"\(related)/\($0.0)\" Target=\"\($0.1)\""
          + " TargetMode=\"External\"/>"
      }.joined())
    try own.load("items", files.path + "/ITEM.xlsx", options: ["--release", "2025A"]).succeeded()
    #expect(try own.value("SELECT string_agg(code || words, ' ') FROM own.item") == "aone")
  }

  @Test("that grows, or is another, once its digest is known is not published", arguments: [true, false])
  func changed(grows: Bool) throws {
    let (own, files) = (
      try OwnProject(HostileFiles.project, on: HostileFiles.migrated.get()), try HostileFiles()
    )
    let path = try files.write("ITEM.csv", "CODE,WORDS\na,one\n")
    // The load waits for this lock, after the file was looked at first.
    let other = try own.database.connect()
    try other.execute("BEGIN; LOCK TABLE own.item IN ACCESS EXCLUSIVE MODE")
    let run = try own.program.start(["run", "items", path, "--release", "2025A"] + own.project)
    try #require(try own.database.findsWaiter(forTable: "own.item"))
    if grows {
      try files.write("ITEM.csv", "CODE,WORDS\na,one\nb,two\n")
    } else {
      try files.write("other", "CODE,WORDS\na,two\n")
      try Shell.run("mv", "other", "ITEM.csv", in: files.path)
    }
    try other.execute("ROLLBACK")
    try run.wait().failed(6, saying: path, "was changed while it was read")
    #expect(try own.value("SELECT count(*) FROM own.item") == "0")
  }

  @Test("that is a definition or a migration is refused, and not waited for")
  func definitions() throws {
    let own = try OwnProject(HostileFiles.project, on: HostileFiles.migrated.get())
    let layout = "Pipelines/items/layouts/items.yaml"
    let good = try own.text(of: layout)
    let lists = (1..<30).map {
      "l\($0): &l\($0) [\(repeatElement("*l\($0 - 1)", count: 9).joined(separator: ","))]"
    }
    try own.scratch.write(layout, (["l0: &l0 [a]"] + lists).joined(separator: "\n"))
    try own.command("pipelines", "check").failed(2, saying: layout + ":1:5", "anchors")
    for command in ["mkfifo \(layout)", "ln -s /dev/zero \(layout)", "truncate -s 10G \(layout)"] {
      try Shell.run("sh", "-c", "rm \(layout); \(command)", in: own.scratch.path)
      let (outcome, peak) = try own.program.start(["pipelines", "check"] + own.project).waitMeasuring()
      #expect(
        outcome.failed(2, saying: layout).errors.contains(command.hasPrefix("tr") ? "larger" : "a pipe or"))
      #expect(peak < Self.most)
    }
    try own.scratch.write(layout + ".new", good)
    try Shell.run("mv", layout + ".new", layout, in: own.scratch.path)
    try Shell.run("mkfifo", "Migrations/0002_b.sql", in: own.scratch.path)
    let refused = try own.command("migrate", "up")
    #expect(refused.status != 0 && refused.errors.contains("0002_b.sql': it is a pipe"), "\(refused.errors)")
  }
}
