import Fuzzing
import Glibc
import Host

/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let reader = Fuzz.reader, let folder = Fuzz.folder else {
    let advice = "set RIVULET_FUZZ_READER to one of: \(Fuzz.names)"
    Output.err(advice)
    exit(2)
  }
  reader.run(Array(UnsafeBufferPointer(start: bytes, count: count)), in: folder)
  return 0
}

/// What this process reads with.
private enum Fuzz {
  static let reader = getenv("RIVULET_FUZZ_READER").flatMap { FuzzedReader.named(String(cString: $0)) }
  // One thread at a time calls.
  nonisolated(unsafe) static let folder = try? FuzzFolder()

  static var names: String { FuzzedReader.all.map(\.name).joined(separator: ", ") }
}
