import Glibc

/// What a file is by its first bytes.
enum FileKind: Hashable {
  /// Several files in one: zip, 7z, tar.
  case archive
  /// One stream compressed by gzip, perhaps of a tar.
  case gzip
  /// One stream compressed by bzip2, xz or zstd, perhaps of a tar.
  case compressed
  /// Anything else; `what` names it where it is recognised.
  case plain(what: String)
  /// A zip of nothing but its end.
  case emptyArchive
  /// No byte at all.
  case empty

  /// Looks into a file.
  init(path: String) throws(RecordsError) {
    self.init(head: try Self.head(of: path))
  }

  /// The first 512 bytes of a file.
  static func head(of path: String) throws(RecordsError) -> [UInt8] {
    try FileStream(path: path).head(512)
  }

  /// Looks at the first 512 bytes.
  init(head: [UInt8]) {
    func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      head.count >= offset + signature.count && head[offset...].starts(with: signature)
    }
    if head.isEmpty {
      self = .empty
    } else if begins([0x50, 0x4B, 5, 6]) {
      self = .emptyArchive
    } else if begins([0x50, 0x4B, 3, 4]) || begins([0x50, 0x4B, 7, 8])
      || begins([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) || Self.isTarHeader(head)
    {
      self = .archive
    } else if begins([0x1F, 0x8B]) {
      self = .gzip
    } else if begins([0x28, 0xB5, 0x2F, 0xFD]) || begins([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0])
      || begins(Array("BZh".utf8))
    {
      self = .compressed
    } else {
      self = .plain(what: Self.looks(head))
    }
  }

  /// Whether the block's checksum is right: the only sign that every kind of tar has.
  private static func isTarHeader(_ head: [UInt8]) -> Bool {
    guard head.count == 512, head[0] != 0 else { return false }
    let field = 148..<156
    var sum = 0
    var stored = 0
    for (index, byte) in head.enumerated() {
      sum += field.contains(index) ? 0x20 : Int(byte)
      if field.contains(index), byte & 0xF8 == 0x30 { stored = stored * 8 + Int(byte & 7) }
    }
    return sum == stored
  }

  private static func looks(_ head: [UInt8]) -> String {
    let first = head.first { $0 > 0x20 }
    if first == UInt8(ascii: "<") { return "a web page or XML" }
    if first == UInt8(ascii: "{") { return "JSON" }
    return head.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) } ? "text" : "something else"
  }

  /// Whether a name says that its file is a document, of which many kinds are zips.
  static func isDocumentName(_ name: String) -> Bool {
    let lowered = name.lowercased()
    let kinds = [".xlsx", ".xlsm", ".xlsb", ".xltx", ".docx", ".docm", ".pptx", ".odt", ".ods", ".odp"]
    return kinds.contains { lowered.hasSuffix($0) }
  }

  /// Whether a name says that its file is an archive.
  static func isArchiveName(_ name: String) -> Bool {
    let lowered = name.lowercased()
    return [".zip", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst"].contains { lowered.hasSuffix($0) }
  }
}
