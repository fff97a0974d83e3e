import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Records of NPPES, and of lists without NPIs of whom it is known who they are: pairs that are true, and
/// traps that look like them. All people are made up.
@Suite("Pairs of provider records")
struct ProviderPairTests {
  /// Who is in NPPES; the NPI is that of the place in the list, from 1.
  private struct Person {
    let last: String
    let first: String
    var middle = ""
    var suffix = ""
    var otherLast = ""
    let place: Place
    let taxonomy: String
  }

  /// A clinic: a street, a ZIP code and a telephone number, which all who work there have.
  private struct Place {
    let street: String
    let zip: String
    let phone: String

    init(_ number: Int, phone: Int? = nil) {
      street = "\(10 + number) MAIN ST"
      zip = "0\(6000 + number)"
      self.phone = "203555\(1000 + (phone ?? number))"
    }
  }

  private static let pediatrics = "208000000X"
  private static let medicine = "207R00000X"
  private static let surgery = "208600000X"

  private static let people = [
    // Three of one clinic, two of them of one family.
    Person(last: "KIM", first: "MARIA", place: Place(1), taxonomy: pediatrics),
    Person(last: "BROWN", first: "MARIA", place: Place(1), taxonomy: pediatrics),
    Person(last: "KIM", first: "BRIAN", place: Place(1), taxonomy: pediatrics),
    // Father and son, twice.
    Person(last: "SMITH", first: "JOHN", suffix: "JR.", place: Place(2), taxonomy: medicine),
    Person(last: "SMITH", first: "JOHN", suffix: "SR.", place: Place(2), taxonomy: medicine),
    Person(last: "GRAY", first: "PAUL", suffix: "JR", place: Place(3), taxonomy: medicine),
    Person(last: "GRAY", first: "PAUL", suffix: "SENIOR", place: Place(3), taxonomy: medicine),
    // The same name in another city, with the same specialty; once with the same telephone number.
    Person(last: "JONES", first: "ANNA", middle: "M", place: Place(4), taxonomy: medicine),
    Person(last: "JONES", first: "ANNA", middle: "M", place: Place(5), taxonomy: medicine),
    Person(last: "BAKER", first: "TOM", middle: "Q", place: Place(6), taxonomy: medicine),
    Person(last: "COLE", first: "ADAM", place: Place(7, phone: 77), taxonomy: medicine),
    // Known by an initial elsewhere.
    Person(last: "LEE", first: "JOHN", place: Place(8), taxonomy: pediatrics),
    Person(last: "LEE", first: "JANE", place: Place(8), taxonomy: surgery),
    Person(last: "PARK", first: "WILLIAM", middle: "HENRY", place: Place(9), taxonomy: surgery),
    // Hyphens.
    Person(last: "SMITH-JONES", first: "CARLA", place: Place(10), taxonomy: surgery),
    Person(last: "GARCIA", first: "ELENA", place: Place(11), taxonomy: surgery),
    Person(last: "HALL-REED", first: "DORA", place: Place(12), taxonomy: surgery),
    // A maiden name.
    Person(last: "VANCE", first: "PETRA", otherLast: "MARLOW", place: Place(13), taxonomy: medicine),
    // Two first names, and last and first in each other's place.
    Person(last: "THOMAS", first: "JAMES", place: Place(14), taxonomy: medicine),
    Person(last: "BERTRAND", first: "HUGO", place: Place(15), taxonomy: medicine),
    // Short forms.
    Person(last: "FORD", first: "WILLIAM", place: Place(16), taxonomy: medicine),
    Person(last: "WARD", first: "ROBERT", place: Place(17), taxonomy: medicine),
    // Of one name, with an NPI each.
    Person(last: "NASH", first: "IRIS", place: Place(18), taxonomy: medicine),
    Person(last: "NASH", first: "IRIS", place: Place(18), taxonomy: medicine),
  ]

  /// A record of a list.
  private struct Listed {
    let last: String
    let first: String
    var middle = ""
    var suffix = ""
    let place: Place
    let taxonomy: String
    /// The place in NPPES of the NPI that it gives; nil where it gives none.
    var npi: Int?
    /// Whom it is claimed to be, by the place in NPPES.
    var pairs: Set<Int> = []
    /// Who it may be.
    var mayBe: Set<Int> = []
  }

  /// A payer's network, which has no middle names and no suffixes, and a telephone number.
  private static let payer = [
    Listed(last: "Kim", first: "Maria", place: Place(1), taxonomy: pediatrics, pairs: [1]),
    Listed(last: "Kim", first: "Brian", place: Place(1), taxonomy: surgery, pairs: [3]),
    // Of the same clinic, and in no other list.
    Listed(last: "Brown", first: "Mark", place: Place(1), taxonomy: pediatrics),
    Listed(last: "Green", first: "Maria", place: Place(1), taxonomy: pediatrics, mayBe: [2]),
    Listed(last: "Gray", first: "Paul", place: Place(3), taxonomy: medicine, mayBe: [6, 7]),
    Listed(last: "Cole", first: "Adam", place: Place(70, phone: 77), taxonomy: surgery, pairs: [11]),
    Listed(last: "Lee", first: "J.", place: Place(8), taxonomy: pediatrics, pairs: [12]),
    Listed(last: "Jones", first: "Carla", place: Place(10), taxonomy: surgery, pairs: [15]),
    Listed(last: "Garcia-Lopez", first: "Elena", place: Place(11), taxonomy: surgery, pairs: [16]),
    Listed(last: "Hall-Moss", first: "Dora", place: Place(12), taxonomy: surgery, pairs: [17]),
    Listed(last: "Reed", first: "Dora", place: Place(12), taxonomy: pediatrics),
    Listed(last: "Marlow", first: "Petra", place: Place(13), taxonomy: surgery, pairs: [18]),
    Listed(last: "Marlow", first: "Paula", place: Place(13), taxonomy: medicine),
    Listed(last: "James", first: "Thomas", place: Place(14), taxonomy: surgery, pairs: [19]),
    Listed(last: "Hugo", first: "Bertrand", place: Place(15), taxonomy: medicine, pairs: [20]),
    Listed(last: "Ford", first: "Bill", place: Place(16), taxonomy: medicine, pairs: [21]),
    Listed(last: "Ward", first: "Bob", place: Place(17), taxonomy: surgery, pairs: [22]),
    Listed(last: "Nash", first: "Iris", place: Place(18), taxonomy: medicine, npi: 24, pairs: [24]),
  ]

  /// The holders of a state's licences, of whom no telephone number is known.
  private static let state = [
    Listed(last: "SMITH", first: "JOHN", suffix: "Jr", place: Place(2), taxonomy: medicine, pairs: [4]),
    Listed(last: "SMITH", first: "JOHN", suffix: "III", place: Place(2), taxonomy: medicine),
    Listed(last: "JONES", first: "ANNA", middle: "M", place: Place(4), taxonomy: medicine, pairs: [8]),
    Listed(last: "BAKER", first: "TOM", middle: "Q", place: Place(60), taxonomy: medicine, pairs: [10]),
    Listed(last: "PARK", first: "W", middle: "H", place: Place(9), taxonomy: surgery, pairs: [14]),
    Listed(last: "LEE", first: "J", place: Place(8), taxonomy: medicine, mayBe: [12, 13]),
  ]

  private static let payerHeader = """
    Provider ID,NPI,Provider Type,Group Name,Provider Last,Provider First,Title,Office Address 1,Office Address 2,\
    Office City,Office State,Office Zip,Office Phone,Office Fax,Taxonomy

    """

  private static func load() throws -> TestDatabase {
    let desk = try Desk()
    let files = try ProviderFiles(layout: "provider")
    let records = people.enumerated().map { index, person in
      let at = "Business Practice Location Address"
      return files.record([
        "NPI": ProviderFiles.npi(index + 1), "Entity Type Code": "1",
        "Provider Last Name (Legal Name)": person.last, "Provider First Name": person.first,
        "Provider Middle Name": person.middle, "Provider Name Suffix Text": person.suffix,
        "Provider Other Last Name": person.otherLast,
        "Provider Other First Name": person.otherLast.isEmpty ? "" : person.first,
        "Provider First Line \(at)": person.place.street, "Provider \(at) City Name": "WEXLEY",
        "Provider \(at) State Name": "CT", "Provider \(at) Postal Code": person.place.zip,
        "Provider \(at) Telephone Number": person.place.phone,
        "Healthcare Provider Taxonomy Code_1": person.taxonomy,
      ])
    }
    try files.write(records, to: "npidata_pfile_20050523-20251109.csv", of: desk.scratch)
    try desk.load("nppes", "npidata_pfile_20050523-20251109.csv").succeeded()
    try load(
      ["alder-plan-2025-11-15": network(payer), "state-2025-11-01": licences(state)], into: desk)
    return desk.database
  }

  /// A payer's list of records, which are P0, P1 and so on.
  private static func network(_ records: [Listed]) -> String {
    let rows = records.enumerated().map { index, listed in
      let npi = listed.npi.map { ProviderFiles.npi($0) } ?? ""
      return "P\(index),\(npi),I,,\(listed.last),\(listed.first),MD,\(listed.place.street),,Wexley,CT,"
        + "\(listed.place.zip),\(listed.place.phone),,\(listed.taxonomy)\n"
    }
    return payerHeader + rows.joined()
  }

  /// A state's list of records, which are S0, S1 and so on.
  private static func licences(_ records: [Listed]) -> String {
    let header =
      "License Number,Licensee Last Name,Licensee First Name,Licensee Middle Name,Suffix,Address,City,"
      + "State,Zip,Profession\n"
    let rows = records.enumerated().map { index, listed in
      "S\(index),\(listed.last),\(listed.first),\(listed.middle),\(listed.suffix),\(listed.place.street),"
        + "WEXLEY,CT,\(listed.place.zip),\(listed.taxonomy)\n"
    }
    return header + rows.joined()
  }

  /// Loads lists by their releases.
  private static func load(_ lists: [String: String], into desk: Desk) throws {
    for (name, text) in lists {
      try desk.scratch.write(name + ".csv", text)
      try desk.load("directory-csv", name + ".csv").succeeded()
    }
  }

  private static let loaded = Result { try load() }

  /// `P3 7` where the fourth of the payer's records is held to be the seventh of NPPES.
  private func found(where condition: String) throws -> Set<String> {
    let rows = try Self.loaded.get().connect().execute(
      """
      SELECT source_id, other_source_id FROM directory.provider_match
      WHERE 'nppes-2025-11' IN (release, other_release) AND \(condition)
      """)
    let places = Dictionary(
      uniqueKeysWithValues: Self.people.indices.map { (ProviderFiles.npi($0 + 1), $0 + 1) })
    return Set(
      try rows.rows.map { row in
        let ids = [row[0] ?? "", row[1] ?? ""]
        let place = try #require(ids.compactMap { places[$0] }.first)
        return "\(ids.first { places[$0] == nil } ?? "") \(place)"
      })
  }

  private static func expected(_ whom: (Listed) -> Set<Int>) -> Set<String> {
    let lists = [("P", payer), ("S", state)]
    return Set(
      lists.flatMap { name, records in
        records.enumerated().flatMap { index, listed in whom(listed).map { "\(name)\(index) \($0)" } }
      })
  }

  @Test("claims every true pair and no other, whatever a clinic's people have in common")
  func claims() throws {
    let (claimed, pairs) = (try found(where: "NOT is_ambiguous"), Self.expected(\.pairs))
    #expect(pairs.count == 17)
    #expect(claimed.subtracting(pairs).isEmpty, "precision is below 1.0: \(claimed.subtracting(pairs))")
    #expect(pairs.subtracting(claimed).isEmpty, "recall is below 1.0: \(pairs.subtracting(claimed))")
  }

  @Test("shows who else it may be as ambiguous, and nobody whom more speaks against")
  func ambiguous() throws {
    let (found, expected) = (try found(where: "is_ambiguous"), Self.expected(\.mayBe))
    #expect(found == expected, "\(found.sorted())")
  }

  @Test("gives the score and the reasons of each way in which names agree")
  func reasons() throws {
    func found(_ record: String) throws -> String? {
      try Self.loaded.get().value(
        """
        SELECT string_agg(score || ' ' || array_to_string(reasons, '+'), '; ') FROM directory.provider_match
        WHERE '\(record)' IN (source_id, other_source_id) AND 'nppes-2025-11' IN (release, other_release)
        """)
    }
    for (record, expected) in [
      ("P0", "1.000 name+specialty+phone+address"), ("P1", "1.000 name+another specialty+phone+address"),
      ("P6", "0.991 last name+initial+specialty+phone+address"),
      ("P7", "1.000 half of the last name+first name+specialty+phone+address"),
      ("P11", "1.000 further name+another specialty+phone+address"),
      ("P14", "1.000 names swapped+specialty+phone+address"),
      ("P15", "1.000 last name+form of the first name+specialty+phone+address"), ("P17", "1.000 NPI"),
      ("S4", "1.000 last name+initial+middle initial+specialty+address"),
    ] {
      let found = try found(record)
      #expect(found == expected, "\(record)")
    }
  }

  /// Three lists of made-up people: a payer's, a state's, and one of who is on call.
  private static let lists = [
    "alder-plan-2025-11-15": payerHeader + """
      JOHN1,,I,,Smith,John,MD,12 Main St,,Wexley,CT,6001,203-555-1000,,CARDIOLOGY
      JOHN2,,I,,Smith,John,MD,90 Oak Ave,,Wexley,CT,06001,203-555-2000,,CARDIOLOGY
      TWIN1,,I,,Lee,Anna,MD,5 Elm St,,Wexley,CT,06002,203-555-3000,,PEDIATRICS
      TWIN2,,I,,Lee,Amy,MD,5 Elm St,,Wexley,CT,06002,203-555-3000,,PEDIATRICS
      MARRIED,,I,,Marlow,Petra,MD,7 Lake Rd,,Wexley,CT,06003,203-555-4000,,PSYCHIATRY
      SWAPPED,,I,,O'Neil,Knut,MD,8 Hill Rd,,Wexley,CT,06004,203-555-5000,,UROLOGY
      NUMBER,1234567893,I,,Grey,Tessa,MD,2 Bay St,,Wexley,CT,06005,203-555-6000,,NEUROLOGY

      """,
    "state-2025-11-01": """
    License Number,Licensee Last Name,Licensee First Name,Address,City,State,Zip,Profession
    A1,SMITH,JOHN,,WEXLEY,CT,06001,CARDIOLOGY
    A2,SMITH,JOHN,12 MAIN STREET,WEXLEY,CT,06001,CARDIOLOGY
    B1,LEE,ANNA,5 ELM STREET,WEXLEY,CT,06002,PEDIATRICS
    D1,KNUT,ONEIL,8 HILL ROAD,WEXLEY,CT,06004,UROLOGY

    """,
    "mercy-2025-11-20": """
    Service,Last Name,First Name,On-Call Phone,NPI
    PSYCHIATRY,Vance,Petra,203-555-4000,
    NEUROLOGY,Unknown,Person,,1234567893
    PEDIATRICS,Lee,Anna,203-555-3000,

    """,
  ]

  @Test("are one provider by the NPI, else by what speaks for it; what is unclear is reported as such")
  func betweenLists() throws {
    let desk = try Desk()
    try Self.load(Self.lists, into: desk)
    for (record, other, expected) in [
      // Of two John Smiths an address makes one the likelier, and neither is claimed.
      (
        "JOHN1", "state",
        "A2 0.846 name+specialty+address ambiguous; A1 0.154 name+specialty+ZIP code ambiguous"
      ),
      (
        "JOHN2", "state",
        "A1 0.500 name+specialty+ZIP code ambiguous; A2 0.052 name+specialty+ZIP code ambiguous"
      ),
      ("TWIN1", "state", "B1 1.000 name+specialty+address"), ("TWIN2", "state", nil),
      ("SWAPPED", "state", "D1 1.000 names swapped+specialty+address"),
      ("TWIN1", "mercy", "3 1.000 name+specialty+phone"),
      // Another last name needs somebody to look.
      ("MARRIED", "mercy", "1 0.940 another last name+first name+specialty+phone ambiguous"),
      ("NUMBER", "mercy", "2 0.800 NPI+no name in common"),
    ] {
      let found = try desk.value(
        """
        SELECT string_agg(concat_ws(' ', CASE WHEN source_id = '\(record)' THEN other_source_id ELSE source_id END,
          score, array_to_string(reasons, '+'), CASE WHEN is_ambiguous THEN 'ambiguous' END), '; '
          ORDER BY score DESC, source_id, other_source_id)
        FROM directory.provider_match
        WHERE '\(record)' IN (source_id, other_source_id)
          AND (release LIKE '\(other)-2%' OR other_release LIKE '\(other)-2%')
        """)
      #expect(found == expected, "\(record) in \(other)")
    }
  }

  /// Records of a payer's list, each with that of a state's list which has the same number.
  private static let spellings: [(payer: Listed, state: Listed)] = [
    // A typo in the last name, and one in the first.
    (
      Listed(last: "Halvorsen", first: "Erik", place: Place(1), taxonomy: medicine),
      Listed(last: "HALVORSON", first: "ERIK", place: Place(1), taxonomy: medicine)
    ),
    (
      Listed(last: "Okafor", first: "Gideon", place: Place(2), taxonomy: medicine),
      Listed(last: "OKAFOR", first: "GIDOEN", place: Place(2), taxonomy: medicine)
    ),
    // A married name, and somebody of the same first name with another specialty.
    (
      Listed(last: "Marlow", first: "Petra", place: Place(3), taxonomy: medicine),
      Listed(last: "VANCE", first: "PETRA", place: Place(3), taxonomy: medicine)
    ),
    (
      Listed(last: "Quist", first: "Dagny", place: Place(4), taxonomy: medicine),
      Listed(last: "LORENTZ", first: "DAGNY", place: Place(4), taxonomy: surgery)
    ),
    // At another place, with a rare and with a common last name.
    (
      Listed(last: "Zybrowski", first: "Ingrid", place: Place(5), taxonomy: medicine),
      Listed(last: "ZYBROWSKI", first: "INGRID", place: Place(50), taxonomy: medicine)
    ),
    (
      Listed(last: "Smith", first: "Osvald", place: Place(6), taxonomy: medicine),
      Listed(last: "SMITH", first: "OSVALD", place: Place(60), taxonomy: medicine)
    ),
  ]

  @Test("are found with a typo, a married name and at another place, and claimed from a threshold on")
  func spelledOtherwise() throws {
    let desk = try Desk()
    let letters = ["a", "b", "c", "d", "e", "f", "g", "h"]
    let smiths = (0..<60).map { number in
      Listed(
        last: "Smith", first: "X\(letters[number / 8])\(letters[number % 8])", place: Place(100 + number),
        taxonomy: Self.medicine)
    }
    try Self.load(
      [
        "alder-plan-2025-11-15": Self.network(Self.spellings.map { $0.payer } + smiths),
        "state-2025-11-01": Self.licences(Self.spellings.map { $0.state }),
      ], into: desk)
    func found(_ limits: String) throws -> [String] {
      try desk.rows(
        """
        SELECT concat_ws(' ', source_id, other_source_id, CASE WHEN is_ambiguous THEN 'may be' ELSE 'is' END,
          array_to_string(reasons, '+'))
        FROM directory.provider_matches(\(limits)) ORDER BY source_id
        """)
    }
    let usual = try found("")
    #expect(
      usual == [
        "P0 S0 is typo in the last name+first name+specialty+address",
        "P1 S1 is last name+typo in the first name+specialty+address",
        "P2 S2 may be another last name+first name+specialty+address",
        "P4 S4 is name+specialty+another place", "P5 S5 may be name+specialty+another place",
      ])
    // The first limit says what is claimed, the second what is shown at all.
    #expect(try found("0.95") == usual)
    #expect(try found("0.5") == usual.map { $0.replacing(" may be ", with: " is ") })
    #expect(try found("1.0") == usual.map { $0.replacing(" is ", with: " may be ") })
    #expect(try found("0.95, 0.95") == usual.filter { $0.contains(" is ") })
    #expect(
      try found("0.95, 0.05").filter { !usual.contains($0) } == [
        "P3 S3 may be another last name+first name+another specialty+address"
      ])
    #expect(
      try desk.rows(
        """
        SELECT source_id, other_source_id, array_to_string(reasons, '+'), name, other_name
        FROM directory.provider_match_review
        """) == [
          "P2|S2|another last name+first name+specialty+address|Petra Marlow|Petra Vance",
          "P5|S5|name+specialty+another place|Osvald Smith|Osvald Smith",
        ])
    #expect(
      try desk.value(
        """
        SELECT rare.score > common.score AND rare.weight > common.weight
        FROM directory.provider_match rare, directory.provider_match common
        WHERE rare.source_id = 'P4' AND common.source_id = 'P5'
        """) == "t")
  }

  @Test("are found without comparing each record with each, whether the server knows the tables or not")
  func plan() throws {
    let desk = try Desk()
    let count = 12_000
    let firsts = ["Ada", "Bruno", "Cara", "Dirk", "Edna", "Felix", "Bill", "J"]
    for (list, way) in [("alder", "St"), ("birch", "Street")] {
      let rows = (0..<count).map { number -> String in
        let letters = String(number, radix: 16).map {
          "abcdefghijklmnop".dropFirst($0.hexDigitValue ?? 0).prefix(1)
        }
        return
          "\(list)\(number),,I,,K\(letters.joined()),\(firsts[number % firsts.count]),MD,\(1 + number % 90) Main \(way),,"
          + "Wexley,CT,0\(6000 + number % 900),203555\(1000 + number % 9000),,207R00000X\n"
      }
      try Self.load(["\(list)-2025-11-15": Self.payerHeader + rows.joined()], into: desk)
    }
    // As many of one name, of whom nothing else is known to be the same: nine million pairs, if each were one.
    for (list, house) in [("cedar", 100), ("dogwood", 5_000)] {
      let rows = (0..<3_000).map { number in
        "\(list)\(number),,I,,Smith,John,MD,\(house + number) Main St,,Wexley,CT,0\(6000 + number % 900),"
          + "203\(house)\(1000 + number),,207R00000X\n"
      }
      try Self.load(["\(list)-2025-11-15": Self.payerHeader + rows.joined()], into: desk)
    }
    let connection = try desk.database.connect()
    for isKnown in [false, true] {
      if isKnown { try connection.execute("ANALYZE") }
      // Seconds where each is compared with those alone who share something, and minutes otherwise.
      try connection.execute("SET statement_timeout = '120s'")
      let pairs = try connection.execute(
        """
        SELECT count(*) FILTER (WHERE substr(source_id, 6) = substr(other_source_id, 6) AND source_id LIKE 'ALDER%')
        FROM directory.provider_match
        """)[0][0]
      #expect(pairs == "\(count)", "known: \(isKnown)")
      try connection.execute("RESET statement_timeout")
    }
  }
}
