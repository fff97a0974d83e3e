import Glibc

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

  /// Damages the file behind a descriptor.
  /// - Returns: false, with `errno` set, where the system refuses.
  func strike(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    let size = Int(status.st_size)
    switch self {
    case .cut: return ftruncate(descriptor, off_t(size * 3 / 5)) == 0
    case .checksum: return strikeChecksum(descriptor, size)
    }
  }

  private func strikeChecksum(_ descriptor: Int32, _ size: Int) -> Bool {
    // The end of the directory says where the directory begins; an entry there, where its local header is.
    guard let end = bytes(22, at: size - 22, descriptor), end.starts(with: [0x50, 0x4B, 5, 6]) else {
      return false
    }
    let directory = Self.number(end, at: 16)
    guard let entry = bytes(46, at: directory, descriptor),
      let local = bytes(30, at: Self.number(entry, at: 42), descriptor)
    else { return false }
    let data = 30 + Int(local[26]) + Int(local[27]) << 8 + Int(local[28]) + Int(local[29]) << 8
    // The checksum is in the local header, or behind the data where the header says so.
    let isBehind = local[6] & 0x08 != 0
    let place =
      Self.number(entry, at: 42) + (isBehind ? data + Self.number(entry, at: 20) + 4 : 14)
    return flip(directory + 16, descriptor) && flip(place, descriptor)
  }

  private func flip(_ place: Int, _ descriptor: Int32) -> Bool {
    guard var byte = bytes(1, at: place, descriptor) else { return false }
    byte[0] ^= 0xFF
    return pwrite(descriptor, byte, 1, off_t(place)) == 1
  }

  private func bytes(_ count: Int, at place: Int, _ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    guard place >= 0, pread(descriptor, &bytes, count, off_t(place)) == count else { return nil }
    return bytes
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
