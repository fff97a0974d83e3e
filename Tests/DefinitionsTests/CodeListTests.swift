import Definitions
import Foundation
import Records
import TestSupport
import Testing

/// The lists under `Data/lists`, which say what indicators mean.
@Suite("A code list")
struct CodeListTests {
  private static let folder = SharedData.project + "/Data/lists"

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
    $0.hasSuffix(".yaml")
  }.map { String($0.dropLast(5)) }.sorted()

  private static func records(_ entry: SourceEntry, _ format: RecordFormat) throws -> [[String]] {
    var reader = try RecordReader(entry, format: format)
    return try texts(of: &reader)
  }

  private static func list(_ name: String) throws -> CodeList {
    try CodeList.load(folder + "/\(name).yaml")
  }

  @Test("has each code once, in order, with words for it", arguments: names)
  func form(name: String) throws {
    let codes = try Self.list(name).codes
    #expect(!codes.isEmpty)
    #expect(codes.map(\.code) == Set(codes.map(\.code)).sorted(), "sorted, and none twice")
    for code in codes {
      #expect(code.code == code.code.trimmed.uppercased() && !code.code.isEmpty)
      #expect(code.meaning.allSatisfy(\.isASCII) && code.meaning.count <= 90 && code.meaning.last != ".")
    }
  }

  @Test("is there for every indicator")
  func all() {
    #expect(
      Self.names == [
        "assistant-surgery", "bilateral-surgery", "calculation-flag", "co-surgeons",
        "diagnostic-imaging-family", "diagnostic-supervision", "global-days", "hcpcs-action", "hcpcs-betos",
        "hcpcs-coverage", "hcpcs-multiple-pricing", "hcpcs-pricing", "hcpcs-type-of-service", "lab-locality",
        "multiple-procedure", "not-used-for-medicare", "nppes-deactivation-reason", "nppes-identifier",
        "nppes-other-name", "nppes-sex", "pctc-indicator", "plus-four-flag", "pricing-indicator",
        "rural-indicator", "state", "status-code", "team-surgery",
      ])
  }

  /// What the file has at some fields that its list does not know.
  private static func unknown(_ records: [[String]], _ fields: [(list: String, fields: [Int])]) throws
    -> [String]
  {
    var unknown: Set<String> = []
    for (name, fields) in fields {
      let known = Set(try list(name).codes.map(\.code))
      for field in fields {
        let values = Set(records.compactMap { field < $0.count ? $0[field].trimmed : nil }).subtracting([""])
        unknown.formUnion(values.subtracting(known).map { "\(name) \($0)" })
      }
    }
    return unknown.sorted()
  }

  @Test(
    "covers the indicators of real fee schedules",
    .needs("rvu/RVU25D.zip", "rvu/rvu25a-updated-01_10_2025.zip", "rvu/RVU22A"),
    arguments: ["rvu/RVU25D.zip", "rvu/rvu25a-updated-01_10_2025.zip", "rvu/RVU22A"])
  func feeSchedule(bundle: String) throws {
    let entry = try #require(
      Discovery.entries(of: SharedData.path(bundle)).first {
        $0.name.contains("PPRRVU") && $0.name.hasSuffix(".csv")
      })
    let records = try Self.records(entry, .delimited(DelimitedFormat()))
    let header = try #require(records.firstIndex { $0.first == "HCPCS" })
    let data = records[(header + 1)...].filter { $0.count == 31 && !$0[0].hasPrefix("\u{1A}") }
    #expect(data.count > 17_000)
    let unknown = try Self.unknown(
      Array(data),
      [
        ("status-code", [3]), ("not-used-for-medicare", [4]), ("pctc-indicator", [13]), ("global-days", [14]),
        ("multiple-procedure", [18]), ("bilateral-surgery", [19]), ("assistant-surgery", [20]),
        ("co-surgeons", [21]), ("team-surgery", [22]), ("diagnostic-supervision", [25]),
        ("calculation-flag", [26]), ("diagnostic-imaging-family", [27]),
      ])
    #expect(unknown.isEmpty)
  }

  @Test("covers the indicators of the real ZIP codes", .needs("rvu/ZIP5_OCT2025.txt"))
  func zipCodes() throws {
    let format = FixedWidthFormat(fields: [15...15, 16...17, 18...18, 21...21], length: 80...80)
    let entry = SourceEntry(file: SharedData.path("rvu/ZIP5_OCT2025.txt"))
    let records = try Self.records(entry, .fixedWidth(format))
    #expect(records.count == 42_956)
    let unknown = try Self.unknown(
      records, [("rural-indicator", [0, 2]), ("lab-locality", [1]), ("plus-four-flag", [3])])
    #expect(unknown.isEmpty)
  }

  @Test("covers the indicators of the real HCPCS codes", .needs("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip"))
  func hcpcs() throws {
    let entry = try #require(
      Discovery.entries(of: SharedData.path("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip")).first {
        $0.name.contains("CONTR_ANWEB") && $0.name.hasSuffix(".txt")
      })
    let pricing = [120...121, 122...123, 124...125, 126...127]
    let types = (261...267).map { $0...$0 }
    let places = [11...11] + pricing + [128...128, 230...230, 257...259] + types + [293...293]
    let format = FixedWidthFormat(fields: places, length: 0...(1 << 12))
    let records = try Self.records(entry, .fixedWidth(format)).filter { ["3", "7"].contains($0.first) }
    #expect(records.count > 6_000)
    let unknown = try Self.unknown(
      records,
      [
        ("hcpcs-pricing", [1, 2, 3, 4]), ("hcpcs-multiple-pricing", [5]), ("hcpcs-coverage", [6]),
        ("hcpcs-betos", [7]), ("hcpcs-type-of-service", Array(8...14)), ("hcpcs-action", [15]),
      ])
    #expect(unknown.isEmpty)
  }

  @Test("covers the indicators of the real HCPCS workbook", .needs("hcpcs/HCPC2025_OCT_ANWEB.xlsx"))
  func workbook() throws {
    let entry = SourceEntry(file: SharedData.path("hcpcs/HCPC2025_OCT_ANWEB.xlsx"))
    let records = try Self.records(entry, .xlsx(XLSXFormat()))
    let header = try #require(records.firstIndex { $0.first?.trimmed == "HCPC" })
    let names = records[header].map(\.trimmed)
    func fields(_ prefix: String) -> [Int] { names.indices.filter { names[$0].hasPrefix(prefix) } }
    let looked = [
      ("hcpcs-pricing", fields("PRICE")), ("hcpcs-multiple-pricing", fields("MULT_PI")),
      ("hcpcs-coverage", fields("COV")), ("hcpcs-betos", fields("BETOS")),
      ("hcpcs-type-of-service", fields("TOS")), ("hcpcs-action", fields("ACTION")),
    ]
    #expect(looked.map(\.1.count) == [4, 1, 1, 1, 5, 1])
    let data = Array(records[(header + 1)...])
    #expect(data.count > 8_000)
    #expect(try Self.unknown(data, looked.map { (list: $0.0, fields: $0.1) }).isEmpty)
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
