import TestSupport
import Testing

@Suite("The providers of health plans")
struct QHPProvidersTests {
  @Test(
    "load with their addresses, specialties and plans; a wrong NPI is refused", .needs("directory/qhp-json"))
  func example() throws {
    let desk = try Desk()
    let (folder, release) = (SharedData.path("directory/qhp-json"), ["--release", "example-2019-01-01"])
    try desk.load("qhp-providers", folder, options: release).failed(3, saying: "npi")
    try desk.load("qhp-providers", folder, options: release + ["--max-rejects", "2"]).succeeded(
      saying: "names a file that is not there: 'plans.json'")
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
      #expect(try desk.value(query) == expected)
    }
  }

  @Test("are individuals, facilities and groups, and come with the plans that they belong to")
  func plans() throws {
    let desk = try Desk()
    try desk.scratch.write(
      "acme-2025-01-01/plans.json",
      """
      [{"plan_id_type":"HIOS-PLAN-ID","plan_id":"12345XX9876543","marketing_name":"Gold",
        "network":[{"network_tier":"PREFERRED"},{"network_tier":"OTHER"}],"plan_contact":"ask@ex.org"}]
      """)
    try desk.scratch.write(
      "acme-2025-01-01/providers.json",
      """
      [{"npi":"1234567893","type":"GROUP","group_name":"Ex","addresses":[],
        "plans":[{"plan_id":"12345XX9876543","network_tier":"PREFERRED"},{"plan_id":"99999XX0000000"}]},
       {"npi":"1245319599","type":"FACILITY","facility_name":"Why","facility_type":["Hospital"],"addresses":[],"plans":[]},
       {"npi":"1073050910","type":"INDIVIDUAL","plans":[],
        "name":{"first":"Ada","last":"Exley","suffix":"JR, MD"},
        "addresses":[{"address":"1 Main St","city":"Wexley","state":"CT","zip":"06105","phone":"call the desk"},
          {"address":"2 Main St","city":"Wexley","state":"CT","zip":"06105","phone":"2035551000 x4"}]}]
      """)
    try desk.scratch.write(
      "acme-2025-01-01/index.json", #"{"provider_urls":["http://127.0.0.1/providers.json"]}"#)
    // A telephone number that is none is left out, and reported.
    try desk.load("qhp-providers", "acme-2025-01-01").succeeded(saying: "phone: 1 values were left blank")
    for (query, expected) in [
      (
        """
        string_agg(concat_ws(' ', p.plan_id, i.name), ', ' ORDER BY slot) FROM directory.provider_plan p
        LEFT JOIN directory.insurance_plan i ON i.release = p.release AND i.source_id = p.plan_id
        """, "12345XX9876543 Gold, 99999XX0000000"
      ),
      (
        "string_agg(path || '=' || display, ' ' ORDER BY slot) FROM directory.insurance_plan_concept",
        "network.network_tier=PREFERRED network.network_tier=OTHER plan_contact=ask@ex.org"
      ),
      (
        """
        concat_ws('|', entity_type, organization, path, display) FROM directory.provider
        JOIN directory.provider_name USING (release, source_id) JOIN directory.provider_concept USING (release, source_id)
        """, "organization|Why|facility_type|Hospital"
      ),
      // A degree is no suffix.
      (
        "concat_ws('|', last_name, suffix, credential) FROM directory.provider_name WHERE last_name = 'Exley'",
        "Exley|Jr.|MD"
      ),
      (
        "string_agg(concat_ws(' ', line_1, phone, phone_extension), ', ' ORDER BY slot) FROM directory.provider_address",
        "1 Main St, 2 Main St +12035551000 4"
      ),
    ] { #expect(try desk.value("SELECT " + query) == expected) }
  }

  @Test("are found by the issuer's index, which tells what has not come")
  func index() throws {
    let desk = try Desk()
    func provider(_ npi: String) -> String {
      #"[{"npi":"\#(npi)","type":"GROUP","group_name":"Ex","addresses":[],"plans":[]}]"#
    }
    for (name, text) in [
      ("part%201.json", provider("1234567893")), ("part 2.json", provider("1245319599")),
      ("p.json", #"[{"plan_id":"12345XX9876543","marketing_name":"Gold"}]"#), ("drugs.json", "[]"),
      ("spare.json", "[]"),
      (
        "cms-data-index.json",
        #"""
        {"provider_urls": ["https://127.0.0.1/a/part%202.json", "https://127.0.0.1/part-3.json?v=1", "http://127.0.0.1/P%2520.json"],
         "plan_urls": ["https://127.0.0.1/p.json.gz"], "formulary_urls": ["https://127.0.0.1/drugs.json"]}
        """#
      ),
    ] { try desk.scratch.write("acme-2025-01-01/" + name, text) }
    let warnings = [
      "cms-data-index.json names 2 files that are not there: 'part-3.json', 'P%20.json'",
      "files that no source takes were left alone: 'part%201.json', 'spare.json'",
    ]
    let outcome = try desk.load("qhp-providers", "acme-2025-01-01", options: ["--format", "json"])
      .succeeded(saying: warnings[0], warnings[1])
    #expect(try outcome.object()["warnings"] as? [String] == warnings)
    #expect(try desk.value("SELECT string_agg(npi::text, ' ') FROM directory.provider") == "1245319599")
    #expect(try desk.value("SELECT name FROM directory.insurance_plan") == "Gold")
  }

  @Test("have releases of their own in the tables that they share with other directories")
  func sharedNames() throws {
    let desk = try Desk()
    try desk.scratch.write(
      "plans/acme-2025-01-01/providers.json", "[\(Control.plans["providers.ndjson"] ?? "")]")
    for (name, text) in Control.directory("2025-01-01") {
      try desk.scratch.write("acme-2025-01-01/" + name, text)
    }
    try desk.load("qhp-providers", "plans/acme-2025-01-01").succeeded()
    func load(_ release: String, _ options: String...) throws -> Program.Outcome {
      try desk.load("fhir-directory", "acme-2025-01-01", options: ["--release", release] + options)
    }
    try load("acme-2025-01-01").failed(
      3, saying: "directory.provider has a release acme-2025-01-01 of the pipeline qhp-providers")
    try load("acme2-2025-01-01").failed(3, saying: "acme-2025-01-01", "--force")
    try load("acme2-2025-01-01", "--force").succeeded(saying: "is loaded as acme2-2025-01-01")
  }
}
