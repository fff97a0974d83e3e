import Glibc
import Synchronization

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

  /// The line that is written over and over on the terminal of standard error; empty where there is none.
  private static let live = Mutex("")

  /// Back to the start of the line, and nothing on it.
  private static let clear = "\r\u{1b}[K"

  /// Writes lines to standard error, as far as they can be written: there is nobody left to tell.
  ///
  /// A line that ``show(_:)`` shows is taken off before, and shown again after them.
  public static func err(_ text: String) {
    live.withLock { live in
      write(live.isEmpty ? text : clear + text + (text.hasSuffix("\n") ? live : "\n" + live))
    }
  }

  /// Shows a line in the place of the one shown before on the terminal of standard error; an empty one is none.
  ///
  /// Of a line that is longer than the terminal is wide the rest is left out: it could not be taken off again.
  public static func show(_ line: String) {
    live.withLock { live in
      live = Terminal.size(of: .errors).map { String(line.prefix($0.columns - 1)) } ?? line
      write(clear + live)
    }
  }

  private static func write(_ text: String) {
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
