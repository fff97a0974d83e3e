import Foundation
import PostgreSQL
import TestSupport
import Testing

/// What the files of directories bring beside good records.
@Suite("Files of directories")
struct DirectoryFileTests {
  @Test(
    "are read compressed, under the names that the National Provider Directory gives them",
    .needs("directory/fhir-plannet-ndjson"))
  func compressed() throws {
    let scratch = try Scratch()
    let source = SharedData.path("directory/fhir-plannet-ndjson")
    let folder = scratch.path + "/npd-2025-11-20"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let programs = [("gzip", ".gz"), ("zstd -q", ".zst"), ("cat", "")]
    for (number, kind) in [
      "Endpoint", "Location", "Organization", "OrganizationAffiliation", "PractitionerRole", "Practitioner",
    ].enumerated() {
      let (program, ending) = programs[number % 3]
      let target = "\(folder)/0\(number + 1)-\(kind).ndjson" + ending
      try Shell.run("sh", "-c", "\(program) < \"$0\" > \"$1\"", "\(source)/\(kind).ndjson", target)
    }
    let (database, rivulet) = try Loaded.migrated()
    try rivulet.run(
      "run", "fhir-directory", folder, "--accept", "npi-check-digit", "--accept",
      "organization-npi-check-digit", "--allow-missing"
    ).succeeded()
    for (table, count) in [
      ("provider", "2003"), ("organization", "176"), ("network", "15"), ("practitioner_role", "2006"),
      ("practice_location", "658"), ("endpoint", "41"), ("organization_affiliation", "165"),
    ] {
      #expect(
        try database.value("SELECT count(*) FROM directory.\(table) WHERE release = 'npd-2025-11-20'")
          == count,
        "\(table)")
    }
  }

  @Test("tell of records that no source takes, once, and count what is malformed once")
  func others() throws {
    let scratch = try Scratch()
    try scratch.write(
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
    let (database, program) = try Loaded.migrated()
    let run = try program.run(
      "run", "fhir-directory", scratch.path + "/ex-2025-01-01", "--allow-missing", "--max-rejects", "2"
    ).succeeded()
    let found = run.errors.split(separator: "\n").filter { $0.contains("of kinds that no source takes") }
    #expect(found.count == 1, "\(run.errors)")
    #expect(found.first?.contains("4 records of") == true, "\(found)")
    #expect(
      found.first?.hasSuffix(
        "CareTeam (2), records that do not say what they are (1), VerificationResult (1)")
        == true,
      "\(found)")
    // What says that it is a place is the places' source's, and what says nothing the first one's.
    #expect(
      try database.value(
        """
        SELECT string_agg(f.source || ' ' || r.line || ' ' || r.rule, ', ' ORDER BY r.line)
        FROM rivulet.reject r JOIN rivulet.source_file f USING (source_file_id)
        """) == "location 7 cut-off, practitioner 8 bad-json")
    #expect(
      try database.value(
        "SELECT count(*) FROM rivulet.source_file WHERE records_read <> records_loaded + records_rejected + records_skipped"
      ) == "0")
  }

  @Test("in UTF-16 are refused with the way to correct them")
  func utf16() throws {
    let scratch = try Scratch()
    let text = #"{"resourceType":"Practitioner","id":"p1"}"#
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
      try scratch.write(
        "ex-2025-01-01/Practitioner.json", bytes: Array(try #require(text.data(using: encoding))))
      let run = try Program(database: "host=nowhere").run(
        "run", "fhir-directory", scratch.path + "/ex-2025-01-01")
      #expect(run.status == 3 && run.errors.contains("iconv -f UTF-16 -t UTF-8"), "\(run.errors)")
    }
  }

  @Test("have telephone numbers and addresses of one form, and those of other countries as they are written")
  func addresses() throws {
    let scratch = try Scratch()
    try scratch.write(
      "ex-2025-01-01/Practitioner.ndjson",
      """
      {"resourceType":"Practitioner","id":"p1","telecom":[{"system":"phone","value":"(202) 555-0143 x9"},\
      {"system":"email","value":"2025550143@ex.org"},{"system":"fax","value":"ask us"}],\
      "address":[{"state":"Connecticut","postalCode":"061051208","country":"USA"},\
      {"state":"Bayern","postalCode":"80331-1234","country":"DE"}]}

      """)
    let (database, program) = try Loaded.migrated()
    try program.run("run", "fhir-directory", scratch.path + "/ex-2025-01-01", "--allow-missing").succeeded()
    #expect(
      try database.value("SELECT string_agg(value, ' ' ORDER BY slot) FROM directory.provider_telecom")
        == "+12025550143;ext=9 2025550143@ex.org ask us")
    #expect(
      try database.value(
        "SELECT string_agg(concat_ws(' ', state, postal_code, country), ', ' ORDER BY slot) FROM directory.provider_address"
      ) == "CT 06105 US, Bayern 80331-1234 DE")
  }

  @Test("keep the places of other countries as they are written", .needs("directory/nppes"))
  func foreign() throws {
    let (database, program) = try Loaded.migrated()
    let run = try program.run("run", "nppes", SharedData.path("directory/nppes")).succeeded()
    #expect(
      try database.value(
        """
        SELECT string_agg(concat_ws(' ', state, postal_code, country), ', ' ORDER BY country)
        FROM directory.practice_location WHERE country NOT IN ('US', 'UM')
        """) == "Beijing 100016 CN, Rheinland-Pfalz 66849 DE, Siem Reap 00000 KH")
    #expect(!run.errors.contains("Beijing") && !run.errors.contains("Siem Reap"), "\(run.errors)")
  }

  @Test("with a telephone number that is none load without it, and tell so")
  func plans() throws {
    let scratch = try Scratch()
    try scratch.write(
      "acme-2025-01-01/providers.json",
      """
      [{"npi":"1234567893","type":"INDIVIDUAL","name":{"first":"Ada","last":"Exley"},"plans":[],
        "addresses":[{"address":"1 Main St","city":"Wexley","state":"CT","zip":"06105","phone":"call the desk"},
          {"address":"2 Main St","city":"Wexley","state":"CT","zip":"06105","phone":"2035551000 x4"}]}]
      """)
    let (database, program) = try Loaded.migrated()
    let run = try program.run("run", "qhp-providers", scratch.path + "/acme-2025-01-01").succeeded()
    #expect(run.errors.contains("phone: 1 values were left blank"), "\(run.errors)")
    #expect(
      try database.value(
        "SELECT string_agg(concat_ws(' ', line_1, phone, phone_extension), ', ' ORDER BY slot) FROM directory.provider_address"
      ) == "1 Main St, 2 Main St +12035551000 4")
  }
}
