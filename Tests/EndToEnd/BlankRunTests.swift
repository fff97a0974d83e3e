import PipelineCore
import TestSupport
import Testing

@testable import PipelineEngine
@testable import Records

/// Slots that hold nothing are found by the bytes between their first field and their last.
@Suite("Runs of blank fields")
struct BlankRunTests {
  @Test("are found as by looking at each field")
  func random() throws {
    var random = SystemRandomNumberGenerator()
    let filled = [
      "a", "ab", "\"a\"", "\"ab\"", "\",\"", "\",,,\"", "\"\"\"\"", "\"a\"\"b\"", "\",\"\",\"",
      "\"\"\",\"\"\"", " ",
      "\" \"",
    ]
    let values = Array(repeating: "", count: 14) + Array(repeating: "\"\"", count: 14) + filled
    var (empty, found) = (0, 0)
    for _ in 0..<20_000 {
      let run = BlankRun(
        first: .random(in: 0...3, using: &random), width: .random(in: 1...3, using: &random),
        slots: .random(in: 2...9, using: &random))
      let fields = (0..<(run.first + run.width * run.slots + 2)).map { _ in
        values.randomElement(using: &random) ?? ""
      }
      // Files are seldom of both kinds.
      let kind = Int.random(in: 0...2, using: &random)
      let line = fields.map { kind == 0 && $0.isEmpty ? "\"\"" : kind == 1 && $0 == "\"\"" ? "" : $0 }
        .joined(separator: ",")
      var reader = DelimitedReader(MemoryStream(Array((line + "\n").utf8)), format: DelimitedFormat())
      try #require(try reader.next())
      try reader.withRecord { bytes, places in
        try #require(places.count == fields.count)
        for slot in 0...run.slots {
          let rest = (run.first + slot * run.width)..<(run.first + run.slots * run.width)
          let isEmpty = rest.allSatisfy { places[$0].isEmpty }
          let isFound = run.isEmpty(from: slot, bytes, places)
          empty += isEmpty ? 1 : 0
          found += isFound ? 1 : 0
          // A file of both kinds is looked at field by field.
          #expect(kind == 2 ? !isFound || isEmpty : isFound == isEmpty, "\(isFound) \(line) \(run) \(slot)")
        }
      }
    }
    #expect(found > 20_000 && empty >= found)
  }

  @Test("are found where slots lie behind each other, part by part")
  func found() {
    #expect(
      BlankRun.runs(of: (0..<15).map { [48 + 4 * $0, 49 + 4 * $0, 50 + 4 * $0, 51 + 4 * $0, 315 + $0] })
        == [BlankRun(first: 48, width: 4, slots: 15), BlankRun(first: 315, width: 1, slots: 15)])
    #expect(BlankRun.runs(of: [[1, 2], [4, 5]]) == [])
    #expect(BlankRun.runs(of: [[1, 2], [3]]) == [])
    #expect(BlankRun.runs(of: [[1, 2]]) == [])
  }
}
