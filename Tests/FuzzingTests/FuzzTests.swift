import Foundation
import Fuzzing
import TestSupport
import Testing

/// Random inputs for every reader, led by which of them reach more of it.
@Suite("Readers under random inputs")
struct FuzzTests {
  /// How long for all readers together, in seconds: five minutes unless `RIVULET_FUZZ_SECONDS` says so.
  private static var seconds: Int {
    ProcessInfo.processInfo.environment["RIVULET_FUZZ_SECONDS"].flatMap { Int($0) } ?? 300
  }

  @Test(
    "neither trap, nor hang, nor take more memory than they may",
    .enabled(if: Fuzzer.program != nil, "'make fuzzer' builds the readers with libFuzzer"))
  func readers() async throws {
    try await fuzz(Fuzzer(program: #require(Fuzzer.program), seed: Seed.announced("the fuzzer's inputs")))
  }

  @Test(
    "neither trap, nor hang, nor take more memory than they may, also where nothing leads the changes",
    .enabled(if: Fuzzer.randomProgram != nil, "'make soak' builds the readers with random changes"))
  func changes() async throws {
    // Beside other tests, which leave little to who gives way to all of them.
    try await fuzz(
      Fuzzer(
        program: #require(Fuzzer.randomProgram), seed: Seed.announced("the random changes"), niceness: "5"))
  }

  private func fuzz(_ fuzzer: Fuzzer) async throws {
    let share = max(1, FuzzTests.seconds / FuzzedReader.all.count)
    var outcomes: [Fuzzer.Outcome] = []
    for reader in FuzzedReader.all {
      let outcome = try await aside { try fuzzer.run(reader, seconds: share) }
      #expect(outcome.failure == nil, "\(reader.name)")
      // A reader that reads nothing would find nothing.
      #expect(outcome.executions > 100, "\(reader.name)")
      #expect(outcome.memory <= Fuzzer.mostMemory, "\(reader.name)")
      outcomes.append(outcome)
    }
    print(outcomes.map { $0.line + "\n" }.joined(), terminator: "")
    print("\(outcomes.reduce(0) { $0 + $1.executions }) executions")
  }

  @Test("are given words of their formats, byte by byte")
  func words() {
    #expect(Fuzzer.dictionary(["a\n", "\u{1}\""]) == "\"\\x61\\x0a\"\n\"\\x01\\x22\"\n")
  }
}
