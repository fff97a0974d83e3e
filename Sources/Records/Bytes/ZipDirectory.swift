/// The directory at the end of a zip, which libarchive reads into memory as a whole, and more of it than it is.
enum ZipDirectory {
  /// The most bytes that it may have: those of a hundred thousand entries with names of a hundred bytes.
  static let mostBytes = 16 << 20
  /// A zip may end with a comment of 64 KiB; before the end's record is the one of a large zip.
  private static let tailCount = (64 << 10) + 22 + 20

  /// Makes sure that a zip's directory is not too large, and has not too many entries; of what is no zip nothing
  /// is asked.
  ///
  /// `read`: reads bytes from a place on, fewer at the end.
  /// - Throws: `tooMuch`.
  static func check(
    _ place: SourceEntry, size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]
  ) throws(RecordsError) {
    let start = max(0, size - tailCount)
    let tail = read(start, min(size, tailCount))
    guard tail.count >= 22 else { return }
    var counted = 0
    for offset in 0...(tail.count - 22) where isRecord(tail, offset, 5, 6) {
      var (bytes, directoryEnd) = (number(tail, offset + 12, 4), start + offset)
      // The record before it says where that of a large zip is, and this one where the directory begins.
      if offset >= 20, isRecord(tail, offset - 20, 6, 7) {
        let end = number(tail, offset - 12, 8)
        let record = end >= 0 && end < size ? read(end, 56) : []
        if record.count == 56, isRecord(record, 0, 6, 6) {
          let first = number(record, 48, 8)
          guard first >= 0 else { throw excess(of: place) }
          bytes = end - first
          directoryEnd = end
        }
      }
      guard (0...mostBytes).contains(bytes) else { throw excess(of: place) }
      // What is too small for more of them need not be looked at.
      guard bytes / entryCount > UnpackingLimit.entries else { continue }
      counted += 1
      guard counted <= mostEnds else { throw excess(of: place) }
      guard count(read(max(0, directoryEnd - bytes), bytes)) <= UnpackingLimit.entries else {
        throw UnpackingLimit.excess(of: place.path, entry: place.entry)
      }
    }
  }

  /// Whether a record of a kind, which two bytes tell, begins at a place that four bytes are left at.
  private static func isRecord(_ bytes: [UInt8], _ start: Int, _ kind: UInt8, _ last: UInt8) -> Bool {
    bytes[start] == 0x50 && bytes[start + 1] == 0x4B && bytes[start + 2] == kind && bytes[start + 3] == last
  }

  /// What looks like the end of a large directory is looked at so many times: a comment can be full of it.
  private static let mostEnds = 4
  /// The fewest bytes of an entry.
  private static let entryCount = 46

  /// How many entries a directory has.
  private static func count(_ directory: [UInt8]) -> Int {
    var (entries, place) = (0, 0)
    while place + entryCount <= directory.count, isRecord(directory, place, 1, 2) {
      entries += 1
      place += entryCount + [28, 30, 32].reduce(0) { $0 + number(directory, place + $1, 2) }
    }
    return entries
  }

  /// Why an archive is not read whose directory is too large.
  static func excess(of place: SourceEntry) -> RecordsError {
    .tooMuch(
      path: place.path, entry: place.entry, found: "has a directory of more than \(mostBytes >> 20) MiB")
  }

  /// A number of so many bytes, the lowest first; that of eight may be below zero.
  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
