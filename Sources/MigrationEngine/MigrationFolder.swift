import Host

/// The migrations of a folder, read and put in order.
public struct MigrationFolder: Sendable {
  /// In order of version.
  public let migrations: [Migration]

  /// Reads every `NNNN_snake_case_name.sql`; other files are refused, so that a misnamed one is never
  /// silently left out (names that begin with a dot, and anything but `.sql`, are none of ours).
  public init(_ folder: String) throws {
    var found: [Migration] = []
    for name in try Files.list(folder) where name.hasSuffix(".sql") && !name.hasPrefix(".") {
      let path = Path.join(folder, name)
      guard let (version, title) = MigrationFolder.parts(of: name) else {
        throw MigrationError.misnamed(file: path)
      }
      let parser = MigrationParser(text: try Files.readText(path), file: path)
      found.append(try parser.migration(version: version, name: title))
    }
    found.sort { Migration.precedes($0.version, $1.version) }
    for (left, right) in zip(found, found.dropFirst())
    where !Migration.precedes(left.version, right.version) {
      throw MigrationError.sameVersion(version: right.version, files: [left.file, right.file])
    }
    migrations = found
  }

  /// The migration of a version, however its zeros are written.
  public func migration(_ version: String) -> Migration? {
    migrations.first {
      Migration.isSame($0.version, version)
    }
  }

  private static func parts(of file: String) -> (version: String, name: String)? {
    let stem = file.dropLast(4)
    guard let underscore = stem.firstIndex(of: "_") else { return nil }
    let version = stem[..<underscore]
    let name = stem[stem.index(after: underscore)...]
    let isNumber = !version.isEmpty && version.utf8.allSatisfy { (0x30...0x39).contains($0) }
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f }
    return isNumber && isName ? (String(version), String(name)) : nil
  }
}
