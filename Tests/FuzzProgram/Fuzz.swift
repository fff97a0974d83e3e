import Fuzzing
import Glibc
import Host

/// What this process reads with.
enum Fuzz {
  /// The reader that `RIVULET_FUZZ_READER` names.
  static let reader = getenv("RIVULET_FUZZ_READER").flatMap { FuzzedReader.named(String(cString: $0)) }
  // One thread at a time calls.
  nonisolated(unsafe) private static let folder = try? FuzzFolder()

  /// Reads an input to its end.
  static func read(_ bytes: [UInt8]) {
    guard let reader, let folder else {
      let names = FuzzedReader.all.map(\.name).joined(separator: ", ")
      Output.err("set RIVULET_FUZZ_READER to one of: \(names)")
      exit(2)
    }
    reader.run(bytes, in: folder)
  }
}
