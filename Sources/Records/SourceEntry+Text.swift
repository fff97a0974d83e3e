extension SourceEntry {
  /// Makes sure that the entry is not what no text is: an archive, a workbook, a PDF, a web page.
  ///
  /// Reads its first bytes only. Throws `notText`, and what opening the entry throws.
  public func requireText() throws(RecordsError) {
    let stream = try open()
    var head = [UInt8](repeating: 0, count: 512)
    let count = try stream.read(into: &head, from: 0)
    if let found = Self.kind(Array(head[..<count])) {
      throw .notText(path: path, entry: entry, found: found)
    }
  }

  /// Makes sure that the entry is not in UTF-16, which JSON is never exchanged in.
  ///
  /// Reads its first bytes only. Throws `notUTF8`, and what opening the entry throws.
  public func requireUTF8() throws(RecordsError) {
    let stream = try open()
    var head = [UInt8](repeating: 1, count: 4)
    _ = try stream.read(into: &head, from: 0)
    let isMarked = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    // Every document begins with ASCII, of which UTF-16 has each second byte zero.
    guard isMarked || head[0] == 0 || head[1] == 0 else { return }
    throw .notUTF8(path: path, entry: entry)
  }

  /// What the first bytes tell that is no text; nil for what may be one.
  private static func kind(_ head: [UInt8]) -> String? {
    if head.starts(with: Array("%PDF".utf8)) { return "a PDF" }
    if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { return "an old or protected Office document" }
    switch FileKind(head: head) {
    case .archive, .emptyArchive: return "a workbook or an archive"
    case .gzip, .compressed: return "a compressed file"
    case .plain("a web page or XML"): return "a web page or XML"
    case .plain, .empty: return nil
    }
  }
}
