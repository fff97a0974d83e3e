import Foundation
import TestSupport
import Testing
import Values

@Suite("An NPI")
struct NPITests {
  @Test("is judged as a list of known ones says", .needs("directory/known-bad/npi_vectors.csv"))
  func vectors() throws {
    let text = try String(
      contentsOfFile: SharedData.path("directory/known-bad/npi_vectors.csv"), encoding: .utf8)
    let lines = text.split(whereSeparator: \.isNewline).dropFirst()
    #expect(lines.count == 33)
    for line in lines {
      let fields = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
      let (npi, isValid) = (Array(fields[0].utf8), fields[1] == "1")
      #expect(NPI.isValid(npi.span) == isValid, "\(line)")
      var scratch: [UInt8] = []
      let value = ValueType.npi.normalise(npi.span, scratch: &scratch)
      let expected: Normalised = isValid ? .slice(0..<10) : npi.isEmpty ? .blank : .invalid(.notNPI)
      #expect(value == expected, "\(line)")
    }
  }
}
