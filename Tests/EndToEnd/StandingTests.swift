import Foundation
import TestSupport
import Testing

/// What is said of a made-up NPI by day, by NPPES and by the lists of whom one may pay.
@Suite("What is said of a provider on a day")
struct StandingTests {
  private static func npi(_ number: Int) -> String { ProviderFiles.npi(number) }

  /// A database with the providers of November: the second was deactivated and is active again, the third is
  /// deactivated in the week after, of the fourth there is no more than that.
  private static let november = Result {
    let desk = try Desk()
    let files = try ProviderFiles(layout: "provider")
    var records = (1...12).map { ProviderFiles.person($0) }
    records[1]["NPI Deactivation Date"] = "01/31/2020"
    records[1]["NPI Reactivation Date"] = "06/01/2020"
    records[3] = ["NPI": npi(4), "NPI Deactivation Date": "02/01/2021"]
    func load(_ period: String, _ records: [[String: String]]) throws {
      try desk.scratch.write("\(period)/\(ProviderFiles.notice)", "")
      try files.write(
        records.map(files.record), to: "\(period)/npidata_pfile_\(period).csv", of: desk.scratch)
      try desk.load("nppes", period).succeeded()
    }
    try load("20050523-20251109", records)
    try load("20251110-20251116", [["NPI": npi(3), "NPI Deactivation Date": "11/12/2025"]])
    return desk
  }

  /// A desk with what was loaded in November, and no list.
  private func desk() throws -> Desk {
    let loaded = try Self.november.get()
    let database = try TestServer.shared.makeDatabase(from: loaded.database)
    return try Desk(with: (database, Program(database: database.url)))
  }

  private func load(_ pipeline: String, _ name: String, _ rule: String, _ text: String, into desk: Desk)
    throws
  {
    try desk.scratch.write(name, text)
    try desk.load(pipeline, name, options: ["--allow-missing", "--accept", rule]).succeeded()
  }

  private func loadLists(into desk: Desk) throws {
    let (one, two) = (Self.npi(1), Self.npi(2))
    try load(
      "oig-leie", "UPDATED-2025-11.csv", "rows-exclusions",
      """
      LASTNAME,FIRSTNAME,MIDNAME,BUSNAME,GENERAL,SPECIALTY,UPIN,NPI,DOB,ADDRESS,CITY,STATE,ZIP,EXCLTYPE,EXCLDATE,REINDATE,WAIVERDATE,WVRSTATE
      PERSON1,TESTA,,,,,,\(one),19700131,,,,,1128a1,20240120,00000000,20250101,CO
      PERSON2,TESTA,,,,,,\(two),19700131,,,,,1128b4,20190120,20210120,00000000,
      PERSON3,TESTA,,,,,,0000000000,19700131,,,,,1128b4,20190120,00000000,00000000,

      """, into: desk)
    try load(
      "cms-opt-out", "OptOut_2025-11-14.csv", "rows-affidavits",
      """
      First Name,Last Name,NPI,Specialty,Optout Effective Date,Optout End Date,First Line Street Address,Second Line Street Address,City Name,State Code,Zip code,Eligible to Order and Refer,Last updated
      T,P,\(two),,01/01/2024,12/31/2025,,,,,,Y,

      """, into: desk)
    try load(
      "cms-enrolment", "PPEF_Enrollment_Extract_2025.10.01.csv", "rows-enrolments",
      """
      NPI,PECOS_ASCT_CNTL_ID,ENRLMT_ID,PROVIDER_TYPE_CD,PROVIDER_TYPE_DESC,STATE_CD,FIRST_NAME,MDL_NAME,LAST_NAME,ORG_NAME
      \(one),1,I1,14-08,FAMILY,CT,T,,P,
      \(one),1,I2,14-08,FAMILY,NY,T,,P,

      """, into: desk)
    try load(
      "cms-order-referring", "OrderReferring_20251113.csv", "rows-providers",
      """
      NPI,LAST_NAME,FIRST_NAME,PARTB,DME,HHA,PMD,HOSPICE
      \(one),P,T,Y,N,Y,N,N
      \(two),P,T,N,N,N,N,N

      """, into: desk)
  }

  private func standings(_ desk: Desk, of number: Int) throws -> [String] {
    try desk.rows(
      """
      SELECT standing, from_day, to_day, detail, release, source_line FROM directory.provider_standing
      WHERE npi = \(Self.npi(number)) ORDER BY from_day, standing
      """)
  }

  private func said(_ desk: Desk, of number: Int, on day: String) throws -> String? {
    try desk.value(
      """
      SELECT concat_ws(' ', 'active=' || active, 'deactivated=' || deactivated, 'excluded=' || excluded,
        'opted_out=' || opted_out, 'enrolled=' || enrolled, 'may_order=' || may_order_and_refer)
      FROM directory.standing_on(\(Self.npi(number)), '\(day)')
      """)
  }

  @Test("is a row for each kind and period, with the file and line that says it")
  func rows() throws {
    let desk = try desk()
    try loadLists(into: desk)
    #expect(
      try standings(desk, of: 1) == [
        "active|2005-05-23|-|-|nppes-2025-11|2",
        "excluded|2024-01-20|-|1128a1; waived in CO from 2025-01-01|leie-2025-11|2",
        "enrolled|2025-10-01|-|FAMILY in CT; FAMILY in NY|ppef-2025-10-01|2",
        "may_order_and_refer|2025-11-13|-|Part B, home health|order-referring-2025-11-13|2",
      ])
    #expect(
      try standings(desk, of: 2) == [
        "active|2005-05-23|2020-01-30|-|nppes-2025-11|3",
        "excluded|2019-01-20|2021-01-19|1128b4; reinstated on 2021-01-20|leie-2025-11|3",
        "deactivated|2020-01-31|2020-05-31|-|nppes-2025-11|3",
        "active|2020-06-01|-|reactivated|nppes-2025-11|3",
        "opted_out|2024-01-01|2025-12-31|may order and refer|opt-out-2025-11-14|2",
      ])
    // Its first day is in what is kept of the record.
    #expect(
      try standings(desk, of: 3) == [
        "active|2005-05-23|2025-11-11|-|nppes-2025-11|4",
        "deactivated|2025-11-12|-|-|nppes-2025-11|2",
      ])
    #expect(try standings(desk, of: 4) == ["deactivated|2021-02-01|-|-|nppes-2025-11|5"])
    // Who has no number in a list is nobody.
    #expect(
      try desk.value("SELECT count(*) FROM directory.provider_standing WHERE standing = 'excluded'") == "2")
    #expect(
      try desk.value(
        """
        SELECT count(*) FROM directory.provider_standing s JOIN rivulet.source_file f ON f.source_file_id = s.source_file_id
        """) == (try desk.value("SELECT count(*) FROM directory.provider_standing")))
  }

  @Test("is null where a source is not loaded, or says nothing of that day, and false where it says no")
  func onDay() throws {
    let desk = try desk()
    #expect(try said(desk, of: 1, on: "2025-11-20") == "active=true deactivated=false")
    try loadLists(into: desk)
    for (number, day, expected) in [
      (
        1, "2025-11-20",
        "active=true deactivated=false excluded=true opted_out=false enrolled=true may_order=true"
      ),
      // Before the lists that say what is so now, and before the NPI was given.
      (1, "2023-12-31", "active=true deactivated=false excluded=false opted_out=false"),
      (1, "2005-05-22", "active=false deactivated=false excluded=false opted_out=false"),
      (2, "2020-02-01", "active=false deactivated=true excluded=true opted_out=false"),
      (2, "2020-05-31", "active=false deactivated=true excluded=true opted_out=false"),
      (2, "2020-06-01", "active=true deactivated=false excluded=true opted_out=false"),
      (2, "2021-01-20", "active=true deactivated=false excluded=false opted_out=false"),
      (
        2, "2025-12-31",
        "active=true deactivated=false excluded=false opted_out=true enrolled=false may_order=false"
      ),
      (
        2, "2026-01-01",
        "active=true deactivated=false excluded=false opted_out=false enrolled=false may_order=false"
      ),
      (3, "2025-11-12", "active=false deactivated=true excluded=false opted_out=false enrolled=false"),
      // Nobody knows any more since when it was active.
      (4, "2020-01-01", "deactivated=false excluded=false opted_out=false"),
      (
        99, "2025-11-20",
        "active=false deactivated=false excluded=false opted_out=false enrolled=false may_order=false"
      ),
    ] {
      #expect(try said(desk, of: number, on: day) == expected, "\(number) on \(day)")
    }
  }
}
