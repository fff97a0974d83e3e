import CLibArchive
import Definitions
import Foundation
import TestSupport
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

  /// A sample of one of the project's own pipelines.
  static func sample(
    _ quirks: String = "", of pipeline: String = "cms-rvu", formats: [SampleFormat]? = nil,
    without: [String] = [], rows: Int = 30, release: String? = nil
  ) throws -> ZipContents {
    try read(
      Sampler.own(pipeline).zip(quirks, formats: formats, without: without, rows: rows, release: release))
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

extension Sampler {
  /// The sampler of one of the project's own pipelines.
  static func own(_ pipeline: String = "cms-rvu") throws -> Sampler {
    try load(Project.load(SharedData.project).pipeline(named: pipeline))
  }

  /// The bytes of a bundle's zip, beside which nothing is left.
  func zip(
    _ quirks: String = "", formats: [SampleFormat]? = nil, without: [String] = [], rows: Int = 30,
    seed: UInt64 = 1, release: String? = nil
  ) throws -> [UInt8] {
    let scratch = try Scratch()
    func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: scratch.path) }
    do {
      try write(
        to: scratch.path + "/sample.zip", rows: rows, seed: seed, release: release, formats: formats,
        quirks: quirks.split(separator: " ").map(String.init), without: without)
    } catch {
      #expect(try left().isEmpty)
      throw error
    }
    #expect(try left() == ["sample.zip"])
    return [UInt8](try Data(contentsOf: URL(filePath: scratch.path + "/sample.zip")))
  }
}
