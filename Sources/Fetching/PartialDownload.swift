import Glibc
import Host

/// Bytes on their way into the cache: a `.part` file and the note of what they are a part of.
///
/// The note is written before the first byte, and bytes are only ever added, so that what a killed process
/// leaves can be gone on from.
final class PartialDownload {
  /// The file of the bytes.
  let path: String
  private let notePath: String
  private let address: String
  private var descriptor: Int32 = -1
  /// What the bytes are a part of; nil where there are none.
  private(set) var version: ContentVersion?
  /// How many bytes there are.
  private(set) var bytes = 0

  /// Takes up what is in a folder; a part of which it is not known what it is a part of is dropped.
  init(in folder: String, address: String) throws(FileError) {
    path = Path.join(folder, "content.part")
    notePath = Path.join(folder, "content.part.note")
    self.address = address
    if let note = DownloadNote(at: notePath), note.address == address, let size = Files.size(path), size > 0 {
      version = note.version
      bytes = size
    } else {
      try drop()
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// What to go on with: the mark that the server shall compare; nil where all must be asked for again.
  var resumption: (bytes: Int, mark: String)? {
    guard bytes > 0, let mark = version?.strongMark else { return nil }
    return (bytes, mark)
  }

  /// Whether all bytes are there; false where it is not known how many there should be.
  var isWhole: Bool { version?.bytes == bytes && bytes > 0 }

  /// Begins from the start.
  func begin(_ version: ContentVersion) throws(FileError) {
    try drop()
    try DownloadNote(address: address, version: version).write(to: notePath)
    self.version = version
    try openFile()
  }

  /// Adds bytes.
  func add(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try openFile()
    let code = Output.write(bytes, to: descriptor)
    if code != 0 { throw FileError(path: path, code: code, action: "write") }
    self.bytes += bytes.count
  }

  private func openFile() throws(FileError) {
    if descriptor >= 0 { return }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno, action: "write") }
  }

  /// Sees to it that the bytes outlive a loss of power.
  func settle() throws(FileError) {
    guard descriptor >= 0 else { return }
    let isWritten = fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    descriptor = -1
    if !isWritten { throw FileError(path: path, code: code, action: "write") }
  }

  /// Removes the bytes and the note.
  func drop() throws(FileError) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    try Files.remove(path)
    try Files.remove(notePath)
    version = nil
    bytes = 0
  }

  /// Removes the note of bytes that have found their place.
  func forget() throws(FileError) {
    try Files.remove(notePath)
    version = nil
    bytes = 0
  }
}
