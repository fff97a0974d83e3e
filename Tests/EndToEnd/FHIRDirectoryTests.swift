import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Directories in FHIR: the same resources in each form that they are published in.
@Suite("A directory in FHIR", .serialized)
struct FHIRDirectoryTests {
  private static let lines = "directory/fhir-plannet-ndjson"
  private static let bundle = "directory/fhir-xml/plannet-bundle.xml"
  /// Its numbers are made up.
  private static let accepting = ["--accept", "npi-check-digit", "--accept", "organization-npi-check-digit"]

  private static let loaded: Result<(TestDatabase, Program), any Error> = Result {
    let (database, program) = try Loaded.migrated()
    let outcome = try program.run(
      ["run", "fhir-directory", SharedData.path(lines), "--release", "lines-2025-11-20"] + accepting)
    try #require(outcome.status == 0, "\(outcome.errors)\(outcome.output)")
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

  private func counts(_ release: String, in database: TestDatabase) throws -> [String: String] {
    var counts: [String: String] = [:]
    for table in [
      "provider", "organization", "network", "practitioner_role", "healthcare_service", "practice_location",
      "endpoint",
      "organization_affiliation", "insurance_plan",
    ] {
      counts[table] = try database.value(
        "SELECT count(*) FROM directory.\(table) WHERE release = '\(release)'")
    }
    return counts
  }

  @Test("loads whole from lines of JSON", .needs(lines))
  func fromLines() throws {
    let (database, _) = try Self.loaded.get()
    #expect(
      try counts("lines-2025-11-20", in: database) == [
        "provider": "2003", "organization": "176", "network": "15", "practitioner_role": "2006",
        "healthcare_service": "168", "practice_location": "658", "endpoint": "41",
        "organization_affiliation": "165",
        "insurance_plan": "32",
      ])
    for (query, expected) in [
      ("provider_name", "2003"), ("provider_address", "2000"), ("provider_identifier", "2003"),
      ("provider_taxonomy", "2406"), ("provider_telecom", "4000"),
      ("provider WHERE npi IS NULL", "0"), ("organization WHERE npi IS NOT NULL", "55"),
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
    let (database, program) = try Self.loaded.get()
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
      let outcome = try program.run(
        ["run", "fhir-directory", source, "--release", release] + Self.accepting)
      try #require(outcome.status == 0, "\(outcome.errors)")
      #expect(
        try content(of: release, in: database) == content(of: "lines-2025-11-20", in: database), "\(release)")
    }
  }

  @Test("has made-up numbers quarantined, unless they are accepted", .needs(lines))
  func checkDigits() throws {
    let (database, program) = try Loaded.migrated()
    let arguments = ["run", "fhir-directory", SharedData.path(Self.lines), "--release", "a-2025-11-20"]
    let refused = try program.run(arguments)
    #expect(refused.status == 3 && refused.errors.contains("npi-check-digit"), "\(refused.errors)")
    let outcome = try program.run(arguments + ["--max-rejects", "2000"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(try database.value("SELECT count(*) FROM directory.provider") == "218")
    #expect(
      try database.value("SELECT string_agg(DISTINCT rule, ' ' ORDER BY rule) FROM rivulet.reject_reason")
        == "npi-check-digit organization-npi-check-digit")
    #expect(
      try database.value(
        "SELECT count(*) FROM rivulet.reject j JOIN rivulet.source_file f USING (source_file_id) JOIN rivulet.release r USING (run) WHERE r.state = 'published'"
      ) == "1829")
    #expect(
      try database.value(
        "SELECT count(*) > 1000 FROM directory.reference WHERE NOT is_there AND path = 'practitioner'") == "t"
    )
    #expect(outcome.errors.contains("references-lead-somewhere"), "\(outcome.errors)")
  }

  @Test("loads from files of one resource each, and tells what nobody takes", .needs("directory/fhir-xml"))
  func singleResources() throws {
    let scratch = try Scratch()
    let folder = SharedData.path("directory/fhir-xml")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name != "plannet-bundle.xml"
    {
      try scratch.write(
        "vhdir-2018-12-08/" + name, try String(contentsOfFile: folder + "/" + name, encoding: .utf8))
    }
    let (database, program) = try Loaded.migrated()
    let outcome = try program.run("run", "fhir-directory", scratch.path + "/vhdir-2018-12-08")
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try counts("vhdir-2018-12-08", in: database) == [
        "provider": "1", "organization": "7", "network": "0", "practitioner_role": "1",
        "healthcare_service": "5",
        "practice_location": "5", "endpoint": "1", "organization_affiliation": "2", "insurance_plan": "1",
      ])
    let again = try program.run("run", "fhir-directory", scratch.path + "/vhdir-2018-12-08")
    #expect(again.status == 0 && again.output.contains("unchanged"), "\(again.output)")
    // A service and a place are there twice, once in a Bundle.
    #expect(
      try database.value(
        "SELECT sum((skipped_by ->> 'copies-healthcare-service')::int + 0) FROM rivulet.source_file") == "1")
    #expect(
      try database.value(
        """
        SELECT count(DISTINCT coalesce(entry, file)) FROM rivulet.source_file WHERE coalesce(entry, file) ~ '(careteam|verificationresult)'
          AND records_skipped = 1 AND skipped_by ? 'another-kind-of-record'
        """) == "2")
  }

  @Test("allows a share of its records to be refused, each counted once for all nine sources that read it")
  func share() throws {
    let scratch = try Scratch()
    // Two hundred records of every kind, of which two are refused: one without an identifier, and one of a
    // kind that two sources take from.
    let kinds = [
      "Organization", "Location", "Endpoint", "HealthcareService", "PractitionerRole",
      "OrganizationAffiliation", "InsurancePlan",
    ]
    let others = kinds.map { #"{"resourceType":"\#($0)","id":"\#($0)"}"# }
    let network = #"{"resourceType":"Organization","id":"n","type":[{"coding":[{"code":"ntwk"}]}]}"#
    let bad = [
      #"{"resourceType":"Practitioner"}"#, #"{"resourceType":"Organization","id":"o","id":"p"}"#,
    ]
    let good = (1...(200 - 2 - 1 - others.count)).map { #"{"resourceType":"Practitioner","id":"p\#($0)"}"# }
    try scratch.write(
      "acme-2025-01-01/all.ndjson", (others + [network] + bad + good).joined(separator: "\n") + "\n")
    let (_, program) = try Loaded.migrated()
    func run(_ limit: String) throws -> Program.Outcome {
      try program.run("run", "fhir-directory", scratch.path + "/acme-2025-01-01", "--max-rejects", limit)
    }
    let refused = try run("0.99%")
    #expect(refused.status == 3, "\(refused.output)")
    #expect(refused.errors.contains("2 of 200 records were refused, 0.99% allowed"), "\(refused.errors)")
    let allowed = try run("1%")
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(allowed.errors.contains("2 of 200 records were refused and kept"), "\(allowed.errors)")
  }

  @Test("has numbers with an exponent, as JSON may write them, and no texts that look like them")
  func exponents() throws {
    let scratch = try Scratch()
    func place(_ id: String, _ latitude: String) -> String {
      #"{"resourceType":"Location","id":"\#(id)","position":{"latitude":\#(latitude),"longitude":-7.2E+1}}"#
    }
    let texts = ["4.15e1", "415000000000000000000000000000e-28", "4.15e-400", "4e400", #""4.15e1""#, "41.5"]
    try scratch.write(
      "acme-2025-01-01/all.ndjson",
      texts.enumerated().map { place("l\($0.offset)", $0.element) }.joined(separator: "\n") + "\n")
    let (database, program) = try Loaded.migrated()
    let run = try program.run(
      "run", "fhir-directory", scratch.path + "/acme-2025-01-01", "--max-rejects", "3")
    try #require(run.status == 0, "\(run.errors)")
    #expect(
      try database.value(
        """
        SELECT string_agg(source_id || ' ' || trim_scale(latitude) || ' ' || trim_scale(longitude), ', ' ORDER BY source_id)
        FROM directory.practice_location
        """) == "l0 41.5 -72, l1 41.5 -72, l5 41.5 -72")
    #expect(
      try database.value("SELECT string_agg(line || ' ' || rule, ', ' ORDER BY line) FROM rivulet.reject")
        == "3 too-many-decimals, 4 decimal-too-large, 5 not-a-decimal")
  }

  @Test("keeps all of a name, an address and its references, of JSON as of XML")
  func everything() throws {
    let npi = "http://hl7.org/fhir/sid/us-npi"
    let scratch = try Scratch()
    let resources = [
      #"""
      {"resourceType":"Practitioner","id":"11111111-2222-4333-8444-55555555aaaa",
       "identifier":[{"use":"old","system":"\#(npi)","value":"1245319599"},{"system":"\#(npi)","value":"1234567893"}],
       "name":[{"family":"Ex","given":["Ann",null,"Cat","Dot"]}],
       "address":[{"line":["1 High St","Floor 2","Room 3"],"city":"Ely"}]}
      """#,
      #"{"resourceType":"Practitioner","id":"p2","identifier":[{"use":"old","system":"\#(npi)","value":"1245319599"}]}"#,
      #"{"resourceType":"Organization","id":"o1","identifier":[{"system":"urn:x","value":"77"}]}"#,
      #"{"resourceType":"Organization","id":"n1","type":[{"coding":[{"code":"ntwk"}]}]}"#,
      #"""
      {"resourceType":"PractitionerRole","id":"r1",
       "practitioner":{"reference":"urn:uuid:11111111-2222-4333-8444-55555555AAAA"},
       "organization":{"reference":"https://ex.org/fhir/Organization/o1/_history/2"},
       "location":[{"reference":"#here"},{"reference":"https://ex.org/fhir/Location/gone"}],
       "healthcareService":[{"identifier":{"system":"urn:x","value":"77"}},{"identifier":{"system":"urn:x","value":"78"},"display":"Ex"}],
       "extension":[{"url":"network","valueReference":{"reference":"Organization/n1"}},
         {"url":"newpatients","extension":[{"url":"fromNetwork","valueReference":{"reference":"Organization/n1/_history/1"}}]}]}
      """#,
    ]
    try scratch.write(
      "bundle.json",
      "{\"resourceType\":\"Bundle\",\"entry\":[\(resources.map { "{\"resource\":\($0)}" }.joined(separator: ","))]}"
    )
    let xml = try resources.map {
      try Self.xml(try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]))
    }
    try scratch.write(
      "bundle.xml",
      "<Bundle>\(xml.map { "<entry><resource>\($0)</resource></entry>" }.joined())</Bundle>")
    let (database, program) = try Loaded.migrated()
    for format in ["json", "xml"] {
      let run = try program.run(
        "run", "fhir-directory", scratch.path + "/bundle." + format, "--release", "\(format)-2025-01-01")
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.contains("references-lead-somewhere: 2 found"), "\(run.errors)")
    }
    #expect(
      try content(of: "json-2025-01-01", in: database) == content(of: "xml-2025-01-01", in: database))
    func value(_ sql: String) throws -> String? {
      try database.value(sql + " AND release = 'json-2025-01-01'")
    }
    #expect(
      try value("SELECT string_agg(npi::text, ' ' ORDER BY source_id) FROM directory.provider WHERE true")
        == "1234567893 1245319599")
    #expect(
      try value("SELECT concat_ws('|', first_name, middle_name) FROM directory.provider_name WHERE true")
        == "Ann|Cat Dot")
    #expect(
      try value("SELECT concat_ws('|', line_1, line_2) FROM directory.provider_address WHERE true")
        == "1 High St|Floor 2, Room 3")
    #expect(
      try value(
        """
        SELECT string_agg(concat_ws(' ', slot, path, identifier_system, identifier, display, is_there), ',' ORDER BY slot)
        FROM directory.reference WHERE kind = 'PractitionerRole'
        """)
        == "1 practitioner t,2 organization t,3 location t,4 location f,5 healthcareService urn:x 77 t,"
        + "6 healthcareService urn:x 78 Ex f,7 extension.valueReference t,8 extension.extension.valueReference t"
    )
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

  @Test("has its refused records exported, corrected and loaded")
  func replay() throws {
    let scratch = try Scratch()
    let good = #"{"resourceType":"Practitioner","id":"p1","name":[{"family":"Ex","given":["Am"]}]}"#
    try scratch.write(
      "ex-2025-01-01/Practitioner.ndjson",
      good + "\n" + #"{"resourceType":"Practitioner","name":[{"family":"Without"}]}"# + "\n"
        + #"{"resourceType":"Practitioner","id":"p3","id":"p4"}"# + "\n")
    try scratch.write(
      "ex2-2025-01-01/bundle.xml",
      "<Bundle><entry><resource><Practitioner><id value='p1'/></Practitioner></resource></entry>"
        + "<entry><resource><Practitioner>\n<id value=''/></Practitioner></resource></entry></Bundle>")
    let (database, program) = try Loaded.migrated()
    for (name, change) in [
      ("ex-2025-01-01", (from: #""name":[{"family":"Without"}]"#, to: #""id":"p2""#)),
      ("ex2-2025-01-01", (from: "<id value=''/>", to: "<id value='p2'/>")),
    ] {
      let refused = try program.run("run", "fhir-directory", scratch.path + "/" + name)
      #expect(refused.status == 3, "\(refused.errors)")
      let outcome = try program.run(
        "run", "fhir-directory", scratch.path + "/" + name, "--max-rejects", "2", "--format", "json")
      try #require(outcome.status == 0, "\(outcome.errors)")
      let run = try #require(try database.value("SELECT max(run) FROM rivulet.run"))
      let file = scratch.path + "/corrected-" + name
      let export = try program.run("rejects", "export", run, "-o", file)
      try #require(export.status == 0, "\(export.errors)")
      var text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains(change.from), "\(text)")
      text = text.replacing(change.from, with: change.to)
        .replacing(#""id":"p3","id":"p4""#, with: #""id":"p3""#)
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let replay = try program.run("rejects", "replay", run, file)
      try #require(replay.status == 0, "\(replay.errors)")
      #expect(
        try database.value(
          "SELECT string_agg(source_id, ' ' ORDER BY source_id) FROM directory.provider WHERE release = '\(name)'"
        )
          == (name == "ex-2025-01-01" ? "p1 p2 p3" : "p1 p2"))
    }
  }

  @Test("is refused where it is none, with what was found")
  func noDirectory() throws {
    let scratch = try Scratch()
    try scratch.write("x-2025-01-01/a.json", #"{"resourceType":"Patient","id":"1"}"#)
    try scratch.write("y-2025-01-01/a.xml", "<Practitioner><id value='1'/>")
    let (_, program) = try Loaded.migrated()
    let broken = try program.run("run", "fhir-directory", scratch.path + "/y-2025-01-01")
    #expect(broken.status != 0 && broken.errors.contains("the XML cannot be read"), "\(broken.errors)")
    let patient = try program.run("run", "fhir-directory", scratch.path + "/x-2025-01-01")
    #expect(patient.status != 0 && patient.errors.contains("Patient"), "\(patient.errors)")
  }
}
