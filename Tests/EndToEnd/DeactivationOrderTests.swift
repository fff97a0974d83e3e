import PostgreSQL
import TestSupport
import Testing

/// A made-up month, two weeks and two reports of deactivated NPIs, which tell of the same providers in every
/// order.
@Suite("A deactivated NPI")
struct DeactivationOrderTests {
  private let desk: Desk
  private let files: ProviderFiles

  init() throws {
    desk = try Desk()
    files = try ProviderFiles(layout: "provider")
  }

  /// A record of a person, with the dates that it tells of.
  private func person(_ number: Int, deactivated: String = "", reactivated: String = "") -> String {
    var values = ProviderFiles.person(number)
    values["NPI Deactivation Date"] = deactivated
    values["NPI Reactivation Date"] = reactivated
    return files.record(values)
  }

  /// A record of a deactivated NPI.
  private func bare(_ number: Int, _ day: String, replacedBy other: Int) -> String {
    files.record([
      "NPI": ProviderFiles.npi(number), "NPI Deactivation Date": day,
      "Replacement NPI": ProviderFiles.npi(other),
    ])
  }

  private func load(_ records: [String], of period: String) throws {
    let path = try files.write(records, to: "npidata_pfile_\(period).csv", of: desk.scratch)
    try desk.load("nppes", path).succeeded()
  }

  private func report(_ rows: [(Int, String)], on day: String) throws {
    let path = desk.path("NPPES Deactivated NPI Report \(day).xlsx")
    let npis = rows.map { [ProviderFiles.npi($0.0), $0.1] }
    try Workbook.write(
      [["NPPES Deactivated Records"], ["NPI", "NPPES Deactivation Date"]] + npis, to: path)
    try desk.load("nppes", path).succeeded().withholding("deactivations-agree")
  }

  /// `active`, or since when a provider is not, and how many names, addresses, taxonomies and identifiers it
  /// has.
  private func standing(_ number: Int) throws -> String? {
    let children = ["name", "address", "taxonomy", "identifier"].map {
      "(SELECT count(*) FROM directory.provider_\($0) c WHERE c.source_id = p.source_id)"
    }
    return try desk.value(
      """
      SELECT CASE WHEN deactivated_on IS NULL OR reactivated_on >= deactivated_on THEN 'active' ELSE deactivated_on::text END
        || ' ' || \(children.joined(separator: " + "))
      FROM directory.provider p WHERE source_id = '\(ProviderFiles.npi(number))'
      """)
  }

  private static let whole = "active 4"

  @Test("is what the newest event makes of it, in whatever order month, week and report tell of them")
  func orders() throws {
    try load(
      [
        person(1), person(2, deactivated: "01/10/2025", reactivated: "06/01/2025"),
        person(3, deactivated: "01/10/2025", reactivated: "06/01/2025"), person(4), person(5), person(6),
        person(7), bare(8, "09/01/2025", replacedBy: 1), person(9),
        person(10, deactivated: "10/01/2025", reactivated: "11/05/2025"), person(11), person(12),
      ], of: "20050523-20251102")
    // Reactivated, before the report of the week tells of the deactivation.
    try load(
      [person(4, deactivated: "11/01/2025", reactivated: "11/06/2025")], of: "20251103-20251109")
    try report(
      [
        (1, "11/05/2025"), (2, "01/10/2025"), (3, "10/01/2025"), (4, "11/01/2025"), (5, "11/05/2025"),
        (6, "11/05/2025"), (7, "11/05/2025"), (8, "09/01/2025"), (9, "11/05/2025"), (10, "11/05/2025"),
      ], on: "20251110")
    #expect(
      try (1...12).map(standing) == [
        "2025-11-05 0", Self.whole, "2025-10-01 0", Self.whole, "2025-11-05 0", "2025-11-05 0",
        "2025-11-05 0", "2025-09-01 0", "2025-11-05 0", Self.whole, Self.whole, Self.whole,
      ])
    // What the record says of that day itself is more than the report does.
    #expect(
      try desk.value(
        "SELECT count(*) FROM directory.provider WHERE replacement_npi = \(ProviderFiles.npi(1))")
        == "1")
    try load(
      [
        // Active again since; of two the record knows nothing of the deactivation yet.
        person(5, deactivated: "11/05/2025", reactivated: "11/12/2025"), person(6),
        person(7, deactivated: "02/03/2020", reactivated: "04/05/2021"),
        person(9, deactivated: "11/05/2025", reactivated: "11/12/2025"), person(11),
      ], of: "20251110-20251116")
    #expect(
      try [5, 6, 7, 9, 11].map(standing) == [
        Self.whole, "2025-11-05 0", "2025-11-05 0", Self.whole, Self.whole,
      ])
    // A newer report repeats the older days, and knows of one more.
    try report(
      [(4, "11/01/2025"), (5, "11/05/2025"), (6, "11/05/2025"), (9, "11/15/2025"), (2, "01/10/2025")],
      on: "20251117")
    #expect(
      try [2, 4, 5, 6, 9].map(standing) == [
        Self.whole, Self.whole, Self.whole, "2025-11-05 0", "2025-11-15 0",
      ])
    #expect(try desk.value("SELECT count(*) FROM directory.provider") == "12")
    // What was known is in the history of who has reported that it ended, and of nobody else's.
    #expect(
      try desk.rows(
        """
        SELECT h.source_id, n.last_name, h.valid_to
        FROM directory.provider_history h JOIN directory.provider_name_history n USING (release, source_id)
        WHERE h.source_id IN ('\(ProviderFiles.npi(1))', '\(ProviderFiles.npi(11))', '\(ProviderFiles.npi(12))')
        """) == ["\(ProviderFiles.npi(1))|PERSON1|2025-11-10"])
  }
}
