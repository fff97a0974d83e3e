import Foundation
import TestSupport
import Testing

/// Archives as `unzip` sees them.
enum Archive {
  /// The text of an entry.
  static func text(_ entry: String, in zip: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unzip")
    process.arguments = ["-p", zip, entry]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "unzip reads \(entry) of \(zip)")
    return String(decoding: data, as: UTF8.self)
  }

  /// A folder with the entries that fit a pattern.
  final class Folder {
    private let scratch: Scratch
    let path: String

    fileprivate init(_ name: String) throws {
      scratch = try Scratch()
      path = scratch.path + "/" + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
  }

  /// Unpacks the entries that fit a pattern into a folder.
  static func unpacked(_ zip: String, only pattern: String, named name: String = "files") throws -> Folder {
    let folder = try Folder(name)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unzip")
    process.arguments = ["-q", "-j", zip, pattern, "-d", folder.path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "unzip unpacks \(pattern) of \(zip)")
    return folder
  }
}
