import Glibc
import Host

/// A file that is written piece by piece.
final class ByteFile {
  private let path: String
  private let descriptor: Int32

  /// Makes the file, or empties it.
  init(_ path: String) throws(BenchError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BenchError.cannotWrite(path: path, reason: systemMessage(errno)) }
  }

  deinit { close(descriptor) }

  /// Adds bytes.
  func write(_ bytes: ArraySlice<UInt8>) throws(BenchError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw BenchError.cannotWrite(path: path, reason: systemMessage(errno)) }
      rest = rest.dropFirst(count)
    }
  }
}
