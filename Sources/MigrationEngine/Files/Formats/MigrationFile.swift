import Host

/// A file of somebody else's migrations.
struct MigrationFile {
  /// Its name without folders.
  let name: String
  let path: String

  /// All files below a folder, folders within it included, in order of path; what begins with a dot is left out.
  static func tree(_ folder: String) throws -> [MigrationFile] {
    try Files.list(folder).filter { !$0.hasPrefix(".") }.flatMap { name -> [MigrationFile] in
      let path = Path.join(folder, name)
      return Files.isDirectory(path) ? try tree(path) : [MigrationFile(name: name, path: path)]
    }
  }

  /// The text with LF at the end of each line and no byte order mark.
  func text() throws -> String {
    guard let text = String(validating: try Files.read(path), as: UTF8.self) else {
      throw MigrationError.unfit(
        file: path, message: "this is not UTF-8", hint: "convert it, such as with iconv -f LATIN1 -t UTF-8")
    }
    let body = text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
    // A return without a line feed ends a line too: editors count it, and so do our errors.
    return String(body.map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
  }

  /// A section that holds all of it.
  func section(_ options: Migration.Options = Migration.Options()) throws -> Migration.Section {
    try OuterTransaction.removed(from: Migration.Section(sql: try text(), file: path, options: options))
  }
}
