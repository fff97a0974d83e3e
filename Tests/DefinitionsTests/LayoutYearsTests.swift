import Definitions
import TestSupport
import Testing

/// Files of every year, made up here: their headers and places, without a value of the publisher's.
@Suite("The layouts of cms-rvu")
struct LayoutYearsTests {
  let pipeline: Pipeline

  init() throws {
    pipeline = try Project.load(SharedData.project).pipeline(named: "cms-rvu")
  }

  private func layout(_ name: String) throws -> Layout { try #require(pipeline.layouts[name]) }

  /// Columns whose names are over several rows, `WORK|RVU`, as the rows of a header.
  private static func rows(_ columns: [String]) -> [[String]] {
    let words = columns.map { $0.split(separator: "|").map(String.init) }
    let height = words.map(\.count).max() ?? 0
    return (0..<height).map { row in
      words.map { row - (height - $0.count) < 0 ? "" : $0[row - (height - $0.count)] }
    }
  }

  /// The columns of the layout's version in the order of the header's fields.
  private func names(_ match: HeaderMatch, _ layout: Layout) throws -> [String] {
    let version = try #require(layout.version(named: match.version))
    return zip(version.columns, match.fields).compactMap { column, field in field.map { ($0, column.name) } }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static let leading = [
    "HCPCS", "MOD", "DESCRIPTION", "STATUS|CODE", "NOT USED|FOR|MEDICARE|PAYMENT", "WORK|RVU",
  ]
  private static let policy = [
    "PCTC|IND", "GLOB|DAYS", "PRE|OP", "INTRA|OP", "POST|OP", "MULT|PROC", "BILAT|SURG", "ASST|SURG",
    "CO-|SURG", "TEAM|SURG",
  ]
  private static let trailing = [
    "ENDO|BASE", "CONV|FACTOR", "PHYSICIAN|SUPERVISION OF|DIAGNOSTIC|PROCEDURES",
  ]
  private static let flags = ["CALCULATION|FLAG", "DIAGNOSTIC|IMAGING|FAMILY|INDICATOR"]
  private static let caps = [
    "NON-FACILITY|PE USED|FOR OPPS|PAYMENT|AMOUNT", "FACILITY|PE USED|FOR OPPS|PAYMENT|AMOUNT",
    "MP USED|FOR OPPS|PAYMENT|AMOUNT",
  ]
  private static let once = [
    "NON-FAC|PE RVU", "NON-FAC|NA|INDICATOR", "FACILITY|PE RVU", "FACILITY|NA|INDICATOR", "MP|RVU",
    "NON-FACILITY|TOTAL", "FACILITY|TOTAL",
  ]
  private static let twice = [
    "TRANSITIONED|NON-FAC|PE RVU", "TRANSITIONED|NON-FAC|NA|INDICATOR", "FULLY|IMPLEMENTED|NON-FAC|PE RVU",
    "FULLY|IMPLEMENTED|NON-FAC|NA|INDICATOR", "TRANSITIONED|FACILITY|PE RVU",
    "TRANSITIONED|FACILITY|NA|INDICATOR", "FULLY|IMPLEMENTED|FACILITY|PE RVU",
    "FULLY|IMPLEMENTED|FACILITY|NA|INDICATOR", "MP|RVU", "TRANSITIONED|NON-FACILITY|TOTAL",
    "FULLY|IMPLEMENTED|NON-FACILITY|TOTAL", "TRANSITIONED|FACILITY|TOTAL", "FULLY|IMPLEMENTED|FACILITY|TOTAL",
  ]

  private static let leadingNames = [
    "hcpcs", "modifier", "description", "status_code", "not_used_for_medicare", "work_rvu",
  ]
  private static let onceNames = [
    "nonfac_pe_rvu", "nonfac_na", "fac_pe_rvu", "fac_na", "mp_rvu", "nonfac_total", "fac_total",
  ]
  private static let twiceNames = [
    "nonfac_pe_rvu", "nonfac_na", "nonfac_pe_rvu_full", "nonfac_na_full", "fac_pe_rvu", "fac_na",
    "fac_pe_rvu_full", "fac_na_full", "mp_rvu", "nonfac_total", "nonfac_total_full", "fac_total",
    "fac_total_full",
  ]
  private static let policyNames = [
    "pctc_indicator", "global_days", "pre_op", "intra_op", "post_op", "multiple_procedure",
    "bilateral_surgery", "assistant_surgery", "co_surgeons", "team_surgery",
  ]
  private static let trailingNames = ["endo_base", "conversion_factor", "diagnostic_supervision"]
  private static let flagNames = ["calculation_flag", "diagnostic_imaging_family"]
  private static let capNames = ["nonfac_pe_opps", "fac_pe_opps", "mp_opps"]

  /// A header of PPRRVU, what it is and what its fields are.
  struct Header: Sendable, CustomTestStringConvertible {
    let release: String
    let version: String
    let columns: [String]
    let names: [String]
    var testDescription: String { release }
  }

  static let headers = [
    Header(
      release: "2026A", version: "2020",
      columns: leading + once + policy + ["PRIC|IND"] + trailing + flags + caps,
      names: leadingNames + onceNames + policyNames + ["pricing_indicator"] + trailingNames + flagNames
        + capNames),
    Header(
      release: "2014A", version: "2020", columns: leading + once + policy + trailing + flags + caps,
      names: leadingNames + onceNames + policyNames + trailingNames + flagNames + capNames),
    Header(
      release: "2010A", version: "2010", columns: leading + twice + policy + trailing + flags + caps,
      names: leadingNames + twiceNames + policyNames + trailingNames + flagNames + capNames),
    Header(
      release: "2006A", version: "2010", columns: leading + twice + policy + trailing,
      names: leadingNames + twiceNames + policyNames + trailingNames),
    Header(
      release: "2006AR2", version: "2003", columns: leading + once + policy + trailing,
      names: leadingNames + onceNames + policyNames + trailingNames),
  ]

  @Test("tell a PPRRVU's version by its header, and every field", arguments: headers)
  func pprrvu(header: Header) throws {
    let layout = try layout("pprrvu")
    let banner = [["", "", "Some Relative Value File"], ["", "", "RELEASED 01/01/2000"], ["", "", "", ""]]
    let match = try HeaderMatch.find(
      in: banner + Self.rows(header.columns), layout: layout, release: header.release)
    #expect(match.version == header.version && match.unknown.isEmpty)
    #expect(try names(match, layout) == header.names)
    #expect(header.columns.count == header.names.count)
  }

  @Test("count 37 columns in 2010, 31 from 2014 on and 32 from 2026 on")
  func counts() {
    #expect(Self.headers.map(\.columns.count) == [32, 31, 37, 32, 26])
  }

  @Test("refuse a PPRRVU without the cap for a release that has one, with what is missing")
  func cutOff() throws {
    let header = Self.rows(Self.leading + Self.once + Self.policy + Self.trailing)
    let layout = try layout("pprrvu")
    let error = #expect(throws: HeaderMismatch.self) {
      try HeaderMatch.find(in: header, layout: layout, release: "2025D")
    }
    #expect(error?.version == "2020")
    #expect(
      error?.missing.map(\.column)
        == ["calculation_flag", "diagnostic_imaging_family", "nonfac_pe_opps", "fac_pe_opps", "mp_opps"])
  }

  @Test("load a reworded header that names every needed column, and tell what is new")
  func reworded() throws {
    let columns =
      ["SIDE|NOTE"] + Self.leading + Self.once + Self.policy + ["PRICING INDICATOR"] + Self.trailing
    let header = Self.rows(columns + Self.flags + Self.caps)
    let match = try HeaderMatch.find(in: header, layout: layout("pprrvu"), release: "2031B")
    #expect(match.version == "2020" && match.unknown.map(\.text) == ["SIDE NOTE"])
  }

  @Test("refuse one that lacks a needed column, with what is in its place")
  func lacking() throws {
    let columns =
      Self.leading + Self.once.map { $0 == "MP|RVU" ? "MPL|RVU" : $0 } + Self.policy + Self.trailing
    let header = Self.rows(columns + Self.flags + Self.caps)
    let layout = try layout("pprrvu")
    let error = #expect(throws: HeaderMismatch.self) {
      try HeaderMatch.find(in: header, layout: layout, release: "2025D")
    }
    #expect(
      error?.description
        == "no header of the layout 'pprrvu' was found: record 5 comes nearest, with 30 of 32 columns of version"
        + " 2020; - is what it has, + what the file has:\n  - 'MP RVU' (mp_rvu)\n  + 'MPL RVU'")
  }

  /// A header of one of the smaller tables.
  static let others: [(layout: String, version: String, header: [String], names: [String])] = [
    (
      "gpci", "2020",
      [
        "Medicare Administrative Contractor (MAC)", "State", "Locality Number", "Locality Name",
        "2026 PW GPCI (without 1.0 Floor)", "2026 PW GPCI (with 1.0 Floor)", "2026 PE GPCI", "2026 MP GPCI",
      ],
      [
        "mac", "state", "locality", "locality_name", "work_gpci_no_floor", "work_gpci", "pe_gpci", "mp_gpci",
      ]
    ),
    (
      "gpci", "2020",
      ["MAC", "State", "Locality Number", "Locality Name", "2027 PW GPCI", "2027 PE GPCI", "2027 MP GPCI"],
      ["mac", "state", "locality", "locality_name", "work_gpci", "pe_gpci", "mp_gpci"]
    ),
    (
      "gpci", "no-floor",
      [
        "Medicare Administrative Contractor (MAC)", "State", "Locality Number", "Locality Name",
        "2027 PW GPCI (without 1.0 Floor)", "2027 PE GPCI", "2027 MP GPCI",
      ],
      ["mac", "state", "locality", "locality_name", "work_gpci", "pe_gpci", "mp_gpci"]
    ),
    (
      "gpci", "2009",
      ["Carrier", "Locality", "Locality Name", "2017 PW GPCI", "2017 PE GPCI", "2017 MP GPCI"],
      ["mac", "locality", "locality_name", "work_gpci", "pe_gpci", "mp_gpci"]
    ),
    (
      "gpci", "2009", ["CARIER NUMBER", "LOCALITY NUMBER", "LOCALITY NAME", "WORK**", "PE", "MP"],
      ["mac", "locality", "locality_name", "work_gpci", "pe_gpci", "mp_gpci"]
    ),
    (
      "anes", "2020", ["Contractor", "Locality", "Locality Name", "National Anes CF of 20.3178"],
      ["mac", "locality", "locality_name", "conversion_factor"]
    ),
    (
      "anes", "2020", ["Carrier", "Locality", "Locality Name", "2009 Anesthesia Conversion Factor"],
      ["mac", "locality", "locality_name", "conversion_factor"]
    ),
    (
      "anes", "2026",
      [
        "Contractor", "Locality", "Locality Name",
        "Qualifying APM National Anes CF (with 2.5% statutory increase) of 20.599835",
        "Non-Qualifying APM National Anes CF (with 2.5% Statutory increase)  of 20.49754",
      ],
      ["mac", "locality", "locality_name", "qp_conversion_factor", "conversion_factor"]
    ),
    (
      "anes", "2026",
      [
        "Contractor", "Locality", "Locality Name",
        "Non-Qualifying APM National Anes CF (with 2.5% Statutory increase)  of 20.49754",
        "Non-Qualifying APM National Anes CF (with 2.5% statutory increase) of 20.599835",
      ],
      ["mac", "locality", "locality_name", "conversion_factor", "qp_conversion_factor"]
    ),
    (
      "locco", "2020", ["CARIER", "LOCALITY", "STATE", "FEE SCHEDULE AREA", "COUNTIES"],
      ["mac", "locality", "state", "fee_schedule_area", "counties"]
    ),
    (
      "oppscap", "2020",
      ["HCPCS", "MOD", "PROC STAT", "CARIER", "LOCALITY", "FACILITY PRICE", "NON-FACILITY PRICE"],
      ["hcpcs", "modifier", "status_code", "mac", "locality", "facility_price", "nonfacility_price"]
    ),
  ]

  @Test("tell the versions of the smaller tables by their headers", arguments: others.indices)
  func smaller(index: Int) throws {
    let expected = Self.others[index]
    let layout = try layout(expected.layout)
    let match = try HeaderMatch.find(in: [["A title"], [""], expected.header], layout: layout)
    #expect(match.version == expected.version && match.unknown.isEmpty)
    #expect(try names(match, layout) == expected.names)
  }

  /// A record of a txt: what it is, and each value with the byte it begins at.
  struct Record: Sendable, CustomTestStringConvertible {
    let layout: String
    let version: String
    let length: Int
    let values: [(column: String, at: Int, text: String)]
    var testDescription: String { "\(layout) \(version)" }

    var bytes: [UInt8] {
      var bytes = [UInt8](repeating: 0x20, count: length)
      for value in values {
        bytes.replaceSubrange(value.at - 1..<value.at - 1 + value.text.utf8.count, with: value.text.utf8)
      }
      return bytes
    }
  }

  private static let commonPlaces: [(column: String, at: Int, text: String)] = [
    ("hcpcs", 1, "99999"), ("modifier", 6, "TC"), ("description", 8, "Made up"), ("status_code", 58, "A"),
    ("not_used_for_medicare", 59, "+"), ("work_rvu", 60, "  1.01"), ("nonfac_pe_rvu", 67, "  1.02"),
    ("nonfac_na", 73, "NA"),
  ]

  /// The indicators, which follow the totals in the same order in every year.
  private static func policyPlaces(from first: Int) -> [(column: String, at: Int, text: String)] {
    [
      ("pctc_indicator", first, "3"), ("global_days", first + 1, "XXX"), ("pre_op", first + 4, ".11"),
      ("intra_op", first + 7, ".12"), ("post_op", first + 10, ".13"), ("multiple_procedure", first + 13, "4"),
      ("bilateral_surgery", first + 14, "5"), ("assistant_surgery", first + 15, "6"),
      ("co_surgeons", first + 16, "7"), ("team_surgery", first + 17, "8"), ("endo_base", first + 25, "88888"),
      ("conversion_factor", first + 30, " 36.0001"), ("diagnostic_supervision", first + 39, "6A"),
      ("calculation_flag", first + 41, "0"), ("diagnostic_imaging_family", first + 43, "88"),
      ("nonfac_pe_opps", first + 49, "  1.21"), ("fac_pe_opps", first + 56, "  1.22"),
      ("mp_opps", first + 63, "  1.23"),
    ]
  }

  static let records = [
    Record(
      layout: "pprrvu", version: "2020", length: 171,
      values: commonPlaces + [
        ("fac_pe_rvu", 76, "  1.03"), ("fac_na", 82, "NA"), ("mp_rvu", 85, " 1.04"),
        ("nonfac_total", 91, "  1.05"), ("fac_total", 97, "  1.06"), ("pricing_indicator", 121, "9"),
      ] + policyPlaces(from: 103)),
    Record(
      layout: "pprrvu", version: "2010", length: 207,
      values: commonPlaces + [
        ("nonfac_pe_rvu_full", 76, "  1.03"), ("nonfac_na_full", 82, "NA"), ("fac_pe_rvu", 85, "  1.04"),
        ("fac_na", 91, "NA"), ("fac_pe_rvu_full", 94, "  1.05"), ("fac_na_full", 100, "NA"),
        ("mp_rvu", 104, " 1.06"), ("nonfac_total", 110, "  1.07"), ("nonfac_total_full", 117, "  1.08"),
        ("fac_total", 124, "  1.09"), ("fac_total_full", 131, "  1.10"),
      ] + policyPlaces(from: 139)),
    Record(
      layout: "gpci", version: "2020", length: 154,
      values: [
        ("mac", 1, "01112"), ("state", 16, "CA"), ("locality", 25, "05"), ("locality_name", 30, "MADE UP"),
        ("work_gpci", 126, "1.001"), ("pe_gpci", 138, "1.002"), ("mp_gpci", 150, "1.003"),
      ]),
    Record(
      layout: "gpci", version: "2009", length: 65,
      values: [
        ("mac", 1, "01112"), ("locality", 9, "05"), ("locality_name", 14, "MADE UP"),
        ("work_gpci", 45, "1.001"), ("pe_gpci", 53, "1.002"), ("mp_gpci", 61, "1.003"),
      ]),
    Record(
      layout: "gpci", version: "2003", length: 57,
      values: [
        ("mac", 1, "01112"), ("locality", 7, "05"), ("locality_name", 12, "MADE UP"),
        ("work_gpci", 34, "1.001"), ("pe_gpci", 43, "1.002"), ("mp_gpci", 53, "1.003"),
      ]),
    Record(
      layout: "anes", version: "2020", length: 77,
      values: [
        ("mac", 1, "01112"), ("locality", 13, "05"), ("locality_name", 19, "MADE UP"),
        ("conversion_factor", 74, "1931"),
      ]
    ),
    Record(
      layout: "anes", version: "2026", length: 77,
      values: [
        ("mac", 1, "01112"), ("locality", 13, "05"), ("locality_name", 19, "MADE UP"),
        ("qp_conversion_factor", 68, "1963"), ("conversion_factor", 74, "1953"),
      ]),
    Record(
      layout: "oppscap", version: "2020", length: 38,
      values: [
        ("hcpcs", 1, "99999"), ("modifier", 6, "TC"), ("status_code", 9, "A"), ("mac", 11, "01112"),
        ("locality", 18, "05"), ("facility_price", 23, "150.69"), ("nonfacility_price", 33, "150.68"),
      ]),
  ]

  @Test("tell the version of a txt by its records, and every field", arguments: records)
  func places(record: Record) throws {
    let layout = try layout(record.layout)
    let match = try PlaceMatch.find(in: [record.bytes, record.bytes], layout: layout)
    #expect(match.version == record.version)
    let version = try #require(layout.version(named: match.version))
    for column in version.columns {
      guard let place = column.place?.bytes else { continue }
      let field = record.bytes.dropFirst(place.lowerBound - 1).prefix(place.count)
      let text = String(decoding: field, as: UTF8.self).split(separator: " ").joined(separator: " ")
      let expected = record.values.first { $0.column == column.name }?.text ?? ""
      #expect(text == expected.split(separator: " ").joined(separator: " "), "\(column.name)")
    }
  }

  @Test(
    "are limited to a range of releases where they say so",
    arguments: [
      ("2003A-2006D", "2006D", true), ("2003A-2006D", "2006dr", true), ("2003A-2006D", "2007A", false),
      ("2003A-2006D", "2002D", false), ("2014A-", "2031C", true), ("2014A-", "2013D", false),
      ("-2013D", "1999A", true),
    ])
  func range(range: String, release: String, contains: Bool) throws {
    let range = try #require(ReleaseRange(range))
    #expect(range.contains(release) == contains)
  }

  @Test(
    "know no range without an end, or that ends before it begins",
    arguments: ["2003A", "-", "2007A-2006D", "a b-c", ""])
  func noRange(text: String) {
    #expect(ReleaseRange(text) == nil)
  }

  @Test("try all versions where the release is not known, and say so where none is left")
  func releases() throws {
    let pprrvu = try layout("pprrvu")
    #expect(pprrvu.versions(for: nil).map(\.name) == ["2003", "2010", "2020"])
    #expect(pprrvu.versions(for: "2006B").map(\.name) == ["2003", "2010", "2020"])
    #expect(pprrvu.versions(for: "2007A").map(\.name) == ["2010", "2020"])
    var layout = pprrvu
    layout.versions = pprrvu.versions.filter { $0.releases != nil }
    let header = #expect(throws: HeaderMismatch.self) {
      try HeaderMatch.find(in: [["HCPCS"]], layout: layout, release: "2007A")
    }
    #expect(header?.description == "the layout 'pprrvu' has no version for 2007A")
    let places = #expect(throws: PlaceMismatch.self) {
      try PlaceMatch.find(in: [[0x31]], layout: layout, release: "2007A")
    }
    #expect(places?.description == "the layout 'pprrvu' has no version for fixed-width files of 2007A")
  }
}
