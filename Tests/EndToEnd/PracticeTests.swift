import Foundation
import TestSupport
import Testing

/// Who practises where, put together from NPPES, a directory in FHIR, a health plan and a list. All are made up.
@Suite("Who practises where")
struct PracticeTests {
  private static let people = ["ALVAREZ", "BRANDT", "CASTELL"]

  static func npi(_ number: Int) -> String { ProviderFiles.npi(number) }

  private static let loaded = Result {
    let desk = try Desk()
    try loadNPPES(into: desk)
    for (pipeline, name, text) in [
      ("fhir-directory", "acme-2025-11-20/all.ndjson", fhir.joined(separator: "\n") + "\n"),
      ("qhp-providers", "beta-2025-11-10/providers.json", plan),
      (
        "directory-csv", "mercy-2025-11-20.csv",
        "Last Name,First Name,NPI,Credentials,Phone,Specialty\n"
          + "Alvarez,Testa,\(npi(1)),MD,203-555-0177,Cardiology\n"
      ),
      ("directory-csv", "cedar-2025-11-21.csv", payer),
    ] {
      try desk.scratch.write(name, text)
      let file = pipeline == "directory-csv" ? name : String(name.prefix { $0 != "/" })
      try desk.load(pipeline, file, options: ["--allow-missing"]).succeeded()
    }
    return desk
  }

  private static func loadNPPES(into desk: Desk) throws {
    let (files, places) = (try ProviderFiles(layout: "provider"), try ProviderFiles(layout: "location"))
    let (at, other) = ("Business Practice Location Address", "Provider Secondary Practice Location Address")
    let records = (1...3).map { number in
      files.record(
        ProviderFiles.person(number).merging([
          "Provider Last Name (Legal Name)": people[number - 1],
          "Provider First Line \(at)": number == 1 ? "12 N MAIN ST" : "\(number)00 FAR RD",
          "Provider \(at) City Name": "WEXLEY", "Provider \(at) State Name": "CT",
          "Provider \(at) Postal Code": number == 1 ? "065101234" : "06999",
          "Provider \(at) Telephone Number": "203555010\(number)",
        ]) { $1 })
    }
    let folder = "NPPES_Data_Dissemination_November_2025"
    try desk.scratch.write("\(folder)/\(ProviderFiles.notice)", "")
    try files.write(records, to: "\(folder)/\(ProviderFiles.main)", of: desk.scratch)
    try places.write(
      [
        places.record([
          "NPI": npi(1), "\(other)- Address Line 1": "40 SIDE ST", "\(other) - City Name": "WEXLEY",
          "\(other) - State Name": "CT", "\(other) - Postal Code": "06511",
        ])
      ], to: "\(folder)/pl_pfile_20050523-20251109.csv", of: desk.scratch)
    try desk.load("nppes", folder, options: ["--allow-missing", "--accept", "rows-providers"]).succeeded()
  }

  @Test("is a row per place, organisation and network, with all who say so, the newest first")
  func merged() throws {
    let rows = try Self.loaded.get().rows(
      """
      SELECT place, organization, organization_npi, directory, network, array_to_string(plans, ' '), new_patients,
        array_to_string(phones, ' '), as_of, (SELECT string_agg(s ->> 'release', ' ') FROM jsonb_array_elements(sources) s)
      FROM directory.practice WHERE npi = \(Self.npi(1)) ORDER BY place NULLS LAST, directory, network
      """)
    let sources = "acme-2025-11-20 nppes-2025-11"
    #expect(
      rows == [
        "12 MAIN 06510|Alder Clinic, Inc.|\(Self.npi(10))|acme|Acme Gold||-|+12035550100 +12035550101|2025-11-20|\(sources)",
        "12 MAIN 06510|Alder Clinic, Inc.|\(Self.npi(10))|acme|Acme Silver||nopt|+12035550100 +12035550101|2025-11-20|\(sources)",
        "12 MAIN 06510|-|-|beta|PREFERRED|P1 P2|newpt|+12035550100 +12035550101|2025-11-10|beta-2025-11-10 nppes-2025-11",
        "12 MAIN 06510|-|-|beta|STANDARD|P3|newpt|+12035550100 +12035550101|2025-11-10|beta-2025-11-10 nppes-2025-11",
        "40 SIDE 06511|-|-|-|-||-||2025-11-09|nppes-2025-11",
        "-|-|-|-|-||-|+12035550177|2025-11-20|mercy-2025-11-20",
      ])
  }

  @Test("is known through services, from a number alone, and of organisations, and not of what has ended")
  func roles() throws {
    let rows = try Self.loaded.get().rows(
      """
      SELECT provider, name, entity_type, place, organization, network, new_patients, array_to_string(specialties, ' '),
        array_to_string(phones, ' ')
      FROM directory.practice
      WHERE sources @> '[{"release": "acme-2025-11-20"}]' AND npi IS DISTINCT FROM \(Self.npi(1))
      ORDER BY provider COLLATE "C", place
      """)
    #expect(
      rows == [
        "\(Self.npi(2))|T. Brandt|individual|9 ELM 06511|Birch House|-|-||",
        "\(Self.npi(3))|Testa Castell|individual|77 OAK 06777|-|-|-|207R00000X|+12035550777",
        "\(Self.npi(10))|Alder Clinic, Inc.|organization|12 MAIN 06510|-|Acme Gold|-||+12035550100",
        "\(Self.npi(10))|Alder Clinic, Inc.|organization|9 ELM 06511|-|-|existptonly||",
        "acme-2025-11-20/Organization/o2|Thornfield Surgical Partners|organization|77 OAK 06777|-|-|-||+12035550777",
        "acme-2025-11-20/p2|Bo Zane|individual|9 ELM 06511|-|-|existptonly|Bone setting|+12035550199",
      ])
  }

  @Test("says how old each source is, and in which file and line it is")
  func sources() throws {
    let desk = try Self.loaded.get()
    let known = """
      FROM directory.practice p CROSS JOIN LATERAL jsonb_array_elements(p.sources) s
      JOIN rivulet.source_file f ON f.source_file_id = (s ->> 'file')::bigint
      """
    #expect(try desk.value("SELECT count(*) > 0 \(known)") == "t")
    #expect(
      try desk.value(
        "SELECT bool_and((s ->> 'age_days')::int = rivulet.today() - (s ->> 'as_of')::date AND s ->> 'line' > '0') \(known)"
      )
        == "t")
    #expect(
      try desk.value("SELECT bool_and(age_days = rivulet.today() - as_of) FROM directory.practice") == "t")
  }

  @Test("helps to find who a record of a list is, organisations too")
  func matching() throws {
    let rows = try Self.loaded.get().rows(
      """
      SELECT CASE WHEN source_id IN ('C1', 'C2') THEN source_id ELSE other_source_id END,
        CASE WHEN source_id IN ('C1', 'C2') THEN other_source_id ELSE source_id END,
        array_to_string(reasons, ', '), is_ambiguous
      FROM directory.provider_match WHERE 'cedar-2025-11-21' IN (release, other_release) ORDER BY 1, 2
      """)
    #expect(
      rows == [
        "C1|\(Self.npi(3))|name, specialty, phone, address|f",
        "C1|p3|name, specialty, phone, address|f",
        "C2|Organization/o2|organisation name, phone, address|f",
      ])
  }
}
