/// What is done to a finished zip to break it.
enum ArchiveDamage {
  /// The last two fifths of the file are missing.
  case cut
  /// The first entry's checksum is another one, in the entry and in the directory.
  case checksum

  init?(_ quirks: Set<GeneralQuirk>) {
    if quirks.contains(.truncated) {
      self = .cut
    } else if quirks.contains(.badCRC) {
      self = .checksum
    } else {
      return nil
    }
  }

  /// Damages the bytes of a zip.
  func strike(_ zip: inout [UInt8]) {
    if self == .cut { return zip.removeLast(zip.count - zip.count * 3 / 5) }
    func number(at place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(zip[place + $1]) << (8 * $1) } }
    // The end of the directory says where the directory begins; an entry there, where its local header is.
    let entry = number(at: zip.count - 22 + 16)
    let local = number(at: entry + 42)
    let lengths = zip[(local + 26)..<(local + 30)].map(Int.init)
    let data = local + 30 + lengths[0] + lengths[1] << 8 + lengths[2] + lengths[3] << 8
    // The checksum is in the local header, or behind the data where the header says so.
    let isBehind = zip[local + 6] & 0x08 != 0
    for place in [entry + 16, isBehind ? data + number(at: entry + 20) + 4 : local + 14] {
      zip[place] ^= 0xFF
    }
  }
}
