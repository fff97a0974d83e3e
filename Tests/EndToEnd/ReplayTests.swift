import Foundation
import TestSupport
import Testing

@Suite("Corrected records")
struct ReplayTests {
  /// A dataset with a run that has refused records, which are exported to `fixed`.
  private func refused(_ file: String, _ source: String) throws -> OwnDataset {
    let own = try OwnDataset()
    try own.scratch.write("items25a/" + file, source)
    try own.run("items25a", options: ["--max-rejects", "100%"]).succeeded()
    try export(own)
    return own
  }

  private func export(_ own: OwnDataset, _ run: String = "1", to file: String = "fixed") throws {
    try own.command("rejects", "export", run, "-o", own.path(file), "--force").succeeded()
  }

  private func replay(
    _ own: OwnDataset, _ run: String = "1", _ file: String = "fixed", _ options: String...
  ) throws -> Program.Outcome {
    try own.command("rejects", "replay", run, own.path(file), options: options)
  }

  private func words(_ own: OwnDataset, of release: String = "2025A") throws -> String? {
    try own.value(
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
      try own.run(folder, options: ["--max-rejects", "1"]).succeeded()
      let run = "\(2 * number + 1)"
      try export(own, run)
      var bytes = Array(try Data(contentsOf: URL(filePath: own.path("fixed"))))
      let mark: [UInt8] = name == "UTF-16" ? [0xEF, 0xBB, 0xBF] : []
      let head = mark + Array(("rivulet_reason," + header + "\"line 3, price: not-a-decimal\",").utf8)
      #expect(bytes == head + raw + [0x0A], "\(name)")
      let place = try #require(bytes.lastIndex(of: UInt8(ascii: "x")))
      bytes[place] = UInt8(ascii: "2")
      try own.scratch.write("fixed", bytes: bytes)
      try replay(own, run).succeeded()
      #expect(try words(own, of: "202\(number + 5)A") == "a=one|b=\(corrected)", "\(name)")
    }
    #expect(
      try own.value("SELECT string_agg(code || price, ' ' ORDER BY release, code) FROM own.price")
        == "a1.00 b2.00 a1.00 b2.00 a1.00 b2.00")
  }

  @Test("of fixed-width text keep their places, and have their reasons beside them")
  func fixedWidth() throws {
    let lines = [
      "a   3one            1                   m", "b   3two            x                   n",
      "c   3three          y                   o", "d   3four", "e   3five           1                   p",
      "f   3six            1                   q", "g   3seven          1                   r",
    ]
    let own = try refused("ITEM.txt", lines.joined(separator: "\r\n") + "\r\n")
    #expect(try own.text(of: "fixed") == lines[1...3].joined(separator: "\n") + "\n")
    #expect(
      try own.text(of: "fixed.reasons.csv")
        == """
        line,rivulet_reason
        1,"line 2, price: not-a-decimal"
        2,"line 3, price: not-a-decimal"
        3,"line 4: shorter-than-layout"

        """)
    // As it is, no record of it is as the layout says.
    try replay(own, "1", "fixed", "--max-rejects", "3", "--dry-run").succeeded()
    try own.edit("fixed", "x     ", to: "7     ")
    let half = try replay(own, "1", "fixed", "--max-rejects", "2", "--format", "json").succeeded()
    #expect(try words(own) == "a=one|b=two|e=five|f=six|g=seven")
    // What is refused again can be corrected again.
    let number = try half.at("run")
    try export(own, number, to: "again.txt")
    #expect(try own.text(of: "again.txt") == lines[2] + "\n" + lines[3] + "\n")
    try own.scratch.write("again.txt", lines[2].replacing("y", with: "8") + "\n")
    #expect(try replay(own, "1", "again.txt").errors.contains("rejects replay \(number) FILE"))
    try replay(own, number, "again.txt").succeeded()
    #expect(try words(own) == "a=one|b=two|c=three|e=five|f=six|g=seven")
    try own.run("items25a", options: ["--max-rejects", "100%"]).succeeded(showing: "is unchanged")
  }

  @Test("bring those that continue them; that come twice, or are there already, they change nothing")
  func twice() throws {
    let own = try refused(
      "ITEM.csv", OwnDataset.header + "a,3,one,x,,m\na,4,\"t\nwo\",,,\na,4,three,,,\nb,3,four,1,,n\n")
    let exported = try own.text(of: "fixed")
    let reason = "\"line 2, price: not-a-decimal\","
    #expect(
      exported
        == "rivulet_reason," + OwnDataset.header + reason + "a,3,one,x,,m\n" + reason + "a,4,\"t\nwo\",,,\n"
        + reason + "a,4,three,,,\n")
    for wrong in [
      "c,3,one,1,,o\n,c,3,one,1,,p\n,a,3,one,1,,m", "b,3,one,1,,m\n,a,3,one,1,,o", "a,3,one,1,,n",
    ] {
      try own.scratch.write("fixed", exported.replacing("a,3,one,x,,m", with: wrong))
      try replay(own).failed(3, saying: "unique-key-items")
      #expect(try words(own) == "b=four")
    }
    #expect(try own.leftovers() == "0")
    try own.scratch.write("fixed", exported.replacing(",x,", with: ",1,"))
    try replay(own, "1", "fixed", "--dry-run").succeeded(showing: "dry_run")
    try replay(own, "1", "fixed", "--no-publish").succeeded(showing: "is staged")
    #expect(try words(own) == "b=four")
    try own.command("releases", "publish", "items", "2025A").succeeded()
    #expect(try words(own) == "a=one t wo three|b=four")
    try own.command("releases", "rollback", "items").succeeded()
    #expect(try words(own) == "b=four")
  }

  @Test("of a workbook are a csv")
  func workbook() throws {
    let own = try OwnDataset()
    try own.edit("Pipelines/items/pipeline.yaml", "formats: [csv, txt]", to: "formats: [xlsx]")
    try Workbook.write(
      [
        ["CODE", "KIND", "WORDS", "PRICE1", "PRICE2", "MARK1"], ["a", "3", "one", "1", "", "m"],
        ["b", "3", "tw\u{F6}, \"x\"", "x", "", "n"],
      ], to: own.path("items25a/ITEM.xlsx"))
    try own.run("items25a", options: ["--max-rejects", "1"]).succeeded()
    try export(own)
    #expect(
      String(decoding: try Data(contentsOf: URL(filePath: own.path("fixed"))), as: UTF8.self)
        == "\u{FEFF}rivulet_reason," + OwnDataset.header
        + "\"line 3, price: not-a-decimal\",b,3,\"tw\u{F6}, \"\"x\"\"\",x,,n\n")
    try own.edit("fixed", ",x,", to: ",2,")
    try replay(own).succeeded()
    #expect(try words(own) == "a=one|b=tw\u{F6}, \"x\"")
  }

  @Test("of several entries are in a folder, a file for each, and are held against the release before")
  func severalSources() throws {
    let desk = try Desk()
    try Loaded.unzip(Sample.path, "*.csv", into: desk.path("RVU25D"))
    func line(_ file: String, where isMeant: (String) -> Bool) throws -> String {
      let line = try desk.text(of: "RVU25D/" + file).components(separatedBy: "\r\n").first(where: isMeant)
      return try #require(line)
    }
    let code = try line("PPRRVU2025_Oct.csv") { $0.hasPrefix("99213,") }
    let row = try line("GPCI2025.csv") { $0.contains(",AL,") }
    let broken = row.replacing(".", with: "?")
    try desk.edit("RVU25D/PPRRVU2025_Oct.csv", code, to: code.replacing("99213", with: "9921#"))
    try desk.edit("RVU25D/GPCI2025.csv", row, to: broken)
    try desk.load("cms-rvu", Samples.make(formats: ["csv"], rows: 400, release: "2025A"), Sample.path)
      .succeeded()
    let content = """
      SELECT md5(string_agg((to_jsonb(r) - 'source_file_id' - 'source_line')::text, '|' ORDER BY hcpcs, modifier))
      FROM cms.rvu r WHERE release = '2025D'
      """
    let expected = try desk.value(content)
    // Of the keys that the revision before it has, those of the rejected records are gone.
    let accepting = ["--max-rejects", "2", "--accept", "lost-keys-pprrvu"]
    try desk.load("cms-rvu", "RVU25D", options: accepting).succeeded()
    #expect(try desk.value(content) != expected)
    func rejects(_ words: String..., file: String) throws -> Program.Outcome {
      try desk.command("rejects", options: words + [desk.path(file)])
    }
    try rejects("export", "3", "-o", file: "fixed").succeeded()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: desk.path("fixed")).sorted() == [
        "GPCI2025.csv", "PPRRVU2025_Oct.csv",
      ])
    try desk.edit("fixed/PPRRVU2025_Oct.csv", "9921#", to: "99213")
    try rejects("replay", "3", file: "RVU25D/ANES2025.csv").failed(
      2, saying: "GPCI2025.csv", "run 3 has refused records of several entries")
    // What was exported of one source can be given by itself, whatever its file is called.
    try rejects("export", "3", "--source", "gpci", "-o", file: "gpci.csv").succeeded()
    try desk.edit("gpci.csv", broken, to: row)
    try rejects("replay", "3", "--dry-run", file: "gpci.csv").succeeded()
    // Of two entries one is corrected; the export of the replay is of the other alone.
    let half = try rejects("replay", "3", "--max-rejects", "1", "--format", "json", file: "fixed").succeeded()
    let number = try half.at("run")
    try rejects("export", number, "-o", file: "again.csv").succeeded()
    // Without the reasons of before.
    let exported = try desk.text(of: "again.csv")
    #expect(exported.components(separatedBy: "rivulet_reason").count == 2, "\(exported)")
    #expect(exported.components(separatedBy: "\"line ").count == 2, "\(exported)")
    try desk.edit("again.csv", broken, to: row)
    try rejects("replay", number, file: "again.csv").succeeded()
    #expect(try desk.value(content) == expected)
    // Together with the rows that are there already.
    #expect(
      try desk.value(
        "SELECT about FROM rivulet.gate_result WHERE rule = 'row-change-gpci' ORDER BY run DESC LIMIT 1")
        == "109 rows after 109 in 2025A, 0%; 10% is allowed")
  }

  @Test("of a release that was amended since are refused, and of the amendment itself are amended again")
  func amendments() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,old,1,,m\nb,3,old,1,,n\nc,3,old,x,,o"])
    try own.write("one", ["FIX1_25A_.csv": "a,first\n,second"])
    try own.run("items25a", options: ["--max-rejects", "1"]).succeeded()
    try own.run("one", options: ["--max-rejects", "1"]).succeeded()
    #expect(try words(own) == "a=first|b=old")
    try own.scratch.write("items.csv", OwnDataset.header + "c,3,old,1,,o\n")
    try replay(own, "1", "items.csv").failed(3, saying: "run 2 did")
    try export(own, "2")
    try own.edit("fixed", "\",,", to: "\",b,")
    try replay(own, "2").succeeded()
    #expect(try words(own) == "a=first|b=second")
    // Records that are numbered go on where those that were loaded end.
    #expect(try own.value("SELECT string_agg(row || code, ' ' ORDER BY row) FROM own.fix") == "1a 2b")
    for folder in ["one", "items25a"] {
      try own.run(folder, options: ["--max-rejects", "1"]).succeeded(showing: "is unchanged")
    }
    try own.write("both/items25b", ["ITEM.csv": "a,3,old,1,,m\nb,3,old,x,,n", "FIX1_25B_.csv": "a,first"])
    let both = try own.run("both/items25b", options: ["--max-rejects", "1", "--format", "json"]).succeeded()
    try own.scratch.write("items.csv", OwnDataset.header + "b,3,old,1,,n\n")
    try replay(own, both.at("run"), "items.csv").failed(3, saying: "together with FIX1_25B_.csv")
  }

  @Test("do not take from above what a record of theirs leaves blank")
  func fillDown() throws {
    let own = try OwnDataset()
    try own.changeLayout(
      "csv: WORDS, at: 6-20, type: line}", to: "csv: WORDS, at: 6-20, type: line, fill: down}")
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m\nb,3,,x,,n\nc,3,three,x,,o\nd,3,,x,,p"])
    try own.run("items25a", options: ["--max-rejects", "3"]).succeeded()
    try export(own)
    try own.edit("fixed", ",x,", to: ",1,")
    try replay(own, "1", "fixed", "--max-rejects", "2").succeeded(saying: "required in words")
    #expect(try words(own) == "a=one|c=three")
  }
}
