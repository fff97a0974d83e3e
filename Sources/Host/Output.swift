import Glibc

/// Writing to the standard streams.
public enum Output {
  /// Writes text to standard output, all of it.
  ///
  /// Where nobody reads any more, the program ends as by SIGPIPE, as programs in a pipeline do.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func out(_ text: String) throws(FileError) {
    var text = text
    let code = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
    if code == EPIPE { endByPipe() }
    if code != 0 { throw FileError(path: "standard output", code: code, action: "write") }
  }

  /// Writes text to standard error, as far as it can be written: there is nobody left to tell.
  public static func err(_ text: String) {
    var text = text
    _ = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  /// Writes bytes, all of them; gives the `errno` of what kept it from that, else 0.
  public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return errno }
      done += count
    }
    return 0
  }

  /// Ends the program as if it had not been deaf to SIGPIPE.
  static func endByPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }
}
