import Foundation
import TestSupport
import Testing

/// The list of codes that the mobile app of RVU Tracker carries.
@Suite("The codes of a release, for the app")
struct RVUCodesTests {
  private struct Code: Decodable, Equatable {
    let id: UUID
    let hcpcs: String
    let description: String?
    let statusCode: String
    let workRVU: Decimal
  }

  private func codes(_ arguments: String..., by program: Program) throws -> [Code] {
    let outcome = try program.run(["query", "rvu-codes", "--as", "json"] + arguments).succeeded()
    return try JSONDecoder().decode([Code].self, from: Data(outcome.output.utf8))
  }

  /// Status and work RVU of the row that stands for each code, by the publisher's own csv.
  private func published(_ entry: String, in zip: String) throws -> [String: (status: String, work: Decimal)]
  {
    let lines = try Archive.text(entry, in: SharedData.path(zip)).split(whereSeparator: \.isNewline)
    var found: [String: (rank: Int, status: String, work: Decimal)] = [:]
    for line in lines.drop(while: { !$0.hasPrefix("HCPCS,") }).dropFirst() {
      // The description may hold commas: what comes after it is counted from the end of 31 fields.
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
      // After the last code some files have lines of nothing but commas.
      guard fields[0].utf8.count == 5 else { continue }
      let rank = ["", "26", "TC", "53"].firstIndex(of: fields[1]) ?? 4
      let work = try #require(Decimal(string: fields[fields.count - 26]))
      if let former = found[fields[0]], former.rank <= rank { continue }
      found[fields[0]] = (rank, fields[fields.count - 28], work)
    }
    return found.mapValues { ($0.status, $0.work) }
  }

  @Test(
    "are all of the file's, in order, each with the work RVU of its own row, under one identifier for good",
    .needs(Loaded.latest, Loaded.first))
  func real() throws {
    let (_, program) = try Loaded.both.get()
    let latest = try codes("--release", "2025D", by: program)
    #expect(latest.count == 16_852)
    #expect(Set(latest.map(\.hcpcs)).count == 16_852 && Set(latest.map(\.id)).count == 16_852)
    #expect(
      zip(latest, latest.dropFirst()).allSatisfy {
        Array($0.hcpcs.utf8).lexicographicallyPrecedes($1.hcpcs.utf8)
      })
    let expected = try published("PPRRVU2025_Oct.csv", in: Loaded.latest)
    #expect(expected.count == 16_852)
    #expect(latest.filter { expected[$0.hcpcs]?.work != $0.workRVU }.map(\.hcpcs) == [])
    #expect(latest.filter { expected[$0.hcpcs]?.status != $0.statusCode }.map(\.hcpcs) == [])
    // The one code that has no global service.
    #expect(expected["86153"]?.work == latest.first { $0.hcpcs == "86153" }?.workRVU)
    // The current release is the later one, and a release is named in any case.
    #expect(try codes(by: program) == latest)
    #expect(try codes("--release", " 2025d ", by: program) == latest)
    for query in [["rvu-codes", "--release"], ["rvu-code-delta", "--since"]] {
      let unknown = try program.run(["query"] + query + ["2025X"]).failed(
        2, saying: "there is no '2025X'; did you mean '2025D'?")
      #expect(unknown.output.isEmpty)
    }

    let first = try codes("--release", "2025A", by: program)
    let former = try published("PPRRVU25_JAN.csv", in: Loaded.first)
    #expect(first.count == former.count)
    #expect(first.filter { former[$0.hcpcs]?.work != $0.workRVU }.map(\.hcpcs) == [])
    let identifiers = Dictionary(uniqueKeysWithValues: first.map { ($0.hcpcs, $0.id) })
    #expect(
      latest.filter { identifiers[$0.hcpcs] != nil && identifiers[$0.hcpcs] != $0.id }.map(\.hcpcs) == [])
    try delta(from: first, to: latest, by: program)
  }

  /// What the delta says, applied to the codes of one release, gives those of the other.
  private func delta(from first: [Code], to latest: [Code], by program: Program) throws {
    struct Change: Decodable {
      let change: String
      let id: UUID
      let hcpcs: String
      let description: String?
      let statusCode: String?
      let workRVU: Decimal?
    }
    let outcome = try program.run(
      "query", "rvu-code-delta", "--since", "2025A", "--release", "2025D", "--as", "ndjson"
    ).succeeded()
    let changes = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Change.self, from: Data($0.utf8))
    }
    var codes = Dictionary(uniqueKeysWithValues: first.map { ($0.id, $0) })
    for change in changes {
      #expect((codes[change.id] == nil) == (change.change == "added"), "\(change.hcpcs)")
      codes[change.id] = nil
      guard change.change != "removed" else { continue }
      codes[change.id] = Code(
        id: change.id, hcpcs: change.hcpcs, description: change.description,
        statusCode: try #require(change.statusCode), workRVU: try #require(change.workRVU))
    }
    #expect(codes.values.sorted { $0.hcpcs.utf8.lexicographicallyPrecedes($1.hcpcs.utf8) } == latest)
    #expect(changes.count > 100 && changes.count < 1_000)
    #expect(Set(changes.map(\.change)) == ["added", "removed", "changed"])
    // Nothing changes from a release to itself.
    let same = try program.run("query", "rvu-code-delta", "--since", "2025D", "--as", "json")
    #expect(same.output == "[]\n")
  }
}
