/// Flyway's checksum of a file: the CRC-32 of its lines without their ends, as a signed number of 32 bits.
enum FlywayChecksum {
  /// That of a migration's file; nil where the file is not Flyway's.
  static func of(_ migration: Migration, in folder: MigrationFolder) throws -> Int? {
    guard folder.format == .flyway else { return nil }
    let file = MigrationFile(name: migration.name, path: migration.file)
    return of(try file.text())
  }

  /// That of a text, its lines ended by LF.
  static func of(_ text: String) -> Int {
    var remainder = UInt32.max
    for byte in text.utf8 where byte != 0x0a {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    return Int(Int32(bitPattern: ~remainder))
  }
}
