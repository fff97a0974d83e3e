import Foundation
import PostgreSQL
import TestSupport
import Testing

/// `rivulet query provider`, on made-up providers.
@Suite("The question for a provider")
struct ProviderQueryTests {
  /// Twelve persons of one name but for the last, who are in two towns, and two with other names.
  private static let loaded = Result {
    let desk = try Desk()
    let files = try ProviderFiles(layout: "provider")
    var records = (1...12).map { ProviderFiles.person($0) }
    for number in 0..<12 {
      records[number]["Provider Business Practice Location Address Postal Code"] =
        number < 3 ? "061051234" : number < 6 ? "06106" : "10001"
      records[number]["Provider First Line Business Practice Location Address"] = "\(number) CARE ST"
    }
    records[7]["Healthcare Provider Taxonomy Code_1"] = "2084P0800X"
    records[10]["Provider Last Name (Legal Name)"] = "O'NEIL-DALE"
    records[10]["Provider First Name"] = "ANNA MARIE"
    records[11]["Entity Type Code"] = "2"
    records[11]["Provider Last Name (Legal Name)"] = ""
    records[11]["Provider First Name"] = ""
    records[11]["Provider Sex Code"] = ""
    records[11]["Provider Organization Name (Legal Business Name)"] = "THE ALDER CLINIC, L.L.C."
    try desk.scratch.write("npidata_pfile_20050523-20251109/\(ProviderFiles.notice)", "")
    try files.write(
      records.map(files.record),
      to: "npidata_pfile_20050523-20251109/npidata_pfile_20050523-20251109.csv", of: desk.scratch)
    try desk.load("nppes", "npidata_pfile_20050523-20251109").succeeded()
    for (name, text) in Control.list("2025-01-01") {
      try desk.scratch.write(name, text.replacing("1234567893", with: ProviderFiles.npi(2)))
    }
    try desk.load("directory-csv", "acme-2025-01-01.csv").succeeded()
    return desk
  }

  /// The numbers of the providers that are found, in their order.
  private func found(_ options: [String]) throws -> [Int] {
    let answer = try Self.loaded.get().command(
      "query", "provider", options: options + ["--format", "json"]
    ).succeeded()
    let rows = try #require(try answer.json() as? [[String: Any]])
    return rows.compactMap { row in
      (1...12).first { ProviderFiles.npi($0) == (row["npi"] as? NSNumber)?.stringValue }
    }
  }

  @Test("finds by number, name, place, specialty and directory, and by several of them")
  func ways() throws {
    for (options, expected) in [
      (["--npi", ProviderFiles.npi(5)], [5]),
      (["--name", "person7"], [7]), (["--name", "Testa Person7"], [7]), (["--name", "PERSON7, Testa"], [7]),
      (["--name", "person1"], [1, 10]),
      // Without accents and punctuation, and of a first name the beginning.
      (["--name", "oneil dale anna"], [11]), (["--name", "O'Neil-D\u{E1}le"], [11]),
      (["--name", "The Alder Clinic"], [12]),
      // The same ZIP code first, then the same three digits.
      (["--near", "06106"], [4, 5, 6, 1, 2, 3]), (["--near", "06105-9999"], [1, 2, 3, 4, 5, 6]),
      (["--near", "06199"], [1, 2, 3, 4, 5, 6]),
      (["--taxonomy", "2084p0800x"], [8]), (["--taxonomy", "2084"], [8]),
      (["--network", "ACME"], [2]),
      (["--near", "06105", "--network", "acme"], [2]),
      (["--near", "10001", "--taxonomy", "2084P0800X"], [8]),
      (["--name", "person", "--near", "06106", "--taxonomy", "207R"], [4, 5, 6, 1, 2, 3]),
      (["--name", "person", "--network", "acme"], [2]),
      (["--taxonomy", "207R", "--network", "acme"], [2]),
    ] {
      #expect(try found(options) == expected, "\(options)")
    }
  }

  @Test("shows one record with all that is known of it")
  func record() throws {
    let npi = ProviderFiles.npi(2)
    try Self.loaded.get().command("query", "provider", "--npi", npi).succeeded(
      showing: "\(npi) TESTA PERSON2", "active, since 2005-05-23", "207R00000X (primary) licence L2 of MA",
      "1 CARE ST, 06105", "2 SAMPLE ST, ANYTOWN, MA 02453", "ID2", "acme",
      "Updated      2007-07-08", "Release      nppes-2025-11")
  }

  @Test("finds the same by indexes, which a release has that is loaded after them")
  func indexes() throws {
    let loaded = try Self.loaded.get()
    let database = try TestServer.shared.makeDatabase(from: loaded.database)
    let desk = try Desk(with: (database, Program(database: database.url)))
    let count =
      "SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%search_key%' AND indexdef NOT LIKE '%ONLY%'"
    #expect(try desk.value(count) == "0")
    try database.connect().execute("CALL directory.add_search_indexes(); CALL directory.add_search_indexes()")
    #expect(try desk.value(count) == "2")
    try desk.scratch.write("more/\(ProviderFiles.notice)", "")
    let files = try ProviderFiles(layout: "provider")
    try files.write(
      (1...12).map { files.record(ProviderFiles.person($0)) },
      to: "more/npidata_pfile_20050523-20251209.csv", of: desk.scratch)
    try desk.load("nppes", "more").succeeded()
    #expect(try desk.value(count) == "3")
    try desk.command("query", "provider", "--name", "person7").succeeded(showing: ProviderFiles.npi(7))
    try database.connect().execute("CALL directory.drop_search_indexes()")
    #expect(try desk.value(count) == "0")
  }

  @Test("says why it has no answer")
  func refusals() throws {
    func ask(_ options: String..., saying text: String, in desk: Desk? = nil) throws {
      try (desk ?? Self.loaded.get()).command("query", "provider", options: options).failed(3, saying: text)
    }
    try ask(saying: "give --npi, --name, --near, --taxonomy or --network")
    try ask("--npi", ProviderFiles.npi(99), saying: "no provider of nppes-2025-11 has NPI")
    try ask("--name", "--", saying: "the name has no letter")
    try ask(
      "--name", "nobody", "--near", "06105", saying: "a name that begins with nobody and a place of practice")
    try ask("--npi", ProviderFiles.npi(1), saying: "rivulet run nppes", in: Desk())
  }
}
