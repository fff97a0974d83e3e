import PostgreSQL
import TestSupport
import Testing

/// Figures of a made-up month of NPPES: 39 persons, and an NPI that is deactivated by its record and by the
/// report.
@Suite("Figures of providers")
struct ProviderFigureTests {
  private static func loaded() throws -> TestDatabase {
    let (database, program) = try Loaded.migrated()
    let run = try program.run("run", "nppes", ProviderFiles.bundle(month: "11"))
    try #require(run.status == 0, "\(run.errors)")
    return database
  }

  @Test("tell which NPIs are deactivated since a day, by their record and else by the report")
  func deactivated() throws {
    let database = try Self.loaded()
    let connection = try database.connect()
    let npi = ProviderFiles.npi(40)
    func since(_ day: String) throws -> String? {
      try database.value(
        "SELECT string_agg(npi || ' ' || deactivated_on, ', ') FROM mart.npi_deactivated_since('\(day)')")
    }
    #expect(try since("2020-01-31") == npi + " 2020-01-31")
    #expect(try since("2020-02-01") == nil)
    // Active again, by the record of the provider.
    try connection.execute("UPDATE directory.provider SET reactivated_on = '2020-03-01' WHERE npi = \(npi)")
    #expect(try since("2020-01-31") == nil)
    // Deactivated once more, of which the record does not tell yet.
    try connection.execute("UPDATE directory.npi_deactivation SET deactivated_on = '2020-04-01'")
    #expect(try since("2020-01-31") == npi + " 2020-04-01")
    try connection.execute("UPDATE directory.provider SET deactivated_on = '2020-04-01' WHERE npi = \(npi)")
    #expect(try since("2020-01-31") == npi + " 2020-04-01")
  }

  @Test("count a provider once for a taxonomy, and as primary for the first that it marks")
  func taxonomies() throws {
    let database = try Self.loaded()
    try database.connect().execute(
      """
      INSERT INTO directory.provider_taxonomy
        (release, source_id, slot, taxonomy, primary_switch, source_file_id, source_line)
      SELECT 'nppes-2025-11', x.source_id, x.slot, x.taxonomy, 'Y', 0, 0
      FROM (VALUES ('\(ProviderFiles.npi(1))', 2, '207R00000X'), ('\(ProviderFiles.npi(1))', 3, '208D00000X'))
        AS x(source_id, slot, taxonomy)
      """)
    let counts = try database.value(
      """
      SELECT string_agg(concat_ws(' ', taxonomy, providers, individuals, organizations, primary_providers), ', '
        ORDER BY taxonomy)
      FROM mart.provider_by_taxonomy
      """)
    #expect(counts == "207R00000X 39 39 0 39, 208D00000X 1 1 0 0")
  }
}
