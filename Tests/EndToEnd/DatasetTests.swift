import Definitions
import Foundation
import TestSupport
import Testing

@Suite("A database that uses some datasets")
struct DatasetTests {
  /// Our project for a new database, with these datasets.
  private func project(using datasets: String) throws -> OwnProject {
    let own = try OwnProject([:])
    try choose(datasets, in: own)
    for name in ["Pipelines", "Data"] {
      try FileManager.default.createSymbolicLink(
        atPath: own.path(name), withDestinationPath: SharedData.project + "/" + name)
    }
    try FileManager.default.copyItem(
      atPath: SharedData.project + "/Migrations", toPath: own.path("Migrations"))
    return own
  }

  private func choose(_ datasets: String, in own: OwnProject) throws {
    try own.scratch.write(
      "rivulet.yaml", "project: own\ntime_zone: America/New_York\ndatasets: [\(datasets)]\n")
  }

  private func schemas(_ own: OwnProject) throws -> String? {
    try own.value(
      """
      SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public', 'rivulet')
      """)
  }

  @Test("has what these need and nothing of the others, and status says which")
  func alone() throws {
    let own = try project(using: "cms-rvu")
    try own.command("migrate", "up").succeeded()
    #expect(try schemas(own) == "cms mart")
    #expect(
      try own.rows(
        "SELECT relname FROM pg_class WHERE relnamespace = 'cms'::regnamespace AND relkind = 'p' ORDER BY 1")
        == [
          "anesthesia_cf", "gpci", "locality_county", "opps_cap", "rvu",
          "zip_locality",
        ])
    let status = try own.command("migrate", "status", "--check", options: ["--format", "json"]).succeeded()
    #expect(try status.at("datasets", "pending") == "[\"cms-rvu\"] []")
    #expect(try status.at("unused").contains("\"0009\""))
    try own.command("migrate", "status").succeeded(showing: "not used here: ccc, clara, cms-dac")
    try own.load("cms-rvu", Samples.make(rows: 60)).succeeded()
    try own.command("run", "cms-hcpcs", "none.zip")
      .failed(2, saying: "the dataset 'cms-hcpcs' is not among the 'datasets'", "rivulet migrate up")
    #expect(try !own.command("pipelines", "list").succeeded().output.contains("clara"))
    try own.command("docs", "-o", own.path("docs")).succeeded()
    let pages = try FileManager.default.contentsOfDirectory(atPath: own.path("docs"))
    #expect(pages.filter { $0.hasPrefix("dataset-") } == ["dataset-cms-rvu.html"])
    #expect(pages.contains("table-cms.rvu.html") && !pages.contains { $0.contains("hcpcs_code") })
    try own.command("describe", "cms-hcpcs").failed(2, saying: "the nearest are", "'cms-rvu'")
    try own.command("nightly").succeeded()
    let report = try own.command("report", "-o", "-", options: ["--format", "markdown"]).succeeded().output
    #expect(report.contains("# ") && !report.contains("are pending") && !report.contains("cms-hcpcs"))
  }

  @Test("gets another one by its name, whatever was applied before")
  func added() throws {
    let own = try project(using: "nppes")
    try own.command("migrate", "up").succeeded()
    #expect(try schemas(own) == "cms directory mart")
    try choose("nppes, cms-rvu", in: own)
    try own.command("migrate", "status", "--check").failed(5)
    try own.command("migrate", "up").succeeded(showing: "6 migrations applied; 0 pending")
    let status = try own.command("migrate", "status", "--check", options: ["--format", "json"]).succeeded()
    #expect(try status.at("late") == "[]")
    #expect(try status.at("applied/*/state").split(separator: " ").allSatisfy { $0 == "applied" })
    try own.load("cms-rvu", Samples.make(rows: 60)).succeeded()
    // What a dataset that is used had not applied in its turn is late as ever.
    try own.scratch.write(
      "Migrations/0021_late.sql",
      "-- rivulet:datasets nppes\n-- rivulet:up\nCREATE TABLE directory.late ();\n-- rivulet:down\nDROP TABLE directory.late;\n"
    )
    try own.command("migrate", "up").failed(5, saying: "0021 late")
    try choose("cms-rvu", in: own)
    try own.command("migrate", "up").succeeded(showing: "nothing to do")
    #expect(try own.value("SELECT to_regclass('directory.provider')") == "directory.provider")
  }

  @Test("needs what they need, and only datasets that there are")
  func needs() throws {
    let own = try project(using: "rvutrack")
    try own.command("migrate", "up")
      .failed(2, saying: "rivulet.yaml:3", "'rvutrack' needs 'cms-rvu'", "name it under 'datasets', too")
    try choose("cms-rvus", in: own)
    try own.command("migrate", "up").failed(2, saying: "there is no dataset 'cms-rvus'", "'cms-rvu'")
    try choose("nucc, nucc", in: own)
    try own.command("migrate", "up").failed(2, saying: "named twice")
    try choose("nucc", in: own)
    try own.scratch.write(
      "Migrations/0099_x.sql",
      "-- rivulet:datasets nuc\n-- rivulet:up\nSELECT 1;\n-- rivulet:down\nSELECT 1;\n")
    try own.command("migrate", "up").failed(2, saying: "0099_x.sql", "there is no such dataset")
    try own.scratch.write("Migrations/0099_x.sql", "-- rivulet:up\n-- rivulet:datasets nucc\nSELECT 1;\n")
    try own.command("migrate", "up").failed(2, saying: "0099_x.sql:2", "too late")
    try FileManager.default.removeItem(atPath: own.path("Migrations/0099_x.sql"))
    let new = try own.command("migrate", "new", "more", options: ["--dataset", "nucc"]).succeeded()
    let file = new.output.trimmingCharacters(in: .newlines)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("-- rivulet:datasets nucc\n"))
    try own.command("migrate", "new", "more", options: ["--dataset", "nuc"])
      .failed(2, saying: "did you mean 'nucc'")
  }

  @Test("is proven by `migrate verify`, which names a migration that uses what others make")
  func verified() throws {
    let own = try OwnProject([
      "rivulet.yaml": "project: own\ntime_zone: UTC\n",
      "Pipelines/items/pipeline.yaml": OwnDataset.pipeline,
      "Pipelines/items/layouts/items.yaml": try #require(
        OwnDataset.files["Pipelines/items/layouts/items.yaml"]),
      "Pipelines/items/layouts/fixes.yaml": try #require(
        OwnDataset.files["Pipelines/items/layouts/fixes.yaml"]),
      "Pipelines/items/amendments/fixes.sql": try #require(
        OwnDataset.files["Pipelines/items/amendments/fixes.sql"]),
      "Migrations/0001_other.sql":
        "-- rivulet:datasets other\n-- rivulet:up\nCREATE SCHEMA o;\n-- rivulet:down\nDROP SCHEMA o;\n",
      "Migrations/0002_items.sql":
        "-- rivulet:datasets items\n-- rivulet:up\nCREATE TABLE o.t ();\n-- rivulet:down\nDROP TABLE o.t;\n",
    ])
    try own.command("migrate", "verify").failed(2, saying: "there is no such dataset")
    try own.scratch.write(
      "Pipelines/other/pipeline.yaml",
      OwnDataset.pipeline.replacing("pipeline: items", with: "pipeline: other"))
    for name in ["layouts/items.yaml", "layouts/fixes.yaml", "amendments/fixes.sql"] {
      try own.scratch.write("Pipelines/other/" + name, own.text(of: "Pipelines/items/" + name))
    }
    let outcome = try own.command("migrate", "verify", options: ["--format", "json"]).failed(1)
    #expect(try outcome.at("datasets/dataset=items/failure").contains("schema \"o\" does not exist"))
    #expect(try outcome.at("datasets/dataset=other/failure") == "null")
    try own.edit("Pipelines/items/pipeline.yaml", "publish:", to: "needs: other\npublish:")
    try own.command("migrate", "verify").succeeded(showing: "dataset items with other, 2 migrations: ok")
    try own.edit("Pipelines/items/pipeline.yaml", "needs: other", to: "needs: another")
    try own.command("pipelines", "check").failed(2, saying: "there is no dataset 'another'")
    try own.edit("Pipelines/items/pipeline.yaml", "needs: another", to: "needs: other")
    try own.scratch.write(
      "Pipelines/items/queries/which.sql",
      "/* rivulet query\ndescription: which\ncurrent: {of: item}\n*/\nSELECT {current} AS release\n")
    try own.command("pipelines", "check").failed(
      2, saying: "Pipelines/items/queries/which.sql", "there is no pipeline 'item'", "'items'")
  }

  @Test(
    "loads, refreshes and answers alone",
    arguments: try Project.load(SharedData.project).everyPipelineName)
  func works(dataset: String) throws {
    let used = try #require(
      try Project.load(SharedData.project).datasetsWithNeeds().first { $0.name == dataset }?.used)
    let own = try project(using: used.joined(separator: ", "))
    try own.command("migrate", "up").succeeded()
    for name in used where FileManager.default.fileExists(atPath: own.path("Pipelines/\(name)/sample.yaml")) {
      let sample = own.path("sample-\(name)")
      try own.command("sample", name, "-o", sample + "/", "--rows", "40").succeeded()
      try own.load(name, sample, options: ["--no-refresh"]).succeeded()
    }
    try own.command("refresh").succeeded()
    try own.command("refresh", "--check").succeeded()
    // Nobody has these codes and days; a query that lacks a table would say that.
    for query in try Project.load(own.scratch.path).pipelines().flatMap(\.queries) {
      let given = query.parameters.filter(\.isRequired).flatMap { parameter in
        ["--" + parameter.option, ["date": "2025-10-15", "text": "none"][parameter.kind.rawValue] ?? "1"]
      }
      let outcome = try own.command("query", query.name, options: given)
      #expect([0, 2, 3].contains(outcome.status), "\(query.name): \(outcome.errors)")
    }
  }
}
