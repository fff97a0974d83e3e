import Foundation
import TestSupport
import Testing

@Suite("The identifiers of a directory in FHIR")
struct FHIRIdentityTests {
  private static let (first, second) = ("1234567893", "1245319599")

  /// Identifiers of a person, and the NPI that follows.
  private static let cases: [(identifiers: String, npi: String)] =
    [
      "http://hl7.org/fhir/sid/us-npi", "https://hl7.org/fhir/sid/us-npi", "http://hl7.org/fhir/sid/us-NPI",
      "HTTP://HL7.ORG/FHIR/SID/US-NPI/", "https://hl7.org/fhir/sid/us-npi/", "2.16.840.1.113883.4.6",
      "urn:oid:2.16.840.1.113883.4.6", "URN:OID:2.16.840.1.113883.4.6",
      "http://terminology.hl7.org/NamingSystem/npi", "https://terminology.hl7.org/NamingSystem/NPI",
    ].map { (#"{"system":"\#($0)","value":"\#(first)"}"#, first) } + [
      (
        #"{"type":{"coding":[{"code":"MD"},{"system":"x/v2-0203","code":"NPI"}]},"value":"\#(first)"}"#, first
      ),
      (#"{"system":"http://hl7.org/fhir/sid/us-npi","value":" \#(first) "}"#, first),
      (#"{"system":"http://hl7.org/fhir/sid/us-npi","value":\#(first)}"#, first),
      // The one in force, on the day of the release.
      (
        npi(second, #","period":{"end":"2024-12-31"}"#) + "," + npi(first, #","period":{"start":"2025"}"#),
        first
      ),
      (
        npi(second, #","period":{"start":"2025-06-16"}"#) + ","
          + npi(first, #","period":{"end":"2025-06-15"}"#), first
      ),
      (npi(second, #","use":"old""#) + "," + npi(first, #","period":{"end":"2024"}"#), first),
      (npi(second, #","period":{"end":"2024"}"#) + "," + npi(first), first),
      (npi(first, #","use":"old""#), first), (npi(first, #","period":{"end":"2024"}"#), first),
      // None is one that is no number of ten digits which begins with 1 or 2.
      (npi("3234567893"), "-"), (npi("0123456789"), "-"), (npi("123456789"), "-"), (npi("01234567893"), "-"),
      (npi("123 456 7893"), "-"), (npi("1234567893.0"), "-"), (npi("applied for"), "-"),
      (npi("1234567890"), "-"),
      (#"{"system":"urn:x","value":"\#(first)"}"#, "-"),
    ]

  private static func npi(_ value: String, _ more: String = "") -> String {
    #"{"system":"http://hl7.org/fhir/sid/us-npi","value":"\#(value)"\#(more)}"#
  }

  @Test("give an NPI by every spelling of its system, and cost no record where they are bad")
  func numbers() throws {
    let desk = try Desk()
    for (kind, table) in [("Practitioner", "provider"), ("Organization", "organization")] {
      let lines = Self.cases.enumerated().map { number, item in
        #"{"resourceType":"\#(kind)","id":"\#(100 + number)","identifier":[\#(item.identifiers)]}"# + "\n"
      }
      let release = "\(table)-2025-06-15"
      try desk.scratch.write("\(release)/all.ndjson", lines.joined())
      let prefix = kind == "Practitioner" ? "" : "organization-"
      try desk.load("fhir-directory", release).succeeded(
        saying: "warning: \(prefix)npi-check-digit: 1 found", "warning: \(prefix)npi-form: 3 found",
        "npi: 3 values were left blank: the value holds something else than digits",
        "npi: 1 values were left blank: the value has more digits than its column",
        "warning: npi-of-unknown-system: 1 found")
      let found = try desk.rows(
        "SELECT npi FROM directory.\(table) WHERE release = '\(release)' ORDER BY source_id")
      try #require(found.count == Self.cases.count)
      for (item, npi) in zip(Self.cases, found) { #expect(npi == item.npi, "\(kind) \(item.identifiers)") }
      // A bad identifier costs the identifier as NPI, and is kept with the others.
      #expect(
        try desk.value(
          "SELECT count(*) FROM directory.\(table)_identifier WHERE identifier ~ 'applied|123 456|^3234'")
          == "3")
      #expect(try desk.value("SELECT count(*) FROM rivulet.reject") == "0")
    }
  }

  @Test("never store a social security number, wherever a record has it, and say that one was there")
  func socialSecurityNumbers() throws {
    let desk = try Desk()
    let spellings = [
      #""system":"http://hl7.org/fhir/sid/us-ssn""#, #""system":"HTTPS://hl7.org/fhir/sid/US-SSN/""#,
      #""system":"urn:oid:2.16.840.1.113883.4.1""#, #""system":"2.16.840.1.113883.4.1""#,
      #""type":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/v2-0203","code":"SS"}]}"#,
    ]
    let lines = spellings.enumerated().flatMap { number, spelling in
      let secret = #"{\#(spelling),"value":"12\#(number)-45-6789"}"#
      let good = #"{"system":"urn:x","value":"L\#(number)"}"#
      return [
        "Practitioner", "Organization", "PractitionerRole", "Location", "HealthcareService", "Endpoint",
        "OrganizationAffiliation", "InsurancePlan",
      ].map { kind in
        #"{"resourceType":"\#(kind)","id":"\#(kind)\#(number)","identifier":[\#(secret),\#(good)],"#
          + #""qualification":[{"identifier":[\#(secret)]}],"practitioner":{"identifier":\#(secret)},"#
          + #""partOf":{"identifier":\#(secret)},"plan":[{"identifier":[\#(secret)]}]}"# + "\n"
      }
    }
    try desk.scratch.write("ex-2025-01-01/all.ndjson", lines.joined())
    let run = try desk.load("fhir-directory", "ex-2025-01-01").succeeded(
      saying: "warning: social-security-numbers: 40 found")
    #expect(!(run.output + run.errors).contains("45-6789"))
    let tables = try desk.rows(
      """
      SELECT c.oid::regclass FROM pg_class c WHERE c.relkind IN ('r', 'p')
        AND c.relnamespace IN ('directory'::regnamespace, 'rivulet'::regnamespace)
      """)
    for table in tables {
      #expect(try desk.value("SELECT count(*) FROM \(table) t WHERE t::text ~ '45-6789'") == "0", "\(table)")
    }
    #expect(try desk.value("SELECT count(*) FROM directory.provider_identifier") == "5")
    #expect(try desk.value("SELECT count(*) FROM directory.endpoint_identifier") == "5")
    #expect(
      try desk.value("SELECT string_agg(withheld, ' ' ORDER BY source_id) FROM directory.provider")
        == "http://hl7.org/fhir/sid/us-ssn HTTPS://hl7.org/fhir/sid/US-SSN/ urn:oid:2.16.840.1.113883.4.1 "
        + "2.16.840.1.113883.4.1 SS")
  }

  @Test("keep none with a record that is refused, nor show it, and take the record corrected")
  func refusedRecords() throws {
    let desk = try Desk()
    let secret =
      #""identifier":[{"system":"http://hl7.org/fhir/sid/us-ssn","value":"123456789"},"#
      + #"{"type":{"coding":[{"code":"SS"}]},"value":"123-45-6789"},{"system":"urn:x","value":"L1"}]"#
    let lines = [
      #"{"resourceType":"Practitioner",\#(secret)}"#,
      #"{"resourceType":"Practitioner","id":"b",\#(secret),"name":[{"postal":}]}"#,
      #"{"resourceType":"Practitioner","id":"c","identifier":[{"system":"urn:x","value":"L2"}]}"#,
    ]
    try desk.scratch.write("ex-2025-01-01/all.ndjson", lines.map { $0 + "\n" }.joined())
    let options = ["--max-rejects", "2", "-v"]
    let run = try desk.load("fhir-directory", "ex-2025-01-01", options: options).succeeded()
    run.withholding("123456789", "45-6789")
    #expect(
      try desk.rows("SELECT convert_from(raw, 'UTF8') FROM rivulet.reject ORDER BY line").map {
        $0.contains("*********") && $0.contains("***-**-****") && !$0.contains("6789")
      } == [true, true])
    let file = desk.scratch.path + "/fixed.ndjson"
    try desk.program.run("rejects", "export", "1", "-o", file).succeeded()
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try desk.scratch.write(
      "fixed.ndjson",
      text.replacing("\"Practitioner\",\"identifier", with: "\"Practitioner\",\"id\":\"a\",\"identifier")
        .replacing(#","name":[{"postal":}]"#, with: ""))
    // What the layout leaves out anyway may stay as it is.
    try desk.program.run("rejects", "replay", "1", file).succeeded()
    #expect(
      try desk.rows("SELECT source_id, identifier FROM directory.provider_identifier ORDER BY 1")
        == ["a|L1", "b|L1", "c|L2"])
  }
}
