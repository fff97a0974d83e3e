import Foundation
import PostgreSQL
import TestSupport
import Testing

/// The page that `report` writes, held against the database.
@Suite("The report")
struct ReportTests {
  /// The text of the cells of the rows that are under a caption.
  private func rows(_ page: String, under caption: String) throws -> [[String]] {
    let table = try #require(
      page.components(separatedBy: "<table").first { $0.contains(">\(caption)</caption>") },
      "no table '\(caption)'")
    let body = try #require(table.components(separatedBy: "<tbody>").dropFirst().first)
    return body.components(separatedBy: "</tbody>")[0].components(separatedBy: "<tr>").dropFirst().map {
      row in
      row.components(separatedBy: "</t").dropLast().filter { $0.contains("<td") || $0.contains("<th") }.map {
        cell in
        cell.replacing(#/<span class="sign"[^>]*>[^<]*</span>/#, with: "").replacing(#/<[^>]*>/#, with: "")
          .replacing(#/^[dhr]>/#, with: "")
      }
    }
  }

  private func page(_ desk: Desk, _ options: String...) throws -> String {
    try desk.command("report", "-o", desk.path("page.html"), options: options).succeeded()
    return try desk.text(of: "page.html")
  }

  @Test("shows what was loaded, rejected, refused and changed, with the numbers of the database")
  func story() throws {
    let desk = try Desk()
    let (first, second) = (
      try Samples.make(rows: 60, release: "2025A"), try Samples.make(rows: 80, release: "2025D")
    )
    try desk.load("cms-rvu", first).succeeded()
    try desk.load("cms-rvu", second, options: Loaded.unlikeTheLast).succeeded()
    let broken = try Samples.make(quirks: ["stray-quote"], rows: 60, release: "2025B")
    try desk.load("cms-rvu", broken).failed(3)
    let page = try page(desk)

    let runs = try rows(page, under: "The newest runs")
    #expect(
      runs.map { Array($0[0...3]) } == [
        ["3", "cms-rvu", "2025B", "refused"], ["2", "cms-rvu", "2025D (1)", "published"],
        ["1", "cms-rvu", "2025A (1)", "published"],
      ])
    let read = try desk.rows(
      "SELECT sum(records_read) FROM rivulet.source_file GROUP BY run ORDER BY run DESC")
    #expect(runs.map { $0[6].filter(\.isNumber) } == read)
    #expect(
      runs[0][7] == "1" && runs[0][8].contains("records were refused, 0 allowed"))
    #expect(page.contains("cms-rvu: the last run, 3, ended refused."))

    let rejects = try rows(page, under: "Rejected records by reason, over all runs")
    let known = try desk.rows(
      "SELECT source, column_name, rule, records FROM rivulet.reject_reason JOIN rivulet.source_file USING (source_file_id)"
    )
    #expect(
      rejects.map { row in [row[1], row[2].isEmpty ? "-" : row[2], row[3], row[4]].joined(separator: "|") }
        == known)

    let counts = try desk.command("releases", "diff", "cms-rvu", "2025A", "2025D", "--format", "json")
      .succeeded()
    let changes = try rows(page, under: "Each published release against the one before it")
    #expect(changes.count == 5 && changes.allSatisfy { $0[1] == "2025A" && $0[2] == "2025D" })
    for change in changes where change[3] == "cms.rvu" {
      let numbers = change[4...6].map { $0.filter(\.isNumber) }.joined(separator: " ")
      #expect(try numbers == counts.at("added", "removed", "changed"))
    }
    let codes = try rows(page, under: "Codes from release to release")
    #expect(
      try codes.map { [$0[0], $0[2].filter(\.isNumber)].joined(separator: "|") }
        == desk.rows(
          "SELECT release, count(*) FROM cms.rvu GROUP BY 1 ORDER BY 1 DESC"))
    let statuses = try rows(page, under: "Status codes over releases")
    for (index, release) in ["2025A", "2025D"].enumerated() {
      let sum = statuses[index].dropFirst().compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +)
      #expect(try "\(sum)" == desk.value("SELECT count(*) FROM cms.rvu WHERE release = '\(release)'"))
    }
    let families = try rows(
      page, under: "Change of work and of national payment by family of codes: Work RVU")
    let work = families.compactMap { Decimal(string: $0[4].filter { $0 != "," && $0 != "+" }) }.reduce(0, +)
    #expect(
      try "\(work)"
        == desk.value(
          """
          SELECT trim_scale(coalesce(sum(a.work_rvu - b.work_rvu), 0)) FROM cms.rvu a
          JOIN cms.rvu b ON b.release = '2025A' AND (b.hcpcs, b.modifier) = (a.hcpcs, a.modifier)
          WHERE a.release = '2025D'
          """))

    let migrations = try rows(page, under: "Migrations")
    #expect(try "\(migrations.count)" == desk.value("SELECT count(*) FROM rivulet.migration"))
    #expect(migrations.allSatisfy { $0[2] == "applied" })
    let views = try rows(page, under: "How fresh the derived views are")
    #expect(try "\(views.count)" == desk.value("SELECT count(*) FROM rivulet.view"))
    #expect(views.allSatisfy { ["live", "exact"].contains($0[2]) })
    let tables = try rows(page, under: "Tables of releases")
    for table in tables {
      #expect(
        try table[3].filter(\.isNumber)
          == desk.value(
            "SELECT sum(rows) FROM rivulet.release_table WHERE target = '\(table[0])'"))
    }
    #expect(tables.count == 5)
  }

  @Test("shows what codes and providers there are, as their datasets have it")
  func datasets() throws {
    let desk = try Desk()
    for dataset in ["cms-hcpcs", "nppes"] {
      let bundle = desk.path(dataset == "nppes" ? "providers.zip" : "codes.zip")
      try desk.program.run("sample", dataset, "-o", bundle, "--rows", "90").succeeded()
      try desk.load(dataset, bundle).succeeded()
    }
    let page = try page(desk)
    let codes = try rows(page, under: "Codes and modifiers over releases")
    #expect(
      try codes.map { "\($0[2])|\($0[3])" }
        == desk.rows(
          "SELECT (SELECT count(*) FROM cms.hcpcs_code), (SELECT count(*) FROM cms.hcpcs_modifier)"))
    #expect(page.contains("Two releases must be published before they can be compared."))
    let states = try rows(page, under: "Providers by state over months")
    let counted = try desk.rows(
      """
      SELECT sum(providers) FROM (
        SELECT providers FROM mart.provider_by_state WHERE coalesce(country, 'US') = 'US'
        ORDER BY providers DESC LIMIT 20) largest
      """)
    #expect(states.map { "\($0.dropFirst().compactMap { Int($0) }.reduce(0, +))" } == counted)
    let taxonomies = try rows(page, under: "Providers by taxonomy over months")
    #expect(
      try taxonomies[0].dropFirst().first
        == desk.value(
          "SELECT max(primary_providers) FROM mart.provider_by_taxonomy"))
  }

  @Test("of an empty database says of everything that nothing is loaded, and of a new one what to do")
  func empty() throws {
    let page = try page(Desk())
    for text in [
      "Nothing has run yet.", "No release is loaded.", "No record was rejected.", "Nothing loaded.",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let bare = Program(database: try TestServer.shared.makeDatabase().url)
    let output = try bare.run("report", "-o", "-").succeeded().output
    #expect(
      output.contains("&#39;rivulet migrate up&#39; makes them.") && output.contains("migrations are pending")
    )
    #expect(output.contains("</html>\n") && !output.contains("rivulet-report.html"))
  }

  @Test("of one run is to be mailed: as HTML or Markdown, without any value of a record")
  func run() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": "a,3,one,9,,\nb,3,two,confidential,,"])
    try own.run("items25a").failed(3)
    let text = try own.command("report", "--run", "1", "--format", "markdown").succeeded().output
    #expect(text.hasPrefix("# Run 1: items 2025A\n") && text.contains("- State: refused\n"), "\(text)")
    #expect(text.contains("| items | price | not-a-decimal | 1 | ITEM.csv, line 3 |"), "\(text)")
    let outcome = try own.command(
      "report", "--run", "1", "--format", "json", "-o", own.path("run.html")
    ).succeeded()
    let page = try own.text(of: "run.html")
    #expect(try outcome.at("file", "bytes") == "\(own.path("run.html")) \(page.utf8.count)")
    #expect(page.contains("<h1>Run 1: items 2025A</h1>") && page.contains("not-a-decimal"))
    let whole = try own.command("report", "-o", "-").succeeded().output
    for page in [text, page, whole] { #expect(!page.contains("confidential")) }
  }

  @Test("takes what names no run, no format or no place of a file for a mistake, and leaves what was there")
  func mistakes() throws {
    let desk = try Desk()
    try desk.command("report", "--run", "7").failed(2, saying: "there is no run 7")
    try desk.command("report", "--run", "x").failed(2, saying: "--run takes a whole number")
    try desk.command("report", "--format", "pdf").failed(2, saying: "html, markdown, text, json")
    try desk.command("report", "-o", "-", "--format", "json").failed(2, saying: "-o -")
    try desk.command("report", "-o", desk.path("none/page.html")).failed(1, saying: "none/page.html")
    try desk.scratch.write("page.html", "old")
    _ = try page(desk)
    #expect(try desk.text(of: "page.html").hasPrefix("<!DOCTYPE html>"))
  }

  @Test("says which part of a dataset is wrong, and where")
  func broken() throws {
    var files = OwnDataset.files
    files["Pipelines/items/report/sums.sql"] = """
      /* rivulet report
      title: Sums
      description: All
      chart: bars
      label: Name
      values: Cuont
      */
      SELECT 'a' AS "Name", 1 AS "Count"
      """
    let own = try OwnProject(files)
    try own.command("report", "-o", "-").failed(
      2, saying: "Pipelines/items/report/sums.sql:8:1: the SELECT has no column 'Cuont'", "'Count'")
    try own.edit("Pipelines/items/report/sums.sql", "1 AS", to: "1/0 AS")
    try own.command("report", "-o", "-").failed(
      1, saying: "Pipelines/items/report/sums.sql", "division by zero")
  }
}
