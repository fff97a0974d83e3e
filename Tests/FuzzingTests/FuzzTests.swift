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
  func readers() throws {
    let program = try #require(Fuzzer.program)
    let fuzzer = Fuzzer(program: program, seed: Seed.announced("the fuzzer's inputs"))
    let share = max(1, FuzzTests.seconds / FuzzedReader.all.count)
    var outcomes: [Fuzzer.Outcome] = []
    for reader in FuzzedReader.all {
      let outcome = try fuzzer.run(reader, seconds: share)
      #expect(outcome.failure == nil, "\(reader.name)")
      // A reader that reads nothing would find nothing.
      #expect(outcome.executions > 100, "\(reader.name)")
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
