import Foundation
import TestSupport
import Testing

@Suite("Corrected records")
struct ReplayTests {
  /// A dataset with a run that has refused records, and their export.
  private struct Refused {
    let own: OwnDataset
    /// What was exported.
    let text: String

    var path: String { own.scratch.path + "/fixed" }

    init(_ file: String, _ source: String) throws {
      own = try OwnDataset()
      try own.scratch.write("items25a/" + file, source)
      try own.run("items25a", options: ["--max-rejects", "100%"]).succeeded()
      try own.command("rejects", "export", "1", "-o", own.scratch.path + "/fixed").succeeded()
      text = try String(contentsOfFile: own.scratch.path + "/fixed", encoding: .utf8)
    }

    /// Replays the export with one text in place of another.
    func replay(_ old: String = "", _ new: String = "", options: String...) throws -> Program.Outcome {
      try #require(old.isEmpty || text.contains(old), "\(text)")
      try own.scratch.write("fixed", old.isEmpty ? text : text.replacing(old, with: new))
      return try own.program.run(["rejects", "replay", "1", path, "--project", own.scratch.path] + options)
    }
  }

  private func words(_ own: OwnDataset, of release: String = "2025A") throws -> String? {
    try own.database.value(
      "SELECT string_agg(code || '=' || words, '|' ORDER BY code) FROM own.item WHERE release = '\(release)'")
  }

  @Test("are in their export as in their source, and are published when they are corrected")
  func exotic() throws {
    let header = OwnDataset.header
    let quoted = "b,3,\"two, \"\"or\"\"\nmore\",x,,n"
    let wide = Array((header + "a,3,one,1,,m\nb,3,zwei \u{E4}\u{1F600},x,,n\n").utf16)
    let cases: [(name: String, source: [UInt8], raw: [UInt8], corrected: String)] = [
      (
        "quotes and line ends", Array((header + "a,3,one,1,,m\r\n" + quoted + "\r\n").utf8),
        Array(quoted.utf8), "two, \"or\" more"
      ),
      (
        "Windows-1252", Array((header + "a,3,one,1,,m\nb,3,zw").utf8) + [0x80, 0xE4] + Array(",x,,n\n".utf8),
        Array("b,3,zw".utf8) + [0x80, 0xE4] + Array(",x,,n".utf8), "zw\u{20AC}\u{E4}"
      ),
      (
        "UTF-16", [0xFF, 0xFE] + wide.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
        Array("b,3,zwei \u{E4}\u{1F600},x,,n".utf8), "zwei \u{E4}\u{1F600}"
      ),
    ]
    let own = try OwnDataset()
    for (number, (name, source, raw, corrected)) in cases.enumerated() {
      let folder = "items2\(number + 5)a"
      try own.scratch.write(folder + "/ITEM.csv", bytes: source)
      #expect(try own.run(folder, options: ["--max-rejects", "1"]).status == 0, "\(name)")
      let run = "\(2 * number + 1)"
      let path = own.scratch.path + "/fixed.csv"
      #expect(try own.command("rejects", "export", run, "-o", path).status == 0)
      var bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let mark: [UInt8] = name == "UTF-16" ? [0xEF, 0xBB, 0xBF] : []
      let head = mark + Array(("rivulet_reason," + header + "\"line 3, price: not-a-decimal\",").utf8)
      #expect(bytes == head + raw + [0x0A], "\(name)")
      let place = try #require(bytes.lastIndex(of: UInt8(ascii: "x")))
      bytes[place] = UInt8(ascii: "2")
      try own.scratch.write("fixed.csv", bytes: bytes)
      try own.command("rejects", "replay", run, path).succeeded()
      #expect(try words(own, of: "202\(number + 5)A") == "a=one|b=\(corrected)", "\(name)")
    }
    #expect(
      try own.database.value("SELECT string_agg(code || price, ' ' ORDER BY release, code) FROM own.price")
        == "a1.00 b2.00 a1.00 b2.00 a1.00 b2.00")
  }

  @Test("of fixed-width text keep their places, and have their reasons beside them")
  func fixedWidth() throws {
    let lines = [
      "a   3one            1                   m", "b   3two            x                   n",
      "c   3three          y                   o", "d   3four", "e   3five           1                   p",
      "f   3six            1                   q", "g   3seven          1                   r",
    ]
    let refused = try Refused("ITEM.txt", lines.joined(separator: "\r\n") + "\r\n")
    #expect(refused.text == lines[1...3].joined(separator: "\n") + "\n")
    #expect(
      try String(contentsOfFile: refused.path + ".reasons.csv", encoding: .utf8)
        == """
        line,rivulet_reason
        1,"line 2, price: not-a-decimal"
        2,"line 3, price: not-a-decimal"
        3,"line 4: shorter-than-layout"

        """)
    // As it is, no record of it is as the layout says.
    let same = try refused.replay(options: "--max-rejects", "3", "--dry-run")
    #expect(same.status == 0, "\(same.errors)")
    let replay = try refused.replay("x     ", "7     ", options: "--max-rejects", "2", "--format", "json")
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(try words(refused.own) == "a=one|b=two|e=five|f=six|g=seven")
    // What is refused again can be corrected again.
    let number = "\(try #require(try replay.object()["run"] as? Int))"
    let again = refused.own.scratch.path + "/again.txt"
    #expect(try refused.own.command("rejects", "export", number, "-o", again).status == 0)
    #expect(
      try String(contentsOfFile: again, encoding: .utf8) == lines[2] + "\n" + lines[3] + "\n")
    try refused.own.scratch.write("again.txt", lines[2].replacing("y", with: "8") + "\n")
    #expect(
      try refused.own.command("rejects", "replay", "1", again).errors.contains(
        "rejects replay \(number) FILE"))
    let last = try refused.own.command("rejects", "replay", number, again)
    #expect(last.status == 0, "\(last.errors)")
    #expect(try words(refused.own) == "a=one|b=two|c=three|e=five|f=six|g=seven")
    #expect(
      try refused.own.run("items25a", options: ["--max-rejects", "100%"]).output.contains("is unchanged"))
  }

  @Test("bring those that continue them; that come twice, or are there already, they change nothing")
  func twice() throws {
    let refused = try Refused(
      "ITEM.csv", OwnDataset.header + "a,3,one,x,,m\na,4,\"t\nwo\",,,\na,4,three,,,\nb,3,four,1,,n\n")
    let reason = "\"line 2, price: not-a-decimal\","
    #expect(
      refused.text
        == "rivulet_reason," + OwnDataset.header + reason + "a,3,one,x,,m\n" + reason + "a,4,\"t\nwo\",,,\n"
        + reason + "a,4,three,,,\n")
    for wrong in [
      "c,3,one,1,,o\n,c,3,one,1,,p\n,a,3,one,1,,m", "b,3,one,1,,m\n,a,3,one,1,,o", "a,3,one,1,,n",
    ] {
      let replay = try refused.replay("a,3,one,x,,m", wrong)
      #expect(replay.status == 3, "\(wrong): \(replay.errors)")
      #expect(replay.errors.contains("unique-key-items"), "\(replay.errors)")
      #expect(try words(refused.own) == "b=four")
    }
    #expect(try refused.own.leftovers() == "0")
    let dry = try refused.replay(",x,", ",1,", options: "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("dry_run"), "\(dry.errors)")
    let staged = try refused.replay(",x,", ",1,", options: "--no-publish")
    #expect(staged.status == 0 && staged.output.contains("is staged"), "\(staged.errors)")
    #expect(try words(refused.own) == "b=four")
    #expect(try refused.own.command("releases", "publish", "items", "2025A").status == 0)
    #expect(try words(refused.own) == "a=one t wo three|b=four")
    let rollback = try refused.own.command("releases", "rollback", "items")
    #expect(rollback.status == 0, "\(rollback.errors)")
    #expect(try words(refused.own) == "b=four")
  }

  @Test("of a workbook are a csv")
  func workbook() throws {
    let own = try OwnDataset()
    try own.scratch.write(
      "Pipelines/items/pipeline.yaml",
      OwnDataset.pipeline.replacing("formats: [csv, txt]", with: "formats: [xlsx]"))
    try Workbook.write(
      [
        ["CODE", "KIND", "WORDS", "PRICE1", "PRICE2", "MARK1"], ["a", "3", "one", "1", "", "m"],
        ["b", "3", "tw\u{F6}, \"x\"", "x", "", "n"],
      ], to: own.scratch.path + "/items25a/ITEM.xlsx")
    try own.run("items25a", options: ["--max-rejects", "1"]).succeeded()
    let path = own.scratch.path + "/fixed.csv"
    #expect(try own.command("rejects", "export", "1", "-o", path).status == 0)
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(
      text == "\u{FEFF}rivulet_reason," + OwnDataset.header
        + "\"line 3, price: not-a-decimal\",b,3,\"tw\u{F6}, \"\"x\"\"\",x,,n\n")
    try own.scratch.write("fixed.csv", text.replacing(",x,", with: ",2,"))
    try own.command("rejects", "replay", "1", path).succeeded()
    #expect(try words(own) == "a=one|b=tw\u{F6}, \"x\"")
  }

  @Test("of several entries are in a folder, a file for each, and are held against the release before")
  func severalSources() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    try Loaded.unzip(Sample.path, "*.csv", into: scratch.path + "/RVU25D")
    func change(_ file: String, _ old: String, _ new: String) throws {
      let text = try String(contentsOfFile: scratch.path + "/" + file, encoding: .utf8)
      try #require(text.contains(old), "\(file)")
      try scratch.write(file, text.replacing(old, with: new))
    }
    let rvu = try String(contentsOfFile: scratch.path + "/RVU25D/PPRRVU2025_Oct.csv", encoding: .utf8)
    let code = try #require(rvu.components(separatedBy: "\r\n").first { $0.hasPrefix("99213,") })
    try change("RVU25D/PPRRVU2025_Oct.csv", code, code.replacing("99213", with: "9921#"))
    let gpci = try String(contentsOfFile: scratch.path + "/RVU25D/GPCI2025.csv", encoding: .utf8)
    let row = try #require(gpci.components(separatedBy: "\r\n").first { $0.contains(",AL,") })
    try change("RVU25D/GPCI2025.csv", row, row.replacing(".", with: "?"))
    try program.run(
      "run", "cms-rvu", Samples.make(formats: ["csv"], rows: 400, release: "2025A"), Sample.path
    ).succeeded()
    let content = """
      SELECT md5(string_agg((to_jsonb(r) - 'source_file_id' - 'source_line')::text, '|' ORDER BY hcpcs, modifier))
      FROM cms.rvu r WHERE release = '2025D'
      """
    let expected = try database.value(content)
    try program.run(
      "run", "cms-rvu", scratch.path + "/RVU25D", "--max-rejects", "2", "--format", "json"
    ).succeeded()
    #expect(try database.value(content) != expected)
    let folder = scratch.path + "/fixed"
    try program.run("rejects", "export", "3", "-o", folder).succeeded()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
        "GPCI2025.csv", "PPRRVU2025_Oct.csv",
      ])
    try change("fixed/PPRRVU2025_Oct.csv", "9921#", "99213")
    try change("fixed/GPCI2025.csv", row.replacing(".", with: "?"), row)
    try program.run("rejects", "replay", "3", scratch.path + "/RVU25D/ANES2025.csv").failed(
      2, saying: "GPCI2025.csv", "run 3 has refused records of several entries")
    // What was exported of one source can be given by itself, whatever its file is called.
    let gpci2 = scratch.path + "/gpci.csv"
    #expect(try program.run("rejects", "export", "3", "-o", gpci2, "--source", "gpci").status == 0)
    try program.run("rejects", "replay", "3", gpci2, "--dry-run", "--max-rejects", "1").succeeded()
    // Of two entries one is corrected; the export of the replay is of the other alone.
    try change("fixed/GPCI2025.csv", row, row.replacing(".", with: "?"))
    let half = try program.run("rejects", "replay", "3", folder, "--max-rejects", "1", "--format", "json")
      .succeeded()
    let number = "\(try #require(try half.object()["run"] as? Int))"
    let again = scratch.path + "/again.csv"
    #expect(try program.run("rejects", "export", number, "-o", again).status == 0)
    // Without the reasons of before.
    let exported = try String(contentsOfFile: again, encoding: .utf8)
    #expect(exported.components(separatedBy: "rivulet_reason").count == 2, "\(exported)")
    #expect(exported.components(separatedBy: "\"line ").count == 2, "\(exported)")
    try change("again.csv", row.replacing(".", with: "?"), row)
    try program.run("rejects", "replay", number, again).succeeded()
    #expect(try database.value(content) == expected)
    // Together with the rows that are there already.
    #expect(
      try database.value(
        "SELECT about FROM rivulet.gate_result WHERE rule = 'row-change-gpci' ORDER BY run DESC LIMIT 1")
        == "109 rows after 109 in 2025A, 0%; 10% is allowed")
  }

  @Test("of a release that was amended since are refused, and of the amendment itself are amended again")
  func amendments() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,old,1,,m\nb,3,old,1,,n\nc,3,old,x,,o"])
    try own.write("one", ["FIX1_25A_.csv": "a,first\n,second"])
    #expect(try own.run("items25a", options: ["--max-rejects", "1"]).status == 0)
    #expect(try own.command("rejects", "export", "1", "-o", own.scratch.path + "/items.csv").status == 0)
    #expect(try own.run("one", options: ["--max-rejects", "1"]).status == 0)
    #expect(try words(own) == "a=first|b=old")
    try own.scratch.write("items.csv", OwnDataset.header + "c,3,old,1,,o\n")
    try own.command("rejects", "replay", "1", own.scratch.path + "/items.csv").failed(3, saying: "run 2 did")
    let path = own.scratch.path + "/fix.csv"
    #expect(try own.command("rejects", "export", "2", "-o", path).status == 0)
    try own.scratch.write(
      "fix.csv", try String(contentsOfFile: path, encoding: .utf8).replacing("\",,", with: "\",b,"))
    try own.command("rejects", "replay", "2", path).succeeded()
    #expect(try words(own) == "a=first|b=second")
    // Records that are numbered go on where those that were loaded end.
    #expect(
      try own.database.value("SELECT string_agg(row || code, ' ' ORDER BY row) FROM own.fix") == "1a 2b")
    for folder in ["one", "items25a"] {
      let run = try own.run(folder, options: ["--max-rejects", "1"])
      #expect(
        run.status == 0 && run.output.contains("is unchanged"), "\(folder): \(run.output) \(run.errors)")
    }
    try own.write("both/items25b", ["ITEM.csv": "a,3,old,1,,m\nb,3,old,x,,n", "FIX1_25B_.csv": "a,first"])
    let both = try own.run("both/items25b", options: ["--max-rejects", "1", "--format", "json"]).succeeded()
    let number = "\(try #require(try both.object()["run"] as? Int))"
    try own.scratch.write("items.csv", OwnDataset.header + "b,3,old,1,,n\n")
    try own.command("rejects", "replay", number, own.scratch.path + "/items.csv").failed(
      3, saying: "together with FIX1_25B_.csv")
  }

  @Test("do not take from above what a record of theirs leaves blank")
  func fillDown() throws {
    let own = try OwnDataset()
    try own.changeLayout(
      "csv: WORDS, at: 6-20, type: line}", to: "csv: WORDS, at: 6-20, type: line, fill: down}")
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m\nb,3,,x,,n\nc,3,three,x,,o\nd,3,,x,,p"])
    #expect(try own.run("items25a", options: ["--max-rejects", "3"]).status == 0)
    let path = own.scratch.path + "/fixed.csv"
    #expect(try own.command("rejects", "export", "1", "-o", path).status == 0)
    let text = try String(contentsOfFile: path, encoding: .utf8).replacing(",x,", with: ",1,")
    try own.scratch.write("fixed.csv", text)
    let replay = try own.command("rejects", "replay", "1", path, "--max-rejects", "2").succeeded()
    #expect(replay.errors.contains("required in words"), "\(replay.errors)")
    #expect(try words(own) == "a=one|c=three")
  }
}
