import Host

extension MigrationFolder {
  /// Writes the file of a new migration after the last one and gives its path.
  ///
  /// Throws ``MigrationError/unusableName(_:)`` where the words give no name, and where the folder is of
  /// another tool's format.
  public func writeNew(_ words: String, isRepeatable: Bool) throws -> String {
    guard isOwnFormat else { throw MigrationError.notOwnFormat(path: path) }
    let name = try MigrationFolder.name(of: words)
    if isRepeatable {
      guard !repeatables.contains(where: { $0.name == name }) else {
        throw MigrationError.sameVersion(version: "R_\(name)", files: ["R_\(name).sql", "the new one"])
      }
      return try write("R_\(name).sql", MigrationFolder.repeatableText)
    }
    return try write("\(nextVersion)_\(name).sql", MigrationFolder.versionedText)
  }

  /// Writes the file of a new migration with a text of its own after the last one and gives its path.
  ///
  /// Throws what ``writeNew(_:isRepeatable:)`` throws.
  public func writeNew(_ words: String, text: String) throws -> String {
    guard isOwnFormat else { throw MigrationError.notOwnFormat(path: path) }
    return try write("\(nextVersion)_\(MigrationFolder.name(of: words)).sql", text)
  }

  private func write(_ name: String, _ text: String) throws -> String {
    let file = Path.join(path, name)
    try Files.write(text, to: file)
    return file
  }

  /// The number after the last, as wide as the last one is written.
  private var nextVersion: String {
    let last = migrations.last?.version ?? "0000"
    // Digit by digit: nobody says how many there are.
    let nines = last.reversed().prefix { $0 == "9" }.count
    let head = last.dropLast(nines)
    let noughts = String(repeating: "0", count: nines)
    guard let digit = head.last?.wholeNumberValue else { return "1" + noughts }
    return head.dropLast() + "\(digit + 1)" + noughts
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
