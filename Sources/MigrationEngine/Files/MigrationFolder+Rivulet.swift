import Host

extension MigrationFolder {
  /// Reads every `NNNN_snake_case_name.sql` and `R_name.sql`; other files are refused, so that a misnamed one
  /// is never silently left out (names that begin with a dot, and anything but `.sql`, are none of ours).
  public init(_ folder: String) throws {
    var versioned: [Migration] = []
    var repeatable: [Migration] = []
    for name in try Files.list(folder) where name.hasSuffix(".sql") && !name.hasPrefix(".") {
      let path = Path.join(folder, name)
      guard let (version, title) = MigrationFolder.parts(of: name) else {
        throw MigrationError.misnamed(file: path)
      }
      let parser = MigrationParser(text: try MigrationFile(name: name, path: path).text(), file: path)
      if let version {
        versioned.append(try parser.migration(version: version, name: title))
      } else {
        repeatable.append(try parser.repeatable(name: title))
      }
    }
    try self.init(path: folder, migrations: versioned)
    repeatables = repeatable.sorted { $0.name < $1.name }
  }

  /// The version, nil for a repeatable one, and the name.
  static func parts(of file: String) -> (version: String?, name: String)? {
    let stem = file.dropLast(4)
    guard let underscore = stem.firstIndex(of: "_") else { return nil }
    let version = stem[..<underscore]
    let name = stem[stem.index(after: underscore)...]
    let isNumber = !version.isEmpty && version.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber || version == "R", isName(name) else { return nil }
    return (isNumber ? String(version) : nil, String(name))
  }

  /// Small letters, digits and underscores.
  static func isName(_ name: some StringProtocol) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f }
  }
}
