import Host

extension MigrationFolder {
  /// Writes the file of a new migration, to be filled in or with a text of its own, after the last one and gives
  /// its path. `datasets` are those that it is for; none for every database.
  ///
  /// - Throws: `MigrationError.unusableName` where the words give no name, `.notOwnFormat`, `.sameVersion`, and
  ///   `FileError`.
  public func writeNew(
    _ words: String, isRepeatable: Bool = false, datasets: [String] = [], text: String? = nil,
    hasTimestamp: Bool = false
  ) throws -> String {
    guard isOwnFormat else { throw MigrationError.notOwnFormat(path: path) }
    let name = try MigrationFolder.name(of: words)
    if isRepeatable, repeatables.contains(where: { $0.name == name }) {
      throw MigrationError.sameVersion(version: "R_\(name)", files: ["R_\(name).sql", "the new one"])
    }
    let version =
      hasTimestamp
      ? MigrationFolder.timestamp : VersionOrder.next(after: migrations.last?.fileVersion ?? "0000")
    let file = Path.join(path, "\(isRepeatable ? "R" : version)_\(name).sql")
    let empty = isRepeatable ? MigrationFolder.repeatableText : MigrationFolder.versionedText
    let line =
      datasets.isEmpty ? "" : MigrationParser.datasetLine + " " + datasets.joined(separator: ", ") + "\n"
    try Files.write(line + (text ?? empty), to: file)
    return file
  }

  /// The text of a migration that does what a dump does, such as Rails' structure.sql.
  ///
  /// - Throws: `MigrationError.malformed` where it is nothing that a migration can run, and `FileError`.
  public static func text(ofDump path: String) throws -> String {
    let file = MigrationFile(path)
    let sql = try file.text()
    _ = try MigrationParser(text: "-- rivulet:up\n" + sql, file: path).migration(version: "0", name: "dump")
    return "-- rivulet:up\n" + sql + (sql.hasSuffix("\n") ? "" : "\n")
      + "-- rivulet:down irreversible \"\(file.name) has no way back\"\n"
  }

  /// The time in UTC as digits, to the second.
  private static var timestamp: String {
    String(Machine.time.filter { $0.isASCII && $0.isNumber }.prefix(14))
  }

  private static func name(of words: String) throws(MigrationError) -> String {
    let parts = words.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = parts.joined(separator: "_")
    guard isName(name), words.allSatisfy(\.isASCII) else { throw .unusableName(words) }
    return name
  }

  private static let versionedText = """
    -- What this is for, in a line.

    -- rivulet:up

    -- rivulet:down

    -- rivulet:verify
    -- Fails when 'up' has not done what it promises, such as: SELECT column FROM schema.table WHERE false;

    """

  private static let repeatableText = """
    -- What this is for, in a line. It runs again whenever this text changes: write CREATE OR REPLACE, GRANT, REVOKE.

    """
}
