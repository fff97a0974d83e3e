import Definitions
import Describing
import TestSupport
import Testing

/// What definitions and a catalog make together; the catalog is made by hand here.
@Suite("The data dictionary")
struct DataDictionaryTests {
  private func dictionary(_ names: String..., relations: [Relation]) throws -> DataDictionary {
    let project = try Project.load(SharedData.project)
    return DataDictionary(try names.map { try project.pipeline(named: $0) }, relations: relations)
  }

  private func table(_ name: String, _ columns: String..., comment: String? = nil) -> Relation {
    var table = Relation(name, comment: comment)
    table.columns = columns.map { RelationColumn($0, "text") }
    return table
  }

  @Test(
    "says which field of which file a column is from, in each version of the layout, and what is asked of it")
  func fields() throws {
    let gpci = table("cms.gpci", "release", "mac", "state", "work_gpci", "source_line")
    let found = try #require(try dictionary("cms-rvu", relations: [gpci]).relation(named: "cms.gpci"))
    let mac = try #require(found.column(named: "mac"))
    #expect(mac.origins.contains { $0.headers.isEmpty && $0.places == ["1-5"] && $0.versions == ["2003"] })
    let named = try #require(
      mac.origins.first { $0.headers.first == "Medicare Administrative Contractor (MAC)" })
    #expect(named.headers.contains("Carrier Number") && named.type == "digits(5)")
    #expect(named.rules == ["not blank"] && named.source == "gpci" && named.dataset == "cms-rvu")
    let work = try #require(found.column(named: "work_gpci"))
    #expect(work.origins.flatMap(\.versions).contains("no-floor") && work.origins.count > 2)
    #expect(work.source == "gpci: {year} PW GPCI (with 1.0 Floor) and \(work.origins.count - 1) others")
    #expect(
      try #require(found.column(named: "release")).filledBy == "the program: the release that the row is of")
    #expect(try #require(found.column(named: "source_line")).source?.hasPrefix("the program:") == true)
    #expect(found.sources.map(\.name) == ["gpci"] && found.dataset == "cms-rvu")
  }

  @Test("tells what is the same in several versions of a layout once")
  func merged() throws {
    let rvu = table("cms.rvu", "hcpcs", "cf_class", "status_code")
    let found = try #require(try dictionary("cms-rvu", relations: [rvu]).relation(named: "cms.rvu"))
    let origins = try #require(found.column(named: "hcpcs")).origins
    let shown = origins.map { "\($0.headers) \($0.places) \($0.rules)" }
    #expect(Set(shown).count == shown.count)
    // That an older version has no txt is no difference.
    #expect(origins.map(\.places) == [["1-5"]] && origins.first?.versions.count == 3)
    let constant = try #require(found.column(named: "cf_class")?.origins.first)
    #expect(constant.shown.hasPrefix("always 'all'; where there are parts 'non_qp' of PPRRVU*nonQPP*"))
    let status = try #require(found.column(named: "status_code"))
    #expect(status.list?.name == "status-code" && status.list?.codes.contains { $0.code == "A" } == true)
    #expect(found.lists.map(\.name) == ["status-code"])
  }

  @Test("says what repeats in a record by all places, and what its rows have from the record")
  func children() throws {
    let pricing = table("cms.hcpcs_code_pricing", "release", "hcpcs", "slot", "pricing")
    let found = try #require(
      try dictionary("cms-hcpcs", relations: [pricing]).relation(named: "cms.hcpcs_code_pricing"))
    #expect(found.column(named: "hcpcs")?.origins.first?.shown == "'hcpcs' of the record that it is in")
    #expect(
      found.column(named: "slot")?.origins.first?.shown == "which of the repeats in its record it is, from 1")
    let places = try #require(found.column(named: "pricing")?.origins.first)
    #expect(places.headers.count + places.places.count >= 4, "\(places)")
    #expect(found.rules.map(\.name).contains("unique-key-codes"))
  }

  @Test("says what fills a column that no field does")
  func fillers() throws {
    var table = Relation("cms.gpci")
    table.columns = [
      RelationColumn("total", "numeric", expression: "work_gpci + 1", isGenerated: true),
      RelationColumn("id", "bigint", isIdentity: true),
      RelationColumn("made_at", "timestamptz", expression: "now()"), RelationColumn("odd", "text"),
    ]
    let history = self.table("directory.provider_address_history", "city", "valid_from")
    let list = self.table("cms.code_list", "code")
    let all = try dictionary("cms-rvu", "nppes", relations: [table, history, list])
    let filled = all.relation(named: "cms.gpci")?.columns.map(\.filledBy)
    #expect(
      filled == [
        "the database computes it: work_gpci + 1", "the database numbers the rows",
        "the database, where nobody says otherwise: now()", nil,
      ])
    #expect(
      all.relation(named: history.name)?.columns.map(\.filledBy) == [
        "the program: what the row had before it was changed",
        "the program: the first day on which the row held",
      ])
    #expect(all.relation(named: history.name)?.dataset == "nppes")
    #expect(all.relation(named: "cms.code_list")?.columns.first?.filledBy == "the code lists of the project")
  }

  @Test("knows who reads and who refers to a table, which views are not made, and which tables are missing")
  func ties() throws {
    var view = Relation("mart.rvu_by_status")
    view.columns = [RelationColumn("status_code", "text"), RelationColumn("codes", "bigint")]
    view.reads = ["cms.rvu"]
    var rvu = Relation("cms.rvu")
    rvu.columns = [RelationColumn("status_code", "text", comment: "How Medicare treats the code")]
    var other = table("cms.note", "hcpcs")
    other.references = [.init(columns: ["hcpcs"], table: "cms.rvu", others: ["hcpcs"])]
    let all = try dictionary("cms-rvu", relations: [view, rvu, other])
    #expect(all.relation(named: "cms.rvu")?.readBy == ["mart.rvu_by_status"])
    #expect(all.relation(named: "cms.rvu")?.referredToBy == ["cms.note"])
    let found = try #require(all.relation(named: "mart.rvu_by_status"))
    #expect(found.isView && found.dataset == "cms-rvu" && found.sql?.contains("{keys}") == true)
    #expect(found.columns.map(\.meaning) == ["How Medicare treats the code", nil])
    #expect(found.columns.allSatisfy { $0.source == nil })
    #expect(all.relation(named: "mart.payment")?.isMade == false)
    #expect(all.missingTables.contains("cms.gpci") && !all.missingTables.contains("cms.rvu"))
    #expect(all.relation(named: "cms.note")?.dataset == nil)
  }

  @Test("finds datasets, tables and columns by their names, and the nearest of what there is not")
  func subjects() throws {
    let all = try dictionary(
      "cms-rvu", relations: [table("cms.rvu", "work_rvu", "mp_rvu"), table("cms.a.b", "c.d")])
    let kinds = ["cms-rvu", "cms.rvu", "cms.rvu.work_rvu", "cms.a.b.c.d", "cms.rvu.work", "cms", ""].map {
      switch all.subject(named: $0) {
      case .dataset(let dataset): "dataset \(dataset.name)"
      case .relation(let relation): "relation \(relation.name)"
      case .column(let column, let relation): "column \(column.name) of \(relation.name)"
      case nil: "-"
      }
    }
    #expect(
      kinds == [
        "dataset cms-rvu", "relation cms.rvu", "column work_rvu of cms.rvu", "column c.d of cms.a.b", "-",
        "-", "-",
      ])
    #expect(all.nearest(to: "cms.rvu.wrok_rvu").first == "cms.rvu.work_rvu")
    #expect(all.nearest(to: "cms.rvv").first == "cms.rvu" && all.nearest(to: "cms.rvv").count == 3)
  }
}
