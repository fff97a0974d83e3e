import Glibc
import Host

/// Takes the entries of a bundle, one after the other.
protocol BundleWriter: AnyObject {
  /// Begins an entry; what is put in next is its content.
  func beginEntry(_ name: String) throws(SampleError)
  /// Adds bytes to the entry.
  func write(_ bytes: [UInt8]) throws(SampleError)
  /// Ends the bundle.
  func finish() throws(SampleError)
}

/// Writes the entries of a bundle as files of a folder, each of which appears when it is whole.
final class FolderWriter: BundleWriter {
  private let folder: String
  private var file: BundleFile?

  /// Begins a folder, which is made where it is missing.
  init(_ folder: String) throws(SampleError) {
    self.folder = folder
    if mkdir(folder, 0o777) != 0, errno != EEXIST {
      throw .cannotWrite(path: folder, reason: systemMessage(errno))
    }
  }

  /// Whether a path means a folder: it ends in a slash, or there is one.
  static func isFolder(_ path: String) -> Bool { path.hasSuffix("/") || Files.isDirectory(path) }

  func beginEntry(_ name: String) throws(SampleError) {
    try finish()
    file = try BundleFile(Path.join(folder, name))
  }

  func write(_ bytes: [UInt8]) throws(SampleError) { try file?.write(bytes) }

  func finish() throws(SampleError) {
    try file?.finish()
    file = nil
  }
}

/// Writes a zip file whose bytes depend on nothing but what is put in. It appears when it is whole.
public final class ZipWriter: BundleWriter {
  private let file: BundleFile
  private let zip: ZipStream

  /// Begins a file.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public convenience init(_ path: String) throws(SampleError) { try self.init(path, damage: nil) }

  init(_ path: String, damage: ArchiveDamage?) throws(SampleError) {
    let file = try BundleFile(path, damage: damage)
    self.file = file
    zip = try ZipStream(path) { (bytes) throws(SampleError) in try file.write(bytes) }
  }

  /// Begins an entry; what is put in next is its content.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public func beginEntry(_ name: String) throws(SampleError) { try zip.beginEntry(name) }

  /// Adds bytes to the entry.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public func write(_ bytes: [UInt8]) throws(SampleError) { try zip.write(bytes) }

  /// Ends the file and gives it its name.
  /// - Throws: ``SampleError`` where a file cannot be written.
  public func finish() throws(SampleError) {
    try zip.finish()
    try file.finish()
  }
}

/// A file of a bundle, which appears when it is whole.
private final class BundleFile {
  private let path: String
  private let file: OutputFile
  private let damage: ArchiveDamage?
  /// What is to be damaged when it is whole.
  private var held: [UInt8] = []

  init(_ path: String, damage: ArchiveDamage? = nil) throws(SampleError) {
    self.path = path
    self.damage = damage
    do {
      file = try OutputFile(path)
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
  }

  func write(_ bytes: [UInt8]) throws(SampleError) {
    if damage != nil { return held += bytes }
    try checked { () throws(FileError) in try file.write(bytes) }
  }

  func finish() throws(SampleError) {
    damage?.strike(&held)
    try checked { () throws(FileError) in
      try file.write(held)
      try file.close()
    }
  }

  private func checked(_ write: () throws(FileError) -> Void) throws(SampleError) {
    do {
      try write()
    } catch {
      throw .cannotWrite(path: path, reason: systemMessage(error.code))
    }
  }
}
