import Definitions
import Testing

@testable import Sampler

@Suite("A sample of ZIP codes is a fixed-width file like the publisher's")
struct ZIPSampleTests {
  private func lines(rows: Int, release: String? = nil) throws -> (name: String, lines: [String]) {
    let zip = try ZipContents.sample(of: "cms-zip5", rows: rows, release: release)
    let name = try #require(zip.names.first)
    // What the records have no place for is said beside them.
    #expect(zip.names.dropFirst() == ["README SYNTHETIC SAMPLE.txt"])
    return (name, zip.lines(name))
  }

  private func field(_ line: String, _ place: ClosedRange<Int>) -> String {
    String(decoding: Array(line.utf8)[(place.lowerBound - 1)..<place.upperBound], as: UTF8.self)
  }

  @Test("Records have 80 bytes, each a ZIP code of its own, of all regions")
  func records() throws {
    let (name, lines) = try lines(rows: 200)
    #expect(name == "ZIP5_OCT2025.txt")
    #expect(lines.count == 200 && lines.allSatisfy { $0.utf8.count == 80 })
    let codes = lines.map { field($0, 3...7) }
    #expect(Set(codes).count == 200 && codes == codes.sorted())
    #expect(Set(codes.compactMap(\.first)).count == 10)
    #expect(Set(lines.map { field($0, 76...80) }) == ["20254"])
    #expect(Set(lines.map { field($0, 21...21) }) == ["0", "1"])
  }

  @Test("The release is in the name and in each record")
  func release() throws {
    let (name, lines) = try lines(rows: 10, release: "2024B")
    #expect(name == "ZIP5_APR2024.txt" && Set(lines.map { field($0, 76...80) }) == ["20242"])
  }

  @Test("Contractors and localities are those that the fee schedule's sample has")
  func localities() throws {
    let known = Set(try Sample(rows: 10).rows("gpci").map { "\($0["mac"] ?? "")-\($0["locality"] ?? "")" })
    let named = Set(try lines(rows: 3_000).lines.map { field($0, 8...12) + "-" + field($0, 13...14) })
    #expect(named.count > 60 && named.subtracting(known) == [])
  }
}
