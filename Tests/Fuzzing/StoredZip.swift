import CZlib

/// Makes zips whose entries are not compressed, so that what is changed in them reaches their readers.
enum StoredZip {
  static func make(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var zip: [UInt8] = []
    var directory: [UInt8] = []
    for (name, bytes) in entries {
      let start = zip.count
      let name = Array(name.utf8.prefix(0xFFFF))
      // Version 2.0, names in UTF-8, stored, no time.
      let head: [UInt8] = [20, 0, 0, 8, 0, 0, 0, 0, 33, 0]
      let sum = bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
      let sizes =
        number(Int(sum), 4) + number(bytes.count, 4) + number(bytes.count, 4) + number(name.count, 2)
      zip += [0x50, 0x4B, 3, 4] + head + sizes + number(0, 2) + name + bytes
      directory += [0x50, 0x4B, 1, 2, 20, 0] + head + sizes + number(0, 12) + number(start, 4) + name
    }
    let end = number(entries.count, 2) + number(entries.count, 2)
    let place = number(directory.count, 4) + number(zip.count, 4)
    return zip + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + end + place + number(0, 2)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
  }
}
