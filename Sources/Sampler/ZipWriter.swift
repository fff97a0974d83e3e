import Glibc
import Host

/// Writes a zip file whose bytes depend on nothing but what is put in.
public final class ZipWriter {
  private let path: String
  private let file: PendingFile
  private let zip: ZipStream

  /// Begins a file.
  ///
  /// It appears under its name when it is whole: see ``finish()``.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public init(_ path: String) throws(SampleError) {
    self.path = path
    do {
      file = try PendingFile(path)
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
    let descriptor = file.descriptor
    zip = try ZipStream(path) { (bytes) throws(SampleError) in
      try Self.write(bytes, to: descriptor, path)
    }
  }

  /// Begins an entry; what is put in next is its content.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public func beginEntry(_ name: String) throws(SampleError) { try zip.beginEntry(name) }

  /// Adds bytes to the entry.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public func write(_ bytes: [UInt8]) throws(SampleError) { try zip.write(bytes) }

  /// Ends the file and gives it its name.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public func finish() throws(SampleError) { try finish(damage: nil) }

  /// Ends the file, damages it where that is asked for, and gives it its name.
  func finish(damage: ArchiveDamage?) throws(SampleError) {
    try zip.finish()
    if let damage, !damage.strike(file.descriptor) {
      throw .cannotWrite(path: path, reason: systemMessage(errno))
    }
    do {
      try file.finish()
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
  }

  /// Writes all bytes to a descriptor.
  static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SampleError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        throw .cannotWrite(path: path, reason: systemMessage(errno))
      }
      rest = rest.dropFirst(count)
    }
  }
}
