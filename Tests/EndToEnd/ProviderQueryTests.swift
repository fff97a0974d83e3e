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
    records[1]["Provider Other Last Name"] = "MARLOW"
    records[1]["Provider Other First Name"] = "TESTA"
    records[7]["Healthcare Provider Taxonomy Code_1"] = "2084P0800X"
    records[10]["Provider Last Name (Legal Name)"] = "O'NEIL-DALE"
    records[10]["Provider First Name"] = "ANNA MARIE"
    records[11]["Entity Type Code"] = "2"
    records[11]["Provider Last Name (Legal Name)"] = ""
    records[11]["Provider First Name"] = ""
    records[11]["Provider Sex Code"] = ""
    records[11]["Provider Organization Name (Legal Business Name)"] = "THE ALDER CLINIC, L.L.C."
    records[11]["Authorized Official Last Name"] = "EX"
    records[11]["Authorized Official First Name"] = "ANN"
    records[11]["Authorized Official Title or Position"] = "CEO"
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
    let loaded = try Self.loaded.get()
    let database = try TestServer.shared.makeDatabase(from: loaded.database)
    let desk = try Desk(with: (database, Program(database: database.url)))
    try Self.loadWeek(of: npi, into: desk)
    try Self.loadLists(of: npi, into: desk)
    try desk.command("query", "provider", "--npi", npi).succeeded(
      showing: "\(npi) TESTA PERSON2", "active, since 2005-05-23", "207R00000X (primary) licence L2 of MA",
      "1 CARE ST, 06105", "2 SAMPLE ST, ANYTOWN, MA 02453", "ID2", "acme",
      "Updated      2007-07-08", "Release      nppes-2025-11", "Other names  HOUSE 2; TESTA MARLOW",
      "More places  2 SIDE ST, ANYTOWN, MA", "Endpoints    DIRECT p2@example.org",
      "excluded from 2019-01-20 to 2021-01-19 (1128b4; reinstated on 2021-01-20)",
      "opted out from 2024-01-01 to 2025-12-31 (may order and refer)")
    try desk.command("query", "provider", "--npi", ProviderFiles.npi(12)).succeeded(
      showing: "THE ALDER CLINIC, L.L.C.", "Official     ANN EX, CEO")
  }

  /// A week with a place, another name and an endpoint of an NPI.
  private static func loadWeek(of npi: String, into desk: Desk) throws {
    let place = "Provider Secondary Practice Location Address"
    let records: [(file: String, layout: String, values: [String: String])] = [
      ("npidata", "provider", ProviderFiles.person(1)),
      (
        "pl", "location",
        [
          "NPI": npi, "\(place)- Address Line 1": "2 SIDE ST", "\(place) - City Name": "ANYTOWN",
          "\(place) - State Name": "MA",
        ]
      ),
      (
        "othername", "other-name",
        [
          "NPI": npi, "Provider Other Organization Name": "HOUSE 2",
          "Provider Other Organization Name Type Code": "3",
        ]
      ),
      (
        "endpoint", "endpoint",
        ["NPI": npi, "Endpoint Type": "DIRECT", "Endpoint": "p2@example.org", "Affiliation": "N"]
      ),
    ]
    let period = "20251110-20251116"
    try desk.scratch.write("\(period)/\(ProviderFiles.notice)", "")
    for (file, layout, values) in records {
      let files = try ProviderFiles(layout: layout)
      try files.write([files.record(values)], to: "\(period)/\(file)_pfile_\(period).csv", of: desk.scratch)
    }
    try desk.load("nppes", period).succeeded()
  }

  /// An exclusion that is over, and an affidavit of opting out of Medicare.
  private static func loadLists(of npi: String, into desk: Desk) throws {
    for (pipeline, name, rule, text) in [
      (
        "oig-leie", "UPDATED-2025-11.csv", "rows-exclusions",
        """
        LASTNAME,FIRSTNAME,MIDNAME,BUSNAME,GENERAL,SPECIALTY,UPIN,NPI,DOB,ADDRESS,CITY,STATE,ZIP,EXCLTYPE,\
        EXCLDATE,REINDATE,WAIVERDATE,WVRSTATE
        PERSON2,TESTA,,,,,,\(npi),19700131,,,,,1128b4,20190120,20210120,00000000,

        """
      ),
      (
        "cms-opt-out", "OptOut_2025-11-14.csv", "rows-affidavits",
        """
        First Name,Last Name,NPI,Specialty,Optout Effective Date,Optout End Date,First Line Street Address,\
        Second Line Street Address,City Name,State Code,Zip code,Eligible to Order and Refer,Last updated
        TESTA,PERSON2,\(npi),,01/01/2024,12/31/2025,,,,,,Y,

        """
      ),
    ] {
      try desk.scratch.write(name, text)
      try desk.load(pipeline, name, options: ["--allow-missing", "--accept", rule]).succeeded()
    }
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
