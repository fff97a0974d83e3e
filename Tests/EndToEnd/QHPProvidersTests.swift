import TestSupport
import Testing

@Suite("The providers of health plans")
struct QHPProvidersTests {
  @Test(
    "load with their addresses, specialties and plans; a wrong NPI is refused", .needs("directory/qhp-json"))
  func example() throws {
    let (database, program) = try Loaded.migrated()
    let arguments = [
      "run", "qhp-providers", SharedData.path("directory/qhp-json"), "--release", "example-2019-01-01",
    ]
    let refused = try program.run(arguments)
    #expect(refused.status == 3 && refused.errors.contains("npi"), "\(refused.errors)")
    let outcome = try program.run(arguments + ["--max-rejects", "2"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("names a file that is not there: 'plans.json'"), "\(outcome.errors)")
    for (query, expected) in [
      (
        "SELECT string_agg(concat_ws(' ', npi, entity_type, updated_on), ',') FROM directory.provider",
        "1234567893 individual 2019-01-01"
      ),
      (
        "SELECT concat_ws('|', line_1, line_2, city, state, postal_code, phone) FROM directory.provider_address",
        "123 Park Ave|Suite 120|New York|NY|10003|+12125551212"
      ),
      (
        "SELECT string_agg(path || '=' || display, ',' ORDER BY slot) FROM directory.provider_concept",
        "specialty=Dermatology,specialty=Oncology,accepting=not accepting"
      ),
      ("SELECT count(*) || ' ' || min(years) FROM directory.provider_plan", "4 2019 2020"),
      (
        "SELECT string_agg(concat_ws(' ', first_name, middle_name, last_name), ',') FROM directory.provider_name",
        "Martin Van Nostrand"
      ),
    ] {
      #expect(try database.value(query) == expected)
    }
  }

  @Test("are individuals, facilities and groups")
  func facilities() throws {
    let scratch = try Scratch()
    try scratch.write(
      "plan-2025-01-01/providers-1.json",
      """
      [{"npi":"1234567893","type":"FACILITY","facility_name":"Ex","facility_type":["Hospital"],"addresses":[],"plans":[]}]
      """)
    let (database, program) = try Loaded.migrated()
    let outcome = try program.run("run", "qhp-providers", scratch.path + "/plan-2025-01-01")
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try database.value(
        """
        SELECT concat_ws('|', entity_type, organization, path, display) FROM directory.provider
        JOIN directory.provider_name USING (release, source_id) JOIN directory.provider_concept USING (release, source_id)
        """) == "organization|Ex|facility_type|Hospital")
  }

  @Test("come with the plans that they belong to")
  func plans() throws {
    let scratch = try Scratch()
    try scratch.write(
      "acme-2025-01-01/plans.json",
      """
      [{"plan_id_type":"HIOS-PLAN-ID","plan_id":"12345XX9876543","marketing_name":"Gold",
        "network":[{"network_tier":"PREFERRED"},{"network_tier":"OTHER"}],"plan_contact":"ask@ex.org"}]
      """)
    try scratch.write(
      "acme-2025-01-01/providers.json",
      """
      [{"npi":"1234567893","type":"GROUP","group_name":"Ex","addresses":[],
        "plans":[{"plan_id":"12345XX9876543","network_tier":"PREFERRED"},{"plan_id":"99999XX0000000"}]}]
      """)
    try scratch.write("acme-2025-01-01/index.json", #"{"provider_urls":["http://127.0.0.1/providers.json"]}"#)
    let (database, program) = try Loaded.migrated()
    let outcome = try program.run("run", "qhp-providers", scratch.path + "/acme-2025-01-01")
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try database.value(
        """
        SELECT string_agg(concat_ws(' ', p.plan_id, i.name), ', ' ORDER BY slot) FROM directory.provider_plan p
        LEFT JOIN directory.insurance_plan i ON i.release = p.release AND i.source_id = p.plan_id
        """) == "12345XX9876543 Gold, 99999XX0000000")
    #expect(
      try database.value(
        "SELECT string_agg(path || '=' || display, ' ' ORDER BY slot) FROM directory.insurance_plan_concept")
        == "network.network_tier=PREFERRED network.network_tier=OTHER plan_contact=ask@ex.org")
  }

  @Test("are found by the issuer's index, which tells what has not come")
  func index() throws {
    let scratch = try Scratch()
    func provider(_ npi: String) -> String {
      #"[{"npi":"\#(npi)","type":"GROUP","group_name":"Ex","addresses":[],"plans":[]}]"#
    }
    try scratch.write("acme-2025-01-01/part%201.json", provider("1234567893"))
    try scratch.write("acme-2025-01-01/part 2.json", provider("1245319599"))
    try scratch.write("acme-2025-01-01/p.json", #"[{"plan_id":"12345XX9876543","marketing_name":"Gold"}]"#)
    try scratch.write("acme-2025-01-01/drugs.json", "[]")
    try scratch.write("acme-2025-01-01/spare.json", "[]")
    try scratch.write(
      "acme-2025-01-01/cms-data-index.json",
      #"""
      {"provider_urls": ["https://127.0.0.1/a/part%202.json", "https://127.0.0.1/part-3.json?v=1", "http://127.0.0.1/P%2520.json"],
       "plan_urls": ["https://127.0.0.1/p.json.gz"], "formulary_urls": ["https://127.0.0.1/drugs.json"]}
      """#)
    let (database, program) = try Loaded.migrated()
    let outcome = try program.run(
      "run", "qhp-providers", scratch.path + "/acme-2025-01-01", "--format", "json")
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(try database.value("SELECT string_agg(npi::text, ' ') FROM directory.provider") == "1245319599")
    #expect(try database.value("SELECT name FROM directory.insurance_plan") == "Gold")
    let warnings = try #require(try outcome.object()["warnings"] as? [String])
    #expect(
      warnings == [
        "cms-data-index.json names 2 files that are not there: 'part-3.json', 'P%20.json'",
        "files that no source takes were left alone: 'part%201.json', 'spare.json'",
      ])
    #expect(warnings.allSatisfy { outcome.errors.contains($0) })
  }

  @Test("have releases of their own in the tables that they share with other directories")
  func sharedNames() throws {
    let scratch = try Scratch()
    try scratch.write("acme-2025-01-01/providers.json", "[\(Control.plans["providers.ndjson"] ?? "")]")
    let (_, program) = try Loaded.migrated()
    let first = try program.run("run", "qhp-providers", scratch.path + "/acme-2025-01-01")
    #expect(first.status == 0, "\(first.errors)")
    let directory = try Scratch()
    for (name, text) in Control.directory("2025-01-01") {
      try directory.write("acme-2025-01-01/" + name, text)
    }
    let second = try program.run(
      "run", "fhir-directory", directory.path + "/acme-2025-01-01", "--release", "acme-2025-01-01")
    #expect(
      second.status == 3
        && second.errors.contains(
          "directory.provider has a release acme-2025-01-01 of the pipeline qhp-providers"),
      "\(second.errors)")
    let third = try program.run(
      "run", "fhir-directory", directory.path + "/acme-2025-01-01", "--release", "acme2-2025-01-01")
    #expect(third.status == 0, "\(third.errors)")
  }
}
