import TestSupport
import Testing
import Values

@testable import Records

/// What is read out of order and therefore kept.
@Suite struct KeptBytesTests {
  private static let text = sampleText(1, count: 300_000)

  private func keep(_ place: SourceEntry, inMemory: Int, atMost: Int) throws -> KeptBytes {
    try KeptBytes(
      MemoryStream(Self.text, chunk: 70_000), of: place, mostInMemory: inMemory, mostBytes: atMost)
  }

  @Test(arguments: [0, 1000, 65_536, 299_999, 300_000, 1 << 20])
  func `all bytes are kept, in memory or in a file, with their digest`(inMemory: Int) throws {
    // The size that an archive says need not be true.
    for size in [nil, 0, 300_000, 5, 1 << 40, -1] {
      let place = SourceEntry(path: "a.zip", entry: "b.zip", index: 0, size: size, container: .archive)
      let kept = try keep(place, inMemory: inMemory, atMost: 300_000)
      #expect(kept.count == 300_000)
      #expect(kept.head == Array(Self.text[..<512]))
      #expect(kept.sha256 == SHA256.hex(of: Self.text))
    }
  }

  @Test(arguments: [100, 1 << 20])
  func `more than may be kept is refused, whatever the archive says of its size`(inMemory: Int) {
    for size in [nil, 5] {
      let place = SourceEntry(path: "a.zip", entry: "b.zip", index: 0, size: size, container: .archive)
      #expect {
        _ = try keep(place, inMemory: inMemory, atMost: 299_999)
      } throws: { error in
        guard case RecordsError.brokenArchive("a.zip", "b.zip", let reason) = error else { return false }
        return reason.contains("it unpacks to more than")
      }
    }
  }
}
