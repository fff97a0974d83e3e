import Foundation
import Fuzzing
import Host
import TestSupport

/// The readers with libFuzzer, as `make fuzz` builds them, or with random changes that nothing leads, as
/// `make soak` does, and what became of one of them in a while.
struct Fuzzer {
  /// What became of a reader.
  struct Outcome {
    let reader: String
    /// How many inputs it has read.
    let executions: Int
    /// For so long, in seconds.
    let seconds: Double
    /// The most memory that it had, in MiB.
    let memory: Int
    /// What it failed at: how, and where the input is kept; nil where it did not.
    let failure: String?

    /// A line of the table.
    var line: String {
      func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
      }
      let name = reader + String(repeating: " ", count: max(0, 12 - reader.count))
      let rate = seconds > 0 ? Int(Double(executions) / seconds) : 0
      return name + right("\(executions)", 12) + " executions" + right("\(rate)", 8) + "/s"
        + right("\(memory)", 6) + " MB" + (failure.map { "  \($0)" } ?? "")
    }
  }

  /// The most memory that a reader may have, in MiB, with the fuzzer's own.
  static let mostMemory = 512
  /// So long an input may take, in seconds.
  static let longest = 5

  /// The program with libFuzzer; nil where it was not built.
  static var program: String? {
    let place = Path.join(SharedData.project, ".build/fuzz")
    return Files.exists(Path.join(place, "ready")) ? Path.join(place, "release/rivulet-fuzz") : nil
  }

  /// The one with random changes, whose command line is the same; nil where it was not built.
  static var randomProgram: String? {
    let program = Path.join(SharedData.project, ".build/debug/rivulet-fuzz")
    return Files.exists(program) ? program : nil
  }

  let program: String
  /// What its random choices begin with.
  let seed: UInt64
  /// How far it gives way to others, as `nice` takes it.
  var niceness = "15"

  /// Reads inputs for a while, until one is too much for the reader. That is kept in `Tests/Corpus`; inputs
  /// that reach more of the reader are kept in `.build` for the next time.
  func run(_ reader: FuzzedReader, seconds: Int) throws -> Outcome {
    let found = Path.join(SharedData.project, ".build/fuzz/corpus/\(reader.name)")
    try FileManager.default.createDirectory(atPath: found, withIntermediateDirectories: true)
    let scratch = try MemoryScratch()
    let words = try scratch.write("words", Fuzzer.dictionary(reader.words))
    let dictionary = reader.words.isEmpty ? [] : ["-dict=\(words)"]
    let kept = Corpus.folder(of: reader)
    var process = Subprocess(
      [
        "nice", "-n", niceness, program, "-seed=\(seed % UInt64(UInt32.max))", "-max_total_time=\(seconds)",
        "-timeout=\(Fuzzer.longest)", "-rss_limit_mb=\(Fuzzer.mostMemory)", "-max_len=\(reader.longest)",
        "-artifact_prefix=\(kept)/", "-print_final_stats=1", "-verbosity=0",
      ] + dictionary + [found, kept])
    // Swift's own handling of traps would come before that of the fuzzer.
    process.environment = [
      "SWIFT_BACKTRACE": "enable=no", "TMPDIR": scratch.path, "RIVULET_FUZZ_READER": reader.name,
    ]
    process.timeLimit = Double(seconds + 120)
    let start = Machine.seconds
    let outcome = try process.run()
    func count(_ name: String) -> Int {
      outcome.output.split(separator: "\n").first { $0.hasPrefix("stat::\(name):") }
        .flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? 0
    }
    return Outcome(
      reader: reader.name, executions: count("number_of_executed_units"), seconds: Machine.seconds - start,
      memory: count("peak_rss_mb"), failure: failure(of: reader, outcome))
  }

  private func failure(of reader: FuzzedReader, _ outcome: Subprocess.Outcome) -> String? {
    if outcome.status == 0, !outcome.isLate { return nil }
    let written = outcome.output.split(separator: "\n").last { $0.contains("Test unit written to") }
    guard let file = written?.split(separator: " ").last else {
      return "ended with \(outcome.status): \(outcome.output.suffix(2000))"
    }
    let command = "RIVULET_FUZZ_READER=\(reader.name) SWIFT_BACKTRACE=enable=no \(program) \(file)"
    return "fails at \(file); again: \(command)\n\(outcome.output.suffix(4000))"
  }

  /// Words as libFuzzer reads them, a line each.
  static func dictionary(_ words: [String]) -> String {
    words.map { word in
      let bytes = word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      return "\"\(bytes.joined())\"\n"
    }.joined()
  }
}

/// A folder in memory, where the machine has such, removed when it is let go.
private final class MemoryScratch {
  let path: String

  init() throws {
    let place = Files.isDirectory("/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    path = Path.join(place, "rivulet-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func write(_ name: String, _ text: String) throws -> String {
    let file = Path.join(path, name)
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
