import TestSupport
import Testing

/// Made-up exclusions, as the Inspector General and states publish them.
@Suite("A list of exclusions")
struct ExclusionTests {
  private static let header = [
    "LASTNAME", "FIRSTNAME", "MIDNAME", "BUSNAME", "GENERAL", "SPECIALTY", "UPIN", "NPI", "DOB", "ADDRESS",
    "CITY",
    "STATE", "ZIP", "EXCLTYPE", "EXCLDATE", "REINDATE", "WAIVERDATE", "WVRSTATE",
  ]
  private static let zeros = [
    "NPI": "0000000000", "DOB": "00000000", "REINDATE": "00000000", "WAIVERDATE": "00000000",
  ]

  private static let ann = [
    "LASTNAME": "DOE", "FIRSTNAME": "ANN", "GENERAL": "IND, UNAFFILIATED", "NPI": "1234567893",
    "DOB": "19700131", "ADDRESS": "1 MAIN ST, APT 2", "CITY": "WEXLEY", "STATE": "CT", "ZIP": "6001",
    "EXCLTYPE": "1128a1", "EXCLDATE": "20200120",
  ]
  /// Of her name and on her day, and somebody else.
  private static let other = ann.merging(["NPI": "0000000000", "DOB": "19810202"]) { $1 }
  private static let bob = [
    "LASTNAME": "MU\u{D1}OZ", "FIRSTNAME": "BOB", "EXCLTYPE": "1128b4", "EXCLDATE": "20190120",
    "WAIVERDATE": "20200101", "WVRSTATE": "CO",
  ]
  private static let company = [
    "BUSNAME": "HOME CARE, INC", "NPI": "1234567890", "EXCLTYPE": "1128b8", "EXCLDATE": "20180120",
  ]

  /// The lines of a file: the header without quotes, the data in them.
  private static func text(_ records: [String: String]...) -> String {
    let lines = records.map { record in
      header.map { "\"\(record[$0] ?? zeros[$0] ?? "")\"" }.joined(separator: ",")
    }
    return ([header.joined(separator: ",")] + lines + [""]).joined(separator: "\r\n")
  }

  private static let rows = """
    SELECT concat_ws(' ', npi, nullif(last_name, ''), nullif(first_name, ''), nullif(organization, ''),
      nullif(birth_date, ''), postal_code, exclusion_type, excluded_on, 'until ' || reinstated_on,
      'waived in ' || waiver_state || ' from ' || waived_on)
    FROM directory.exclusion ORDER BY last_name, first_name, birth_date
    """

  /// A desk with the list of October.
  private func october() throws -> Desk {
    let desk = try Desk()
    try desk.scratch.write("leie-2025-10/\(ProviderFiles.notice)", "")
    // As the publisher writes it, a byte a letter.
    try desk.scratch.write(
      "leie-2025-10/UPDATED.csv", latin1: Self.text(Self.ann, Self.other, Self.bob, Self.company))
    try desk.load("oig-leie", "leie-2025-10", options: ["--accept", "rows-exclusions"])
      .succeeded(saying: "npi: 1 values were left blank")
    return desk
  }

  @Test("has zeros for nothing, and nobody's number for a wrong one")
  func whole() throws {
    #expect(
      try october().rows(Self.rows) == [
        "HOME CARE, INC 1128b8 2018-01-20",
        "1234567893 DOE ANN 1970-01-31 06001 1128a1 2020-01-20",
        "DOE ANN 1981-02-02 06001 1128a1 2020-01-20",
        "MU\u{D1}OZ BOB 1128b4 2019-01-20 waived in CO from 2020-01-01",
      ])
  }

  @Test("is changed by the exclusions and reinstatements of the next month, each of its own record alone")
  func month() throws {
    let desk = try october()
    let cy = [
      "LASTNAME": "ROE", "FIRSTNAME": "CY", "NPI": "1245319599", "EXCLTYPE": "1128a3", "EXCLDATE": "20251119",
    ]
    func write(_ month: String, _ excluded: [String: String], _ reinstated: [String: String]) throws {
      try desk.scratch.write("\(month)/\(month)excl.csv", Self.text(excluded))
      try desk.scratch.write("\(month)/\(month)rein.csv", Self.text(reinstated))
      try desk.scratch.write("\(month)/\(ProviderFiles.notice)", "")
    }
    try write("2511", cy, Self.ann.merging(["REINDATE": "20251112"]) { $1 })
    try write("2512", Self.company, cy)
    try desk.load("oig-leie", "2512").failed(
      3, saying: "load the changes from 2025-11-01 to 2025-11-30 first")
    try desk.load("oig-leie", "2511").succeeded(showing: "changes of 2025-11-01 to 2025-11-30")
    #expect(
      try desk.rows(Self.rows) == [
        "HOME CARE, INC 1128b8 2018-01-20",
        "1234567893 DOE ANN 1970-01-31 06001 1128a1 2020-01-20 until 2025-11-12",
        "DOE ANN 1981-02-02 06001 1128a1 2020-01-20",
        "MU\u{D1}OZ BOB 1128b4 2019-01-20 waived in CO from 2020-01-01",
        "1245319599 ROE CY 1128a3 2025-11-19",
      ])
    try desk.load("oig-leie", "2511").succeeded(showing: "is unchanged")
  }

  @Test("shows no date of birth of what it refuses")
  func refused() throws {
    let desk = try Desk()
    try desk.scratch.write(
      "leie-2025-10/UPDATED.csv", Self.text(Self.ann.merging(["DOB": "19700199"]) { $1 }))
    let run = try desk.load("oig-leie", "leie-2025-10").failed(3, saying: "birth_date")
    #expect(!run.errors.contains("19700199") && !run.output.contains("19700199"), "\(run.errors)")
  }

  @Test("of a state has a form of its own, and is held against its own")
  func state() throws {
    let desk = try Desk()
    try desk.scratch.write(
      "ny_medicaid_exclusions_2025-11-20.csv",
      """
      Provider Last Name,Provider First Name,Entity Name,NPI Number,License,Profession,Zip Code,Effective Date,End Date
      Doe,Ann,,0,A1,RN,6001,01/20/2020,2021-01-20
      ,,"Home Care, Inc",1245319599,N/A,Agency,10001-1234,2019-01-20,

      """)
    try desk.load("state-exclusions", "ny_medicaid_exclusions_2025-11-20.csv").succeeded()
    #expect(
      try desk.rows(
        """
        SELECT release, npi, source_id, last_name || organization, general, postal_code, zip4, excluded_on, reinstated_on
        FROM directory.exclusion ORDER BY row
        """) == [
          "ny-exclusions-2025-11-20|-|A1|Doe|RN|06001|-|2020-01-20|2021-01-20",
          "ny-exclusions-2025-11-20|1245319599|-|Home Care, Inc|Agency|10001|1234|2019-01-20|-",
        ])
    try desk.scratch.write(
      "nj-exclusions-2025-11-20.csv", "Last Name,First Name,Exclusion Date\nDoe,Ann,\n")
    try desk.load("state-exclusions", "nj-exclusions-2025-11-20.csv").failed(3, saying: "excluded_on")
  }
}
