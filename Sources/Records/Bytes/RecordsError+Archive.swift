extension RecordsError {
  /// The error that libarchive's message means.
  ///
  /// It has no codes of its own for these.
  ///
  /// `isInEntry`: an entry is being read; else `entry` is the archive, where that is an entry itself.
  init(libarchive message: String, path: String, entry: String?, isInEntry: Bool) {
    // Some of its messages end with a line end.
    let text = String(message.reversed().drop(while: \.isWhitespace).reversed())
    let lowered = text.lowercased()
    if lowered.contains("passphrase") || lowered.contains("encrypt") {
      self = .encrypted(path: path, entry: entry)
    } else if isInEntry, let entry, lowered.contains("compression method") {
      self = .unsupportedCompression(path: path, entry: entry, method: Self.method(text))
    } else if lowered.contains("unrecognized archive format") {
      self = .brokenArchive(
        path: path, entry: isInEntry ? nil : entry, reason: "its directory is missing")
    } else {
      self = .brokenArchive(path: path, entry: entry, reason: text)
    }
  }

  /// The method's name out of "Unsupported ZIP compression method (9: deflation-64-bit)".
  private static func method(_ text: String) -> String {
    guard let open = text.lastIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else {
      return text
    }
    let inside = String(text[text.index(after: open)..<close])
    return inside == "9" || inside.hasPrefix("9:") ? "Deflate64 (method 9)" : "method \(inside)"
  }
}
