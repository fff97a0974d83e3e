import Glibc

/// Reading standard input.
public enum Input {
  /// Writes what comes on standard input, to its end, into a file that only this user may read.
  /// - Throws: ``FileError`` where it cannot be read or written, `Interrupted` where the program is asked to end.
  public static func save(to path: String) throws {
    let file = try PendingFile(path, mode: 0o600)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      try Interruption.shared.check()
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(path: "standard input", code: errno, action: "read") }
      if count == 0 { break }
      let code = buffer.withUnsafeBytes {
        Output.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: file.descriptor)
      }
      guard code == 0 else { throw FileError(path: path, code: code, action: "write") }
    }
    try file.finish()
  }
}
