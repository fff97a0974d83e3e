import Foundation

/// A folder of a test's own, removed when it is let go.
public final class Scratch: Sendable {
  /// The folder.
  public let path: String

  /// Makes an empty folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "rivulet-scratch-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and gives its path.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String {
    try write(name, bytes: Array(text.utf8))
  }

  /// Writes a text in ISO 8859-1, a byte a letter, and gives its path.
  @discardableResult
  public func write(_ name: String, latin1 text: String) throws -> String {
    try write(name, bytes: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }

  /// Writes a file byte by byte and gives its path.
  @discardableResult
  public func write(_ name: String, bytes: [UInt8]) throws -> String {
    let file = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }
}
