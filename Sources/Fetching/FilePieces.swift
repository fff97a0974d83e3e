import Glibc
import Host
import Values

/// The bytes of files, piece by piece.
enum FilePieces {
  /// The SHA-256 of a file in hexadecimal.
  static func sha256(of path: String) throws -> String {
    var hash = SHA256()
    try read(path) { hash.update($0) }
    return hash.hexadecimal()
  }

  /// Hands a file on piece by piece.
  static func read(_ path: String, to take: (UnsafeRawBufferPointer) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path: path, code: errno, action: "read") }
    defer { close(descriptor) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    while true {
      try Interruption.shared.check()
      let count = Glibc.read(descriptor, piece.baseAddress, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(path: path, code: errno, action: "read") }
      if count == 0 { return }
      try take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
  }
}
