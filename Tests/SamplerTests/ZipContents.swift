import CLibArchive
import Definitions
import Foundation
import Testing

@testable import Sampler

/// What a zip holds, by libarchive.
struct ZipContents {
  /// The entries' names, in their order.
  private(set) var names: [String] = []
  private(set) var contents: [String: [UInt8]] = [:]

  /// Why an entry cannot be read.
  struct Damage: Error {
    let reason: String
  }

  /// A zip, whose checksums must be right.
  static func read(_ path: String) throws -> ZipContents {
    try read([UInt8](Data(contentsOf: URL(filePath: path))))
  }

  /// A zip that is held in memory.
  static func read(_ bytes: [UInt8]) throws -> ZipContents {
    var zip = ZipContents()
    let archive = archive_read_new()
    defer { archive_read_free(archive) }
    archive_read_support_format_zip_seekable(archive)
    try bytes.withUnsafeBytes { buffer in
      try #require(archive_read_open_memory(archive, buffer.baseAddress, buffer.count) == ARCHIVE_OK)
      var entry: OpaquePointer?
      while archive_read_next_header(archive, &entry) == ARCHIVE_OK {
        let name = String(cString: try #require(archive_entry_pathname(entry)))
        zip.names.append(name)
        zip.contents[name] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        repeat {
          count = archive_read_data(archive, &chunk, chunk.count)
          zip.contents[name, default: []] += chunk[..<max(0, count)]
        } while count > 0
        if count < 0 { throw Damage(reason: String(cString: archive_error_string(archive))) }
      }
    }
    return zip
  }

  /// A sample of the project's own pipeline, and the bytes of the zip that it is in.
  static func sample(
    _ quirks: String = "", formats: [SampleFormat]? = nil, without: [String] = [], rows: Int = 30,
    release: String? = nil
  ) throws -> (zip: ZipContents, bytes: [UInt8]) {
    let bytes = try sampleBytes(quirks, formats: formats, without: without, rows: rows, release: release)
    return (try read(bytes), bytes)
  }

  /// The bytes of such a zip, which may be damaged.
  static func sampleBytes(
    _ quirks: String = "", formats: [SampleFormat]? = nil, without: [String] = [], rows: Int = 30,
    release: String? = nil
  ) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID()).zip")
    defer { try? FileManager.default.removeItem(at: path) }
    try Sampler.load(Sample.pipeline()).write(
      to: path.path, rows: rows, release: release, formats: formats,
      quirks: quirks.split(separator: " ").map(String.init), without: without)
    return [UInt8](try Data(contentsOf: path))
  }

  /// An entry's bytes.
  subscript(name: String) -> [UInt8] { contents[name] ?? [] }

  /// The lines of an entry that end in CRLF, without their ends.
  func lines(_ name: String) -> [String] {
    var lines = String(decoding: self[name], as: UTF8.self).components(separatedBy: "\r\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
