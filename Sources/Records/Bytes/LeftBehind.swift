/// What operating systems and office programs leave beside files, and nobody means.
enum LeftBehind {
  /// Whether a path inside a folder or an archive is that of such a file: in `__MACOSX/`, `._a.csv`,
  /// `.DS_Store`, `Thumbs.db`, `desktop.ini`, or `~$a.xlsx`, the mark of a document that is open.
  static func contains(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let name = parts.last else { return false }
    return parts.contains("__MACOSX") || name.hasPrefix("._") || name.hasPrefix("~$")
      || names.contains(name.lowercased())
  }

  private static let names: Set<String> = [".ds_store", "thumbs.db", "desktop.ini"]
}
