import Foundation
import TestSupport
import Testing

@Suite("Whose patients a directory in FHIR takes")
struct FHIRNewPatientTests {
  private static let lines = "directory/fhir-plannet-ndjson"
  private static let tables = [
    ("PractitionerRole", "practitioner_role"), ("Location", "practice_location"),
    ("HealthcareService", "healthcare_service"),
  ]

  /// Every extension that says so, read without the program: the record, the code and the network.
  private static func said(in text: String) throws -> [String] {
    try text.split(separator: "\n").flatMap { line -> [String] in
      let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let id = record["id"] as? String ?? ""
      return (record["extension"] as? [[String: Any]] ?? []).compactMap { item in
        guard (item["url"] as? String)?.hasSuffix("/newpatients") == true else { return nil }
        var (code, network) = ("-", "-")
        for part in item["extension"] as? [[String: Any]] ?? [] {
          let concept = part["valueCodeableConcept"] as? [String: Any]
          let coding = (concept?["coding"] as? [[String: Any]])?.first
          if part["url"] as? String == "acceptingPatients" { code = coding?["code"] as? String ?? "-" }
          if part["url"] as? String == "fromNetwork" {
            network = (part["valueReference"] as? [String: Any])?["reference"] as? String ?? "-"
          }
        }
        return "\(id)|\(code)|\(network)"
      }
    }
  }

  @Test("is all there, code by code, as an independent reading has it", .needs(lines))
  func counts() throws {
    let desk = try Desk()
    try desk.load("fhir-directory", SharedData.path(Self.lines), options: ["--release", "a-2025-11-20"])
      .succeeded()
    var total = 0
    for (kind, table) in Self.tables {
      let text = try String(
        contentsOfFile: SharedData.path("\(Self.lines)/\(kind).ndjson"), encoding: .utf8)
      let expected = try Self.said(in: text)
      #expect(
        try desk.rows("SELECT source_id, code, network FROM directory.\(table)_new_patients").sorted()
          == expected.sorted(), "\(kind)")
      total += expected.count
    }
    #expect(total == 204)
    // What names the network is known for that, and for nothing else.
    #expect(
      try desk.value(
        "SELECT count(*) FROM directory.reference WHERE path = 'newPatients.network' AND is_there")
        == "6")
  }

  @Test("is read in the spelling of each guide, with the network and which patients")
  func spellings() throws {
    let desk = try Desk()
    let (planNet, national, validated) = (
      "http://hl7.org/fhir/us/davinci-pdex-plan-net/StructureDefinition/newpatients",
      "http://hl7.org/fhir/us/ndh/StructureDefinition/base-ext-newpatients",
      "http://hl7.org/fhir/uv/vhdir/StructureDefinition/newpatients"
    )
    func code(_ code: String) -> String {
      #"{"url":"acceptingPatients","valueCodeableConcept":{"coding":[{"system":"urn:s","code":"\#(code)","display":"D"}],"text":"T"}}"#
    }
    let items = [
      #"{"url":"\#(planNet)","extension":[\#(code("nopt")),{"url":"fromNetwork","valueReference":{"reference":"Organization/n1","display":"N"}},{"url":"characteristics","valueString":"adults"},{"url":"characteristics","valueString":"not \"new\""}]}"#,
      #"{"url":"\#(planNet)","extension":[\#(code("existptfam"))]}"#,
      #"{"extension":[{"url":"\#(national)-characteristics","valueString":"children"},{"url":"fromNetwork","valueReference":{"identifier":{"system":"urn:i","value":"7"}}},\#(code("newpt"))],"url":"\#(national)"}"#,
      #"{"url":"\#(validated)","extension":[{"url":"acceptingPatients","valueBoolean":true},{"url":"network","valueReference":{"reference":"Organization/n1"}}]}"#,
      #"{"url":"urn:other","extension":[{"url":"fromNetwork","valueReference":{"reference":"Organization/n1"}}]}"#,
    ]
    try desk.scratch.write(
      "ex-2025-01-01/all.ndjson",
      (Self.tables.map { kind, _ in
        #"{"resourceType":"\#(kind)","id":"\#(kind)","extension":[\#(items.joined(separator: ","))]}"#
      } + [#"{"resourceType":"Organization","id":"n1","type":[{"coding":[{"code":"ntwk"}]}]}"#])
      .joined(separator: "\n") + "\n")
    try desk.load("fhir-directory", "ex-2025-01-01").succeeded()
    for (_, table) in Self.tables {
      #expect(
        try desk.rows(
          """
          SELECT slot, system, code, display, text, network, network_display, network_identifier_system,
            network_identifier, characteristics
          FROM directory.\(table)_new_patients ORDER BY slot
          """) == [
            #"1|urn:s|nopt|D|T|Organization/n1|N|-|-|adults; not "new""#, "2|urn:s|existptfam|D|T|-|-|-|-|-",
            "3|urn:s|newpt|D|T|-|-|urn:i|7|children", "4|-|true|-|-|Organization/n1|-|-|-|-",
          ], "\(table)")
      // A reference alone says nothing of patients: its path tells which of them come from there.
      #expect(
        try desk.rows(
          "SELECT path, reference FROM directory.\(table)_reference WHERE reference IS NOT NULL ORDER BY slot"
        ) == [
          "extension.extension.valueReference|Organization/n1", "newPatients.network|Organization/n1",
          "newPatients.network|Organization/n1",
        ], "\(table)")
    }
  }
}
