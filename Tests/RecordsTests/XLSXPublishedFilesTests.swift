import Foundation
import Records
import TestSupport
import Testing

private let october = "rvu/RVU25D.zip"
private let january = "rvu/rvu25a-updated-01_10_2025.zip"
private let january22 = "rvu/RVU22A"
private let codes = "hcpcs/HCPC2025_OCT_ANWEB.xlsx"

@Suite struct XLSXPublishedFilesTests {
  /// How two fields differ that mean the same.
  private struct Difference: Hashable, CustomStringConvertible {
    enum Kind { case lostZeros, other }
    let kind: Kind
    let column: Int

    var description: String { "\(kind) in \(column)" }
  }

  /// The trimmed fields of the records that are not blank.
  private func rows(csv entry: SourceEntry) throws -> [[String]] {
    try rows(entry, .delimited(DelimitedFormat()))
  }

  private func rows(xlsx entry: SourceEntry) throws -> [[String]] { try rows(entry, .xlsx(XLSXFormat())) }

  private func rows(_ entry: SourceEntry, _ format: RecordFormat) throws -> [[String]] {
    var reader = try RecordReader(entry, format: format)
    var rows: [[String]] = []
    while try reader.next() {
      #expect(reader.malformation == nil)
      if reader.isBlank { continue }
      rows.append(reader.withRecord { bytes, fields in Self.texts(bytes, fields) })
    }
    return rows
  }

  private static func texts(_ bytes: Span<UInt8>, _ fields: Span<FieldRange>) -> [String] {
    fields.indices.map { index in
      // The csv has single bytes of cp1252.
      let field = fields[index].range.map { bytes[$0] }
      let text = String(bytes: field, encoding: .utf8) ?? String(bytes: field, encoding: .windowsCP1252) ?? ""
      return text.trimmingCharacters(in: .whitespaces)
    }
  }

  /// The differences between two readings of a table, counted, and the first of each that is not known.
  private func differences(
    _ csv: [[String]], _ xlsx: [[String]]
  ) -> (counts: [Difference: Int], others: [String]) {
    var counts: [Difference: Int] = [:]
    var others: [String] = []
    for (line, (left, right)) in zip(csv, xlsx).enumerated() {
      for column in 0..<max(left.count, right.count) {
        let written = column < left.count ? left[column] : ""
        let read = column < right.count ? right[column] : ""
        if written == read { continue }
        let isNumber = Decimal(string: written) != nil && Decimal(string: written) == Decimal(string: read)
        let isCode = written.hasPrefix("0") && written.count > 1 && !written.contains(".")
        // 0.00 is 0.
        if isNumber, !isCode { continue }
        let kind = isNumber ? Difference.Kind.lostZeros : .other
        counts[Difference(kind: kind, column: column), default: 0] += 1
        if kind == .other, others.count < 30 { others.append("\(line)/\(column): \(written) | \(read)") }
      }
    }
    return (counts, others)
  }

  /// The tables of a release, how many records each has, and what is not the same in xlsx and csv.
  private static let tables: [(name: String, records: Int, differences: [Difference: Int])] = [
    ("PPRRVU2025_Oct", 19_099, [:]), ("GPCI2025", 114, [:]), ("25LOCCO", 113, [:]),
    ("OPPSCAP_Oct", 16_101, [:]),
    // MAC and locality are integers in the xlsx, 02102 is 2102; the names have no asterisks, and the header
    // names the factor in other words.
    (
      "ANES2025", 110,
      [
        Difference(kind: .lostZeros, column: 0): 78, Difference(kind: .lostZeros, column: 1): 50,
        Difference(kind: .other, column: 2): 5, Difference(kind: .other, column: 3): 1,
      ]
    ),
  ]

  @Test(.needs(october), arguments: tables)
  private func `the xlsx of October 2025 says what the csv says`(
    table: (name: String, records: Int, differences: [Difference: Int])
  ) throws {
    let entries = try Discovery.entries(of: SharedData.path(october))
    let csv = try rows(csv: #require(entries.first { $0.name == table.name + ".csv" }))
    let xlsx = try rows(xlsx: #require(entries.first { $0.name == table.name + ".xlsx" }))
    #expect(xlsx.count == table.records)
    #expect(xlsx.count == csv.count)
    let found = differences(csv, xlsx)
    #expect(found.counts == table.differences, "\(found.others)")
  }

  @Test(.needs(january22), arguments: ["PPRRVU22_JAN", "GPCI2022"])
  func `the xlsx of January 2022 says what the csv says`(name: String) throws {
    let csv = try rows(csv: SourceEntry(file: SharedData.path("\(january22)/\(name).csv")))
    let xlsx = try rows(xlsx: SourceEntry(file: SharedData.path("\(january22)/\(name).xlsx")))
    #expect(xlsx.count == csv.count)
    #expect(xlsx.count > 100)
    let found = differences(csv, xlsx)
    #expect(found.counts.isEmpty, "\(found.others)")
  }

  @Test(.needs(codes))
  func `the codes of October 2025 have 48 columns`() throws {
    let rows = try rows(xlsx: SourceEntry(file: SharedData.path(codes)))
    #expect(rows.count == 8_847)
    #expect(Set(rows.map(\.count)) == [48])
    #expect(rows[0].first == "HCPC")
    #expect(rows[0].last == "ACTION CD")
    // Numbers that are codes are text in this file, zeros and all.
    #expect(rows[1...].allSatisfy { $0[1].utf8.count == 4 })
  }

  @Test(.needs(january))
  func `the xlsx of January 2025 says what the csv says but for anaesthesia`() throws {
    let entries = try Discovery.entries(of: SharedData.path(january))
    for name in ["PPRRVU25_JAN", "GPCI2025", "25LOCCO", "OPPSCAP_JAN"] {
      let csv = try rows(csv: #require(entries.first { $0.name == name + ".csv" }))
      let xlsx = try rows(xlsx: #require(entries.first { $0.name == name + ".xlsx" }))
      #expect(xlsx.count == csv.count)
      let found = differences(csv, xlsx)
      #expect(found.counts.isEmpty, "\(name): \(found.others)")
    }
  }
}
