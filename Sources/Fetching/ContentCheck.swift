import Glibc
import Host

/// Whether a downloaded file is what its name says: by its first and last bytes, whatever the server calls
/// it.
package struct ContentCheck {
  private let name: String
  private let first: [UInt8]
  private let last: [UInt8]

  /// A zip's last record with the longest comment that it can have.
  private static let zipEnd = 22 + 65_535

  /// Looks at a file.
  ///
  /// `name`: the name that it is to have.
  package init(_ path: String, named name: String) throws {
    self.name = name.lowercased()
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno, action: "read") }
    defer { close(descriptor) }
    let size = Files.size(path) ?? 0
    first = try ContentCheck.bytes(512, from: 0, of: descriptor, path)
    let length = min(size, ContentCheck.zipEnd)
    last = try ContentCheck.bytes(length, from: size - length, of: descriptor, path)
    self.size = size
  }

  private let size: Int

  /// What is wrong with it; nil when nothing is.
  package var fault: String? {
    if size == 0 { return "an empty file came" }
    let isPage = name.hasSuffix(".html") || name.hasSuffix(".htm")
    if !isPage && isHTML {
      return "a web page came in place of '\(name)'; look at it in a browser: it may be an error or a licence"
    }
    guard let kind = ContentCheck.kinds.first(where: { kind in kind.endings.contains { name.hasSuffix($0) } })
    else { return nil }
    guard kind.marks.contains(where: { first.dropFirst(kind.place).starts(with: $0) }) else {
      return "what came is no \(kind.name) file, though it is called '\(name)'"
    }
    return kind.name == "zip" ? zipFault : nil
  }

  private struct Kind {
    var name: String
    var endings: [String]
    var marks: [[UInt8]]
    var place = 0
  }

  private static let kinds = [
    Kind(
      name: "zip", endings: [".zip", ".xlsx"], marks: [[0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6]]),
    Kind(name: "gzip", endings: [".gz", ".tgz"], marks: [[0x1f, 0x8b]]),
    Kind(name: "zstd", endings: [".zst"], marks: [[0x28, 0xb5, 0x2f, 0xfd]]),
    Kind(name: "xz", endings: [".xz"], marks: [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]]),
    Kind(name: "bzip2", endings: [".bz2"], marks: [Array("BZh".utf8)]),
    Kind(name: "7z", endings: [".7z"], marks: [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]]),
    Kind(name: "tar", endings: [".tar"], marks: [Array("ustar".utf8)], place: 257),
    Kind(name: "PDF", endings: [".pdf"], marks: [Array("%PDF-".utf8)]),
  ]

  /// Whether it begins as web pages do.
  private var isHTML: Bool {
    var text = String(decoding: first, as: UTF8.self).lowercased()[...]
    while let letter = text.first, letter.isWhitespace || letter == "\u{feff}" { text.removeFirst() }
    return ["<!doctype html", "<html", "<head", "<body", "<title", "<script", "<meta", "<!--"].contains {
      text.hasPrefix($0)
    } || (text.hasPrefix("<?xml") && text.contains("<html"))
  }

  /// A zip ends in a record that says where its list of entries is; one that was cut off does not have it.
  private var zipFault: String? {
    let mark: [UInt8] = [0x50, 0x4b, 5, 6]
    guard last.count >= 22 else { return "the zip is cut off: it has only \(size) bytes" }
    for place in (0...(last.count - 22)).reversed() where last[place...].starts(with: mark) {
      guard place + 22 + number(at: place + 20, bytes: 2) == last.count else { continue }
      let length = number(at: place + 12, bytes: 4)
      let start = number(at: place + 16, bytes: 4)
      // All bits set refer to the 64-bit record before.
      if length == 0xffff_ffff || start == 0xffff_ffff { return nil }
      if start + length <= size - last.count + place { return nil }
      return "the zip is damaged: its list of entries does not lie where it says"
    }
    return "the zip is cut off: after \(size) bytes its list of entries has not come"
  }

  private func number(at place: Int, bytes: Int) -> Int {
    last[place..<place + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func bytes(_ count: Int, from start: Int, of descriptor: Int32, _ path: String) throws
    -> [UInt8]
  {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    guard found >= 0 else { throw FileError(path: path, code: errno, action: "read") }
    return Array(bytes.prefix(found))
  }
}
