import Definitions
import Describing
import Foundation
import TestSupport
import Testing

/// The pages that `docs` writes, and what `describe` says, of our own project.
@Suite("The data dictionary")
struct DictionaryTests {
  private func read(_ desk: Desk) throws -> DataDictionary {
    let pipelines = try Project.load(SharedData.project).pipelines()
    return DataDictionary(pipelines, relations: try SchemaReader.relations(on: desk.database.connect()))
  }

  @Test("says of every column of every table that is loaded where it is from, and of every table what it is")
  func origins() throws {
    let dictionary = try read(Desk())
    #expect(dictionary.missingTables == [])
    let loaded = dictionary.datasets.flatMap(\.targets)
    for table in dictionary.relations where loaded.contains(table.name) {
      #expect(table.meaning != nil, "\(table.name)")
      for column in table.columns {
        #expect(column.source != nil, "\(table.name).\(column.name)")
      }
      // No column of a layout is lost on the way.
      for source in table.sources where source.target == table.name {
        let pipeline = try #require(dictionary.datasets.first { $0.sources.contains(source) })
        let stored = pipeline.layout(of: source)?.versions.flatMap(\.columns).filter(\.isStored) ?? []
        for column in stored {
          #expect(table.column(named: column.name)?.origins.isEmpty == false, "\(table.name).\(column.name)")
        }
      }
    }
    for view in dictionary.datasets.flatMap(\.views) {
      let found = try #require(dictionary.relation(named: view.name))
      #expect(found.isMade && found.isView && found.meaning != nil && !found.columns.isEmpty, "\(view.name)")
    }
  }

  @Test("reads keys, references and what views read from the catalog, and leaves tables of releases out")
  func catalog() throws {
    let desk = try Desk(with: Loaded.sample())
    let dictionary = try read(desk)
    let names = dictionary.relations.map(\.name)
    #expect(!names.contains { $0.hasPrefix("rivulet.") || $0.hasPrefix("cms.rvu_") }, "\(names)")
    let rvu = try #require(dictionary.relation(named: "cms.rvu"))
    #expect(rvu.relation.key == ["release", "cf_class", "hcpcs", "modifier"])
    #expect(rvu.readBy.contains("mart.rvu_by_status") && rvu.readBy.contains("cms.current_rvu"))
    #expect(dictionary.relation(named: "mart.rvu_by_status")?.relation.reads == ["cms.rvu"])
    let visits = try #require(dictionary.relation(named: "rvutrack.visit"))
    #expect(visits.relation.references.contains { $0.table == "rvutrack.app_user" }, "\(visits.relation)")
    #expect(visits.referredToBy.contains("rvutrack.procedure"))
    let status = try #require(rvu.column(named: "status_code"))
    #expect(status.meaning?.hasPrefix("How Medicare treats the code") == true && !status.column.isNullable)
  }

  @Test("is pages that lead to each other and nowhere else, with ids that are there once, and no row")
  func pages() throws {
    let desk = try Desk(with: Loaded.sample())
    let outcome = try desk.command("docs", "-o", desk.path("docs"), options: ["--format", "json"]).succeeded()
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.path("docs"))
    #expect(Set(try outcome.object()["pages"] as? [String] ?? []) == Set(names))
    #expect(names.contains("dataset-cms-rvu.html") && names.contains("view-mart.payment.html"))
    var ids: [String: [String]] = [:]
    var pages: [String: String] = [:]
    for name in names {
      let page = try desk.text(of: "docs/\(name)")
      pages[name] = page
      let found = page.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
      #expect(Set(found).count == found.count, "\(name) has an id twice")
      #expect(found.allSatisfy { !$0.contains(" ") && !$0.isEmpty })
      ids[name] = found
      for part in [" src=", "url(http", "@import", "<link", "<iframe", "http://", "https://"] {
        #expect(!page.replacing("http-equiv", with: "").contains(part), "\(name): \(part)")
      }
    }
    for (name, page) in pages {
      for link in page.matches(of: #/href="([^"#]*)(#([^"]*))?"/#) {
        let target = link.1.isEmpty ? name : String(link.1)
        let place = link.3.map(String.init)
        #expect(ids[target] != nil, "\(name): \(link.0)")
        #expect(place.map { ids[target]?.contains($0) == true } ?? true, "\(name): \(link.0)")
      }
    }
    // A description of one row: what is loaded is nowhere.
    let row = try #require(
      try desk.value("SELECT max(description) FROM cms.rvu WHERE description ~ '^[A-Z][a-z]+ [a-z]+'"))
    #expect(!pages.values.contains { $0.contains(row) }, "\(row)")
    let rvu = try #require(pages["table-cms.rvu.html"])
    for part in [
      "How Medicare treats the code", "NOT USED FOR MEDICARE PAYMENT", "PPRRVU*", "totals-add-up",
      "a total that is not the sum of its parts",
    ] { #expect(rvu.contains(part), "\(part)") }
    #expect(pages["view-mart.payment.html"]?.contains("<pre tabindex=\"0\"><code>SELECT") == true)
  }

  @Test(
    "writes over no file that is not its own, removes its own pages that are of nothing any more, and no other"
  )
  func folder() throws {
    let desk = try Desk()
    let folder = desk.path("docs")
    try desk.scratch.write("docs/index.html", "<p>mine</p>")
    try desk.scratch.write("docs/notes.txt", "mine")
    try desk.scratch.write("docs/other.html", "<!DOCTYPE html>\n<html lang=\"en\"><head><title>mine</title>")
    try desk.command("docs", "-o", folder).failed(2, saying: "docs/index.html", "--force")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    try desk.command("docs", "-o", folder, options: ["--force"]).succeeded()
    let first = try desk.text(of: "docs/index.html")
    try desk.scratch.write("docs/table-gone.html", first)
    let again = try desk.command("docs", "-o", folder, options: ["--format", "json"]).succeeded()
    #expect(try again.at("removed") == "[\"table-gone.html\"]")
    #expect(try desk.text(of: "docs/notes.txt") == "mine")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(left.contains("other.html") && !left.contains { $0.hasSuffix(".partial") })
  }

  @Test("has no page that is not whole when it is killed, and is written by the next run")
  func killed() throws {
    let desk = try Desk()
    let folder = desk.path("docs")
    let words = ["docs", "-o", folder]
    var moments = try RandomMoments { try desk.program.run(words).succeeded() }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    try moments.kill("`docs`", times: 8, hitting: 3) { _ in
      try FileManager.default.removeItem(atPath: folder)
      return try TestServer.shared.makeDatabase(from: desk.database)
    } start: { _, database in
      try Program(database: database.url).start(words)
    } check: { _, database, what in
      let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in found where name.hasSuffix(".html") {
        let isWhole = try desk.text(of: "docs/\(name)").hasSuffix("</html>\n")
        #expect(names.contains(name) && isWhole, "\(what): \(name)")
      }
      try Program(database: database.url).run(words).succeeded()
      let lost = Set(names).subtracting(try FileManager.default.contentsOfDirectory(atPath: folder))
      #expect(lost == [], "\(what)")
      return lost.count
    }
  }

  @Test(
    "says that the tables are not there, and what makes them",
    arguments: [["docs"], ["describe", "cms.rvu"]])
  func unmigrated(_ words: [String]) throws {
    let scratch = try Scratch()
    let database = try TestServer.shared.makeDatabase()
    let program = Program(database: database.url)
    let options = words == ["docs"] ? ["-o", scratch.path + "/docs"] : []
    try program.run(words + options).failed(5, saying: "does not exist", "rivulet migrate up")
    #expect(!FileManager.default.fileExists(atPath: scratch.path + "/docs"))
  }

  @Test("describes tables, views, columns and datasets in the terminal, and lists them")
  func describe() throws {
    let desk = try Desk()
    try desk.command("describe").succeeded(showing: "cms-rvu", "mart.payment", "cms.rvu ")
    try desk.command("describe", "cms.rvu").succeeded(
      showing: "PPRRVU: relative value units", "release, cf_class, hcpcs, modifier", "pprrvu: WORK RVU",
      "Physician work", "cms.current_rvu, mart.national_payment", "totals-add-up",
      "a total that is not the sum")
    try desk.command("describe", "cms.rvu.status_code").succeeded(
      showing: "cms-rvu: pprrvu", "STATUS CODE", "code list status-code", "active: paid separately")
    try desk.command("describe", "mart.rvu_by_status").succeeded(
      showing: "view, kept in a table", "reads", "computed by", "JOIN cms.rvu r")
    try desk.command("describe", "cms-rvu").succeeded(
      showing: "Medicare physician fee schedule", "OPPSCAP*", "mart.payment", "price", "--locality")
    let json = try desk.command("describe", "cms.rvu", options: ["--format", "json"]).succeeded()
    #expect(
      try json.at(
        "kind", "key", "columns/name=work_rvu/type", "columns/name=work_rvu/fields/0/headers/0",
        "columns/name=release/filled_by", "columns/name=status_code/list/name", "sources/*/source")
        == "table [\"release\",\"cf_class\",\"hcpcs\",\"modifier\"] numeric(8,2) WORK RVU "
        + "the program: the release that the row is of status-code pprrvu")
    let list = try desk.command("describe", options: ["--format", "json"]).succeeded()
    #expect(try list.at("datasets/name=cms-rvu/title", "relations/name=mart.payment/kind").hasSuffix("view"))
    try desk.command("describe", "cms.rvv").failed(2, saying: "'cms.rvu'", "the nearest are")
    try desk.command("describe", "cms.rvu.wrok_rvu").failed(2, saying: "'cms.rvu.work_rvu'")
  }

  @Test("fits a terminal")
  func terminal() throws {
    let desk = try Desk()
    for name in ["cms.rvu", "cms.rvu.hcpcs", "cms-rvu", "mart.payment"] {
      let started = try desk.program.start(
        ["describe", name, "--no-pager", "-q"], typing: "", size: (columns: 80, rows: 24))
      let output = try started.wait().succeeded().output
      // A SELECT is as it is written.
      let shown = output.components(separatedBy: "computed by")[0].split(whereSeparator: \.isNewline)
      #expect(shown.count > 5 && shown.filter { $0.count > 80 } == [], "\(name)")
    }
  }
}
