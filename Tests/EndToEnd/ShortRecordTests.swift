import Foundation
import TestSupport
import Testing

@Suite("Records that are a field short")
struct ShortRecordTests {
  private let own: OwnProject

  init() throws { own = try OwnProject(of: ["directory-csv"]) }

  private static let header =
    "Provider ID,NPI,Provider Type,Group Name,Provider Last,Provider First,Office Address 1,Office Address 2,Office City,"
    + "Office State,Office Zip,Office Phone,Taxonomy,Office Fax\n"

  private static func row(_ number: Int, _ fax: String?) -> String {
    "A\(number),,I,,Name,First,1 Main St,,Wexley,CT,06001,203-555-1000,207R00000X"
      + (fax.map { "," + $0 } ?? "")
      + "\n"
  }

  private func load(_ file: String, _ rows: [String?]) throws -> Program.Outcome {
    let lines = rows.enumerated().map { Self.row($0.offset, $0.element) }
    try own.scratch.write(file, Self.header + lines.joined())
    return try own.load("directory-csv", file)
  }

  @Test("are read where the list leaves out a last field that is blank, and counted in a warning")
  func read() throws {
    let text = "2 records have a field less than the header: the last was taken for blank"
    try load("some-2025-11-20.csv", [nil, "203-555-2000", nil]).succeeded(saying: text)
    #expect(
      try own.rows("SELECT source_id, fax FROM directory.provider_address ORDER BY source_id")
        == ["A0|-", "A1|+12035552000", "A2|-"])
    try load("all-2025-11-20.csv", [nil, nil]).succeeded(saying: text)
    let plain = try load("none-2025-11-20.csv", ["203-555-2000", ""]).succeeded()
    #expect(!plain.errors.contains("a field less"), "\(plain.errors)")
  }

  @Test("are refused where others have that field and nothing in it, or a field further is missing")
  func refused() throws {
    try load("mixed-2025-11-20.csv", [nil, ""]).failed(3, saying: "too-few-fields")
    // It may be the first field that is missing: then nothing is what its column says.
    try own.scratch.write(
      "shifted-2025-11-20.csv",
      Self.header + Self.row(1, "203-555-2000").dropFirst("A1,".count))
    try own.load("directory-csv", "shifted-2025-11-20.csv").failed(3, saying: "too-few-fields")
    // What comes later is as strict, from the first blank field on.
    let rows = Array(repeating: nil, count: 4) + Array(repeating: "203-555-2000", count: 60) + ["", nil]
    try load("late-2025-11-20.csv", rows).failed(3, saying: "1 too-few-fields")
  }
}
