import Records
import TestSupport
import Testing

/// Entries that are opened one after the other are what each is by itself.
@Suite("Entries in their order")
struct EntrySequenceTests {
  @Test("are reached in any archive, whichever was read before and however far")
  func anyOrder() throws {
    let files = (0..<12).map { number in
      (name: "f/\(number).csv", bytes: Array(String(repeating: "\(number),x\n", count: 4000).utf8))
    }
    let scratch = try Scratch()
    for kind in [ArchiveFixture.Kind.zip, .sevenZip, .tar, .tarGzip] {
      try scratch.write("\(kind).bin", try ArchiveFixture.make(kind, files))
    }
    try scratch.write("alone.csv", files[3].bytes)
    for name in ["zip.bin", "sevenZip.bin", "tar.bin", "tarGzip.bin", "alone.csv"] {
      let entries = try Discovery.entries(of: scratch.path + "/" + name)
      let sequence = EntrySequence()
      for place in [0, 1, 1, 5, 2, 3, 11, 0].map({ min($0, entries.count - 1) }) {
        var reader = try RecordReader(entries[place], format: .delimited(DelimitedFormat()), in: sequence)
        let number = entries.count == 1 ? 3 : place
        var count = 0
        // Of every other one no more than the beginning is read.
        while count < (place % 2 == 0 ? 5000 : 3), try reader.next() {
          #expect(reader.texts == ["\(number)", "x"])
          count += 1
        }
        #expect(count == (place % 2 == 0 ? 4000 : 3), "\(name) \(place)")
      }
    }
  }
}
