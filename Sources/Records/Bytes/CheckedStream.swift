/// Passes another stream's bytes through, unless the first of them show that it is not in the format that it
/// is read as.
final class CheckedStream: ByteStream {
  /// What the bytes have to be.
  enum Content {
    /// No archive, workbook, PDF or web page, nor anything else that no text is.
    case text
    /// Not in UTF-16, which JSON is never exchanged in.
    case utf8
  }

  /// So many bytes are looked at.
  private static let headCount = 512

  private let source: any ByteStream
  private let entry: SourceEntry
  /// What is still to be checked.
  private var content: Content?

  init(_ source: any ByteStream, of entry: SourceEntry, is content: Content) {
    self.source = source
    self.entry = entry
    self.content = content
  }

  /// - Throws: `notText` or `notUTF8` for the first bytes, and what the other stream throws.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RecordsError) -> Int {
    guard let content else { return try source.read(into: buffer) }
    let count = try source.fill(buffer, to: min(Self.headCount, buffer.count))
    self.content = nil
    try check([UInt8](buffer[..<min(count, Self.headCount)]), is: content)
    return count
  }

  private func check(_ head: [UInt8], is content: Content) throws(RecordsError) {
    switch content {
    case .text:
      guard let found = Self.kind(head) else { return }
      throw .notText(path: entry.path, entry: entry.entry, found: found)
    case .utf8:
      let isMarked = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
      // Every document begins with ASCII, of which UTF-16 has each second byte zero.
      guard isMarked || head.prefix(2).contains(0) else { return }
      throw .notUTF8(path: entry.path, entry: entry.entry)
    }
  }

  /// What the first bytes show that is no text; nil for what may be one.
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
