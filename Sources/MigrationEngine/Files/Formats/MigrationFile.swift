import Host

/// A file of somebody else's migrations.
struct MigrationFile {
  /// Its name without folders.
  let name: String
  let path: String

  /// All files below a folder, folders within it included, in order of path; what begins with a dot is left
  /// out.
  static func tree(_ folder: String) throws -> [MigrationFile] {
    try Files.list(folder).filter { !$0.hasPrefix(".") }.flatMap { name -> [MigrationFile] in
      let path = Path.join(folder, name)
      return Files.isDirectory(path) ? try tree(path) : [MigrationFile(name: name, path: path)]
    }
  }

  /// The text with LF at the end of each line and no byte order mark.
  func text() throws -> String {
    var bytes = try Files.read(path)[...]
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
    guard let text = String(validating: MigrationFile.withLineFeeds(bytes), as: UTF8.self) else {
      throw MigrationError.unfit(
        file: path, message: "this is not UTF-8", hint: "convert it, such as with iconv -f LATIN1 -t UTF-8")
    }
    return text
  }

  /// A return without a line feed ends a line too: editors count it, and so do our errors.
  private static func withLineFeeds(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte != 0x0a || previous != 0x0d { lines.append(byte == 0x0d ? 0x0a : byte) }
      previous = byte
    }
    return lines
  }

  /// A section that holds all of it.
  func section(_ options: Migration.Options = Migration.Options()) throws -> Migration.Section {
    try OuterTransaction.removed(from: Migration.Section(sql: try text(), file: path, options: options))
  }
}
