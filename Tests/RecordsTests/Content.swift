import Records
import TestSupport

/// All bytes of a stream.
func content(_ stream: any ByteStream) throws -> [UInt8] {
  var all: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1000)
  while true {
    let count = try stream.read(into: &buffer, from: 0)
    guard count > 0 else { return all }
    all += buffer[..<count]
  }
}

/// The names and bytes of everything at a path.
func contents(_ path: String) throws -> [String: [UInt8]] {
  var all: [String: [UInt8]] = [:]
  for entry in try Discovery.entries(of: path) {
    all[entry.entry ?? entry.path] = try content(entry.open())
  }
  return all
}

/// Text that neither repeats nor is the same in another place.
func sampleText(_ seed: UInt64, count: Int) -> [UInt8] {
  var dice = RandomNumbers(seed: seed)
  return (0..<count).map { place in place % 40 == 39 ? 10 : UInt8(97 + dice.below(16)) }
}
