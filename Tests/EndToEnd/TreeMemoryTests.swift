import Foundation
import TestSupport
import Testing

/// Nothing that is in a file makes the program need more memory than the largest record that it may have.
@Suite("A huge directory file")
struct TreeMemoryTests {
  /// One record feeds many tables.
  private static let most = 96 << 20

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    /// Is before, and behind, what is repeated.
    let start: String
    let piece: String
    let times: Int
    let end: String
    var status: Int32 = 3
    /// What the program says of it.
    let words: String
  }

  private static let good = #"{"resourceType":"Practitioner","id":"good","name":[{"family":"A"}]}"#

  static let cases = [
    Case(
      testDescription: "a line with a text of a hundred megabytes", file: "Practitioner.ndjson",
      start: #"{"resourceType":"Practitioner","id":""#, piece: "abcdefgh ", times: 11_200_000,
      end: "\"}\n" + good + "\n", words: "record-too-long"),
    Case(
      testDescription: "a Bundle with a text of a hundred megabytes", file: "bundle.json",
      start: #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Practitioner","id":""#,
      piece: "abcdefgh ", times: 11_200_000, end: "\"}},{\"resource\":" + good + "}]}",
      words: "record-too-long"),
    Case(
      testDescription: "a Bundle of arrays in arrays", file: "bundle.json",
      start: #"{"resourceType":"Bundle","entry":"#, piece: "[", times: 60_000_000, end: "", words: "too-deep"),
    Case(
      testDescription: "an XML Bundle with a text of a hundred megabytes", file: "bundle.xml",
      start: "<Bundle xmlns='http://hl7.org/fhir'><entry><resource><Practitioner><id value='x'/><text>",
      piece: "abcdefgh ", times: 11_200_000,
      end: "</text></Practitioner></resource></entry></Bundle>", words: "record-too-long"),
    Case(
      testDescription: "a Bundle of many records", file: "bundle.json",
      start: #"{"resourceType":"Bundle","entry":[{"resource":"# + good + "}",
      piece: #",{"resource":{"resourceType":"Basic","id":"x","language":"en"}}"#, times: 1_600_000,
      end: "]}", status: 0, words: " "),
    Case(
      testDescription: "an XML Bundle of many records", file: "bundle.xml",
      start: "<Bundle xmlns='http://hl7.org/fhir'><entry><resource><Practitioner><id value='x'/>"
        + "<name><family value='A'/></name></Practitioner></resource></entry>",
      piece: "<entry><resource><Basic><id value='x'/><language value='en'/></Basic></resource></entry>",
      times: 1_100_000, end: "</Bundle>", status: 0, words: " "),
  ]

  @Test("is read in little memory", arguments: cases)
  func memory(_ case: Case) throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let path = scratch.path + "/" + `case`.file
    try Data(`case`.start.utf8).write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    let many = Data(String(repeating: `case`.piece, count: 100_000).utf8)
    for _ in 0..<(`case`.times / 100_000) { try file.write(contentsOf: many) }
    try file.write(contentsOf: Data(`case`.end.utf8))
    try file.close()
    let run = try program.start(["run", "fhir-directory", path, "--release", "hostile-2025-01-01"])
    let (outcome, peak) = try run.waitMeasuring()
    #expect(
      outcome.status == `case`.status && (outcome.errors + " ").contains(`case`.words), "\(outcome.errors)")
    #expect(peak > 1 << 20 && peak < Self.most, "\(peak >> 20) MB")
    try database.drop()
  }
}
