import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Directories in FHIR: the same resources in each form that they are published in.
@Suite("A directory in FHIR")
struct FHIRDirectoryTests {
  private static let lines = "directory/fhir-plannet-ndjson"
  private static let bundle = "directory/fhir-xml/plannet-bundle.xml"
  /// Its numbers are made up.
  private static let accepting = ["--accept", "npi-check-digit", "--accept", "organization-npi-check-digit"]

  private func loaded() throws -> (TestDatabase, Program) {
    let (database, program) = try Loaded.migrated()
    try program.run(
      ["run", "fhir-directory", SharedData.path(Self.lines), "--release", "lines-2025-11-20"]
        + Self.accepting
    ).succeeded()
    return (database, program)
  }

  /// Every row of a release, table by table, without where it came from.
  private func content(of release: String, in database: TestDatabase) throws -> [String] {
    let tables = try database.connect().query(
      """
      SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'directory'::regnamespace AND c.relkind = 'p' ORDER BY 1
      """
    ).rows.map { try $0.value(0, String.self) }
    return try tables.map { table in
      let found = try database.value(
        """
        SELECT count(*) || ' ' || coalesce(md5(string_agg(h, '' ORDER BY h COLLATE "C")), '')
        FROM (SELECT md5((to_jsonb(r) - 'release' - 'source_file_id' - 'source_line')::text) AS h
          FROM directory.\(table) r WHERE release = '\(release)') rows
        """)
      return "\(table) \(found ?? "")"
    }
  }

  /// How many rows of a release each of the tables of resources has.
  private func counts(_ release: String, in database: TestDatabase) throws -> [String] {
    try [
      "provider", "organization", "network", "practitioner_role", "healthcare_service", "practice_location",
      "endpoint", "organization_affiliation", "insurance_plan",
    ].compactMap {
      try database.value("SELECT '\($0) ' || count(*) FROM directory.\($0) WHERE release = '\(release)'")
    }
  }

  @Test("loads whole from lines of JSON", .needs(lines))
  func fromLines() throws {
    let (database, _) = try loaded()
    #expect(
      try counts("lines-2025-11-20", in: database) == [
        "provider 2003", "organization 176", "network 15", "practitioner_role 2006", "healthcare_service 168",
        "practice_location 658", "endpoint 41", "organization_affiliation 165", "insurance_plan 32",
      ])
    for (query, expected) in [
      ("provider_name", "2003"), ("provider_address", "2000"), ("provider_identifier", "2003"),
      ("provider_taxonomy", "2406"), ("provider_telecom", "4000"),
      ("provider WHERE npi IS NULL", "3"), ("organization WHERE npi IS NOT NULL", "54"),
      ("practitioner_role_reference WHERE path = 'practitioner'", "2003"),
      ("practitioner_role_concept WHERE path = 'specialty.coding'", "2007"),
      ("organization_affiliation_reference WHERE path = 'location'", "616"),
      ("reference WHERE NOT is_there", "0"), ("insurance_plan_reference WHERE path = 'network'", "33"),
    ] {
      #expect(try database.value("SELECT count(*) FROM directory.\(query)") == expected, "\(query)")
    }
    #expect(
      try database.value(
        """
        SELECT concat_ws('|', n.kind, n.last_name, n.first_name, n.middle_name, a.city, a.state, t.taxonomy)
        FROM directory.provider p JOIN directory.provider_name n USING (release, source_id)
        JOIN directory.provider_taxonomy t USING (release, source_id)
        LEFT JOIN directory.provider_address a USING (release, source_id)
        WHERE source_id = 'Counselor'
        """) == "official|Smith|Susie|101YP2500X")
    // Read is loaded, rejected and skipped, source by source.
    #expect(
      try database.value(
        """
        SELECT count(*) FROM rivulet.source_file
        WHERE records_read <> records_loaded + records_rejected + records_skipped OR records_read = 0
        """) == "0")
  }

  @Test("is the same as a JSON Bundle and as an XML Bundle", .needs(lines, bundle))
  func sameInEachForm() throws {
    let (database, program) = try loaded()
    let scratch = try Scratch()
    var resources: [String] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: SharedData.path(Self.lines)).sorted() {
      let text = try String(contentsOfFile: SharedData.path(Self.lines + "/" + name), encoding: .utf8)
      resources += text.split(separator: "\n").map { "{\"fullUrl\":\"urn:x\",\"resource\":\($0)}" }
    }
    #expect(resources.count == 5264)
    try scratch.write(
      "bundle.json", "{\"entry\":[\(resources.joined(separator: ",\n"))],\"resourceType\":\"Bundle\"}")
    for (source, release) in [
      (scratch.path + "/bundle.json", "json-2025-11-20"), (SharedData.path(Self.bundle), "xml-2025-11-20"),
    ] {
      try program.run(["run", "fhir-directory", source, "--release", release] + Self.accepting).succeeded()
      #expect(
        try content(of: release, in: database) == content(of: "lines-2025-11-20", in: database), "\(release)")
    }
  }

  @Test("is without made-up numbers, which are reported, unless they are accepted", .needs(lines))
  func checkDigits() throws {
    let desk = try Desk()
    func load(_ options: String...) throws -> Program.Outcome {
      try desk.load(
        "fhir-directory", SharedData.path(Self.lines), options: ["--release", "a-2025-11-20"] + options)
    }
    try load().succeeded(
      saying: "warning: npi-check-digit: 1785 found", "warning: organization-npi-check-digit: 44 found")
    for (query, answer) in [
      ("count(*) || ' ' || count(npi) FROM directory.provider", "2003 215"),
      ("count(*) || ' ' || count(npi) FROM directory.organization", "176 10"),
      ("count(*) FROM rivulet.reject", "0"), ("count(*) FROM directory.reference WHERE NOT is_there", "0"),
      // A bad identifier costs the identifier: it is where all are.
      (
        "count(*) FROM directory.provider_identifier WHERE kind ~ 'us-npi' AND NOT directory.has_npi_form(identifier)",
        "1788"
      ),
    ] { #expect(try desk.value("SELECT " + query) == answer) }
    try load("--accept", "npi-check-digit", "--force").succeeded(
      saying: "warning: npi-check-digit: 1785 found", ", accepted")
    #expect(try desk.value("SELECT count(npi) FROM directory.provider") == "2000")
    #expect(try desk.value("SELECT count(npi) FROM directory.organization") == "10")
  }

  @Test("loads from files of one resource each, and tells what nobody takes", .needs("directory/fhir-xml"))
  func singleResources() throws {
    let desk = try Desk()
    let (source, folder) = (SharedData.path("directory/fhir-xml"), desk.path("vhdir-2018-12-08"))
    try FileManager.default.copyItem(atPath: source, toPath: folder)
    try FileManager.default.removeItem(atPath: folder + "/plannet-bundle.xml")
    try desk.load("fhir-directory", folder).succeeded()
    #expect(
      try counts("vhdir-2018-12-08", in: desk.database) == [
        "provider 1", "organization 7", "network 0", "practitioner_role 1", "healthcare_service 5",
        "practice_location 5", "endpoint 1", "organization_affiliation 2", "insurance_plan 1",
      ])
    try desk.load("fhir-directory", folder).succeeded(showing: "unchanged")
    // A service and a place are there twice, once in a Bundle.
    #expect(
      try desk.value(
        "SELECT sum((skipped_by ->> 'copies-healthcare-service')::int + 0) FROM rivulet.source_file") == "1")
    #expect(
      try desk.value(
        """
        SELECT count(DISTINCT coalesce(entry, file)) FROM rivulet.source_file WHERE coalesce(entry, file) ~ '(careteam|verificationresult)'
          AND records_skipped = 1 AND skipped_by ? 'another-kind-of-record'
        """) == "2")
  }

  @Test("allows a share of its records to be refused, each counted once for all nine sources that read it")
  func share() throws {
    // Two hundred records of every kind, of which two are refused: one without an identifier, and one of a
    // kind that two sources take from.
    let desk = try Desk()
    let others = [
      "Organization", "Location", "Endpoint", "HealthcareService", "PractitionerRole",
      "OrganizationAffiliation", "InsurancePlan",
    ].map { #"{"resourceType":"\#($0)","id":"\#($0)"}"# }
    let special = [
      #"{"resourceType":"Organization","id":"n","type":[{"coding":[{"code":"ntwk"}]}]}"#,
      #"{"resourceType":"Practitioner"}"#, #"{"resourceType":"Organization","id":"o","id":"p"}"#,
    ]
    let good = (1...190).map { #"{"resourceType":"Practitioner","id":"p\#($0)"}"# }
    try desk.scratch.write(
      "acme-2025-01-01/all.ndjson", (others + special + good).joined(separator: "\n") + "\n")
    func load(_ limit: String) throws -> Program.Outcome {
      try desk.load("fhir-directory", "acme-2025-01-01", options: ["--max-rejects", limit])
    }
    try load("0.99%").failed(3, saying: "2 of 200 records were refused, 0.99% allowed")
    try load("1%").succeeded(saying: "2 of 200 records were refused and kept")

    // Numbers have exponents, as JSON may write them, and texts are not taken for such.
    let texts = ["4.15e1", "415000000000000000000000000000e-28", "4.15e-400", "4e400", #""4.15e1""#, "41.5"]
    let places = texts.enumerated().map { number, latitude in
      #"{"resourceType":"Location","id":"l\#(number)","position":{"latitude":\#(latitude),"longitude":-7.2E+1}}"#
    }
    try desk.scratch.write("other-2025-01-02/all.ndjson", places.joined(separator: "\n") + "\n")
    // A place is one without its coordinates, too: they are left blank, and reported.
    try desk.load("fhir-directory", "other-2025-01-02").succeeded(
      saying: "latitude: 1 values were left blank: the value has more decimals than its column")
    #expect(
      try desk.value(
        """
        SELECT string_agg(concat_ws(' ', source_id, trim_scale(latitude), trim_scale(longitude)), ', ' ORDER BY source_id)
        FROM directory.practice_location WHERE release = 'other-2025-01-02'
        """) == "l0 41.5 -72, l1 41.5 -72, l2 -72, l3 -72, l4 -72, l5 41.5 -72")
    #expect(
      try desk.value(
        """
        SELECT count(*) FROM rivulet.reject JOIN rivulet.source_file USING (source_file_id)
        WHERE run = (SELECT max(run) FROM rivulet.run)
        """
      ) == "0")
  }

  @Test("keeps all of a name, an address and its references, of JSON as of XML")
  func everything() throws {
    let npi = "http://hl7.org/fhir/sid/us-npi"
    let desk = try Desk()
    let resources = [
      #"""
      {"resourceType":"Practitioner","id":"11111111-2222-4333-8444-55555555aaaa",
       "identifier":[{"use":"old","system":"\#(npi)","value":"1245319599"},{"system":"\#(npi)","value":"1234567893"}],
       "name":[{"family":"Ex","given":["Ann",null,"Cat","Dot"]}],
       "address":[{"line":["1 High St","Floor 2","Room 3"],"city":"Ely"}]}
      """#,
      #"""
      {"resourceType":"Practitioner","id":"p2","identifier":[{"use":"old","system":"\#(npi)","value":"1245319599"}],
       "telecom":[{"system":"phone","value":"(202) 555-0143 x9"},{"system":"email","value":"2025550143@ex.org"},
         {"system":"fax","value":"ask us"}],
       "address":[{"state":"Connecticut","postalCode":"061051208","country":"USA"},
         {"state":"Bayern","postalCode":"80331-1234","country":"DE"}]}
      """#,
      #"{"resourceType":"Organization","id":"o1","identifier":[{"system":"urn:x","value":"77"}]}"#,
      #"{"resourceType":"Organization","id":"n1","type":[{"coding":[{"code":"ntwk"}]}]}"#,
      #"""
      {"resourceType":"PractitionerRole","id":"r1",
       "practitioner":{"reference":"urn:uuid:11111111-2222-4333-8444-55555555AAAA"},
       "organization":{"reference":"https://ex.org/fhir/Organization/o1/_history/2"},
       "location":[{"reference":"#here"},{"reference":"https://ex.org/fhir/Location/gone"}],
       "endpoint":[{"display":"by name"}],
       "healthcareService":[{"identifier":{"system":"urn:x","value":"77"}},{"identifier":{"system":"urn:x","value":"78"},"display":"Ex"}],
       "extension":[{"url":"network","valueReference":{"reference":"Organization/n1"}},
         {"url":"newpatients","extension":[{"url":"acceptingPatients"},{"url":"fromNetwork","valueReference":{"reference":"Organization/n1/_history/1"}}]}]}
      """#,
    ]
    let json = resources.map { "{\"resource\":\($0)}" }.joined(separator: ",")
    let xml = try resources.map {
      let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
      return "<entry><resource>\(try Self.xml(try #require(object as? [String: Any])))</resource></entry>"
    }
    for (format, text) in [
      ("json", "{\"resourceType\":\"Bundle\",\"entry\":[\(json)]}"),
      ("xml", "<Bundle>\(xml.joined())</Bundle>"),
    ] {
      try desk.scratch.write("bundle." + format, text)
      try desk.load(
        "fhir-directory", "bundle." + format, options: ["--release", format + "-2025-01-01"]
      ).succeeded(saying: "references-lead-somewhere: 3 found")
    }
    #expect(
      try content(of: "json-2025-01-01", in: desk.database)
        == content(of: "xml-2025-01-01", in: desk.database))
    for (question, answer) in [
      ("string_agg(npi::text, ' ' ORDER BY source_id) FROM directory.provider", "1234567893 1245319599"),
      ("concat_ws('|', first_name, middle_name) FROM directory.provider_name", "Ann|Cat Dot"),
      (
        "concat_ws('|', line_1, line_2) FROM (SELECT * FROM directory.provider_address WHERE city = 'Ely') a",
        "1 High St|Floor 2, Room 3"
      ),
      // Of one form, and those of other countries as they are written.
      (
        "string_agg(value, ' ' ORDER BY slot) FROM directory.provider_telecom",
        "+12025550143;ext=9 2025550143@ex.org ask us"
      ),
      (
        """
        string_agg(concat_ws(' ', state, postal_code, country), ', ' ORDER BY slot)
        FROM (SELECT * FROM directory.provider_address WHERE source_id = 'p2') a
        """, "CT 06105 US, Bayern 80331-1234 DE"
      ),
      (
        """
        string_agg(concat_ws(' ', slot, path, identifier_system, identifier, display, is_there), ',' ORDER BY slot)
        FROM (SELECT * FROM directory.reference WHERE kind = 'PractitionerRole') r
        """,
        "1 practitioner t,2 organization t,3 location f,4 location f,5 healthcareService urn:x 77 t,"
          + "6 healthcareService urn:x 78 Ex f,7 endpoint by name,8 extension.valueReference t,"
          + "9 newPatients.network t"
      ),
    ] { #expect(try desk.value("SELECT \(question) WHERE release = 'json-2025-01-01'") == answer) }
  }

  /// A resource as FHIR writes it in XML.
  private static func xml(_ resource: [String: Any]) throws -> String {
    func element(_ name: String, _ value: Any) -> String {
      switch value {
      case let items as [Any]: items.map { element(name, $0) }.joined()
      case let thing as [String: Any]:
        "<\(name)>\(thing.sorted { $0.key < $1.key }.map { element($0.key, $0.value) }.joined())</\(name)>"
      case is NSNull: "<\(name) id=\"x\"/>"
      default: "<\(name) value=\"\(value)\"/>"
      }
    }
    let kind = try #require(resource["resourceType"] as? String)
    return element(kind, resource.filter { $0.key != "resourceType" })
  }

  @Test("has its refused records exported, corrected and loaded, and is refused where it is none")
  func replay() throws {
    let desk = try Desk()
    for (name, text) in [
      (
        "ex-2025-01-01/Practitioner.ndjson",
        """
        {"resourceType":"Practitioner","id":"p1","name":[{"family":"Ex","given":["Am"]}]}
        {"resourceType":"Practitioner","name":[{"family":"Without"}]}
        {"resourceType":"Practitioner","id":"p3","id":"p4"}

        """
      ),
      (
        "ex2-2025-01-01/bundle.xml",
        "<Bundle><entry><resource><Practitioner><id value='p1'/></Practitioner></resource></entry>"
          + "<entry><resource><Practitioner>\n<id value=''/></Practitioner></resource></entry></Bundle>"
      ),
      ("x-2025-01-01/a.json", #"{"resourceType":"Patient","id":"1"}"#),
      ("y-2025-01-01/a.xml", "<Practitioner><id value='1'/>"),
    ] { try desk.scratch.write(name, text) }
    for (name, corrections, ids) in [
      (
        "ex-2025-01-01",
        [(#""name":[{"family":"Without"}]"#, #""id":"p2""#), (#""id":"p3","id":"p4""#, #""id":"p3""#)],
        "p1 p2 p3"
      ),
      ("ex2-2025-01-01", [("<id value=''/>", "<id value='p2'/>")], "p1 p2"),
    ] {
      try desk.load("fhir-directory", name).failed(3)
      try desk.load("fhir-directory", name, options: ["--max-rejects", "2"]).succeeded()
      let run = try #require(try desk.value("SELECT max(run) FROM rivulet.run"))
      try desk.command("rejects", "export", run, "-o", desk.path("corrected"), "--force").succeeded()
      for (wrong, right) in corrections { try desk.edit("corrected", wrong, to: right) }
      try desk.command("rejects", "replay", run, desk.path("corrected")).succeeded()
      let found = "string_agg(source_id, ' ' ORDER BY source_id) FROM directory.provider"
      #expect(try desk.value("SELECT \(found) WHERE release = '\(name)'") == ids)
    }
    for (name, says) in [("x-2025-01-01", "Patient"), ("y-2025-01-01", "the XML cannot be read")] {
      let outcome = try desk.load("fhir-directory", name)
      #expect(outcome.status != 0 && outcome.errors.contains(says), "\(outcome.errors)")
    }
  }

  @Test(
    "is read compressed, under the names that the National Provider Directory gives them",
    .needs("directory/fhir-plannet-ndjson"))
  func compressed() throws {
    let desk = try Desk()
    let source = SharedData.path("directory/fhir-plannet-ndjson")
    let folder = desk.path("npd-2025-11-20")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let programs = [("gzip", ".gz"), ("zstd -q", ".zst"), ("cat", "")]
    for (number, kind) in [
      "Endpoint", "Location", "Organization", "OrganizationAffiliation", "PractitionerRole", "Practitioner",
    ].enumerated() {
      let (program, ending) = programs[number % 3]
      let target = "\(folder)/0\(number + 1)-\(kind).ndjson" + ending
      try Shell.run("sh", "-c", "\(program) < \"$0\" > \"$1\"", "\(source)/\(kind).ndjson", target)
    }
    try desk.load("fhir-directory", folder, options: Self.accepting + ["--allow-missing"]).succeeded()
    #expect(
      try counts("npd-2025-11-20", in: desk.database) == [
        "provider 2003", "organization 176", "network 15", "practitioner_role 2006", "healthcare_service 0",
        "practice_location 658", "endpoint 41", "organization_affiliation 165", "insurance_plan 0",
      ])
  }

  @Test("tells of records that no source takes, once, and counts what is malformed once")
  func others() throws {
    let desk = try Desk()
    try desk.scratch.write(
      "ex-2025-01-01/everything.ndjson",
      """
      {"resourceType":"Practitioner","id":"p1"}
      {"resourceType":"Location","id":"l1"}
      {"resourceType":"CareTeam","id":"c1"}
      {"resourceType":"CareTeam","id":"c2"}
      {"resourceType":"VerificationResult","id":"v1"}
      {"id":"x1"}
      {"resourceType":"Location","id":
      no JSON at all

      """)
    let run = try desk.load(
      "fhir-directory", "ex-2025-01-01", options: ["--allow-missing", "--max-rejects", "2"]
    ).succeeded()
    let found = run.errors.split(separator: "\n").filter { $0.contains("of kinds that no source takes") }
    #expect(found.count == 1 && found[0].contains("4 records of"), "\(run.errors)")
    #expect(
      found.last?.hasSuffix(
        "CareTeam (2), records that do not say what they are (1), VerificationResult (1)") == true)
    // What says that it is a place is the places' source's, and what says nothing the first one's.
    #expect(
      try desk.database.rows(
        """
        SELECT f.source, r.line, r.rule FROM rivulet.reject r JOIN rivulet.source_file f USING (source_file_id)
        ORDER BY r.line
        """) == ["location|7|cut-off", "practitioner|8|bad-json"])
    #expect(
      try desk.value(
        "SELECT count(*) FROM rivulet.source_file WHERE records_read <> records_loaded + records_rejected + records_skipped"
      ) == "0")
  }
}
