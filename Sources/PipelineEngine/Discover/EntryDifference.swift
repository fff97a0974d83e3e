import Host
import Records

/// What differs between two entries that could be the same table, for the user.
struct EntryDifference: CustomStringConvertible {
  /// `the first has 12 bytes, the second 14; the first line that differs is 2`.
  let description: String

  /// Reads both as far as they are the same, and to their ends.
  /// - Throws: `RecordsError` where one cannot be read, `Interrupted` where the program is asked to end.
  init(_ first: SourceEntry, _ second: SourceEntry) throws {
    var (one, two) = (try Bytes(first), try Bytes(second))
    var line = 1
    while let byte = try one.next() {
      guard try two.next() == byte else {
        description = Self.text(try one.size(), try two.size(), line: line)
        return
      }
      if byte == 0x0A { line += 1 }
    }
    let isLonger = try two.next() != nil
    description =
      isLonger
      ? Self.text(try one.size(), try two.size(), line: line) : "they are the same, byte for byte"
  }

  private static func text(_ first: Int, _ second: Int, line: Int) -> String {
    "the first has \(first) bytes, the second \(second); the first line that differs is \(line)"
  }

  /// The bytes of an entry, one by one.
  private struct Bytes {
    private let stream: HashingStream
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var rest = 0..<0

    init(_ entry: SourceEntry) throws { stream = HashingStream(try entry.open()) }

    mutating func next() throws -> UInt8? {
      if rest.isEmpty {
        try Interruption.shared.check()
        rest = 0..<(try stream.read(into: &buffer, from: 0))
      }
      return rest.popFirst().map { buffer[$0] }
    }

    /// How many bytes there are, the others read too.
    mutating func size() throws -> Int {
      while try stream.read(into: &buffer, from: 0) > 0 { try Interruption.shared.check() }
      return stream.byteCount
    }
  }
}
