/// The directory at the end of a zip, which libarchive reads into memory as a whole.
enum ZipDirectory {
  /// The most bytes that it may have: those of a hundred thousand entries with names of a hundred bytes.
  static let mostBytes = 16 << 20
  /// A zip may end with a comment of 64 KiB; before the end's record is the one of a large zip.
  private static let tailCount = (64 << 10) + 22 + 20

  /// Makes sure that a zip's directory is not too large; of what is no zip nothing is asked.
  ///
  /// `read`: reads bytes from a place on, fewer at the end.
  /// - Throws: `tooMuch`.
  static func check(
    _ place: SourceEntry, size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
  ) throws(RecordsError) {
    let start = max(0, size - tailCount)
    let tail = read(start, min(size, tailCount))
    guard tail.count >= 22 else { return }
    for offset in 0...(tail.count - 22) where isRecord(tail, offset, 5, 6) {
      var bytes = number(tail, offset + 12, 4)
      // The record before it says where that of a large zip is, and this one where the directory begins.
      if offset >= 20, isRecord(tail, offset - 20, 6, 7) {
        let end = number(tail, offset - 12, 8)
        let record = end >= 0 && end < size ? read(end, 56) : []
        if record.count == 56, isRecord(record, 0, 6, 6) {
          bytes = end - number(record, 48, 8)
        }
      }
      guard (0...mostBytes).contains(bytes) else {
        throw .tooMuch(
          path: place.path, entry: place.entry,
          found: "has a directory of more than \(mostBytes >> 20) MiB")
      }
    }
  }

  /// Whether a record of a kind, which two bytes tell, begins at a place that four bytes are left at.
  private static func isRecord(_ bytes: [UInt8], _ start: Int, _ kind: UInt8, _ last: UInt8) -> Bool {
    bytes[start] == 0x50 && bytes[start + 1] == 0x4B && bytes[start + 2] == kind && bytes[start + 3] == last
  }

  /// A number of so many bytes, the lowest first; that of eight may be below zero.
  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
