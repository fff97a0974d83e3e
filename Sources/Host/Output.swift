import Glibc
import Synchronization

/// Writing to the standard streams.
public enum Output {
  /// What errors call standard output.
  public static let name = "standard output"

  /// Writes text to standard output, all of it.
  ///
  /// Where nobody reads any more, the program ends as by SIGPIPE, as programs in a pipeline do.
  /// - Throws: ``FileError`` of the system call that failed.
  public static func out(_ text: String) throws(FileError) {
    var text = text
    let code = text.withUTF8 { write(UnsafeRawBufferPointer($0), to: STDOUT_FILENO) }
    if code == EPIPE { endByPipe() }
    if code != 0 { throw FileError(path: name, code: code, action: "write") }
  }

  /// The lines that are drawn over and over on the terminal of standard error; none where nothing is shown.
  ///
  /// The cursor is at the start of the first of them. There it stays whatever a terminal makes of the
  /// lines when it gets another size: it may break them again, or cut them off.
  private static let live = Mutex<[String]>([])

  /// Nothing from the start of the line to the end of the screen.
  private static let clear = "\r\u{1b}[J"

  /// Writes lines to standard error, as far as they can be written: there is nobody left to tell.
  ///
  /// What ``show(_:)`` shows is taken off before, and shown again below them.
  public static func err(_ text: String) {
    live.withLock { live in
      write(live.isEmpty ? text : clear + text + (text.hasSuffix("\n") ? "" : "\n") + drawn(live))
    }
  }

  /// Shows lines in the place of those shown before on the terminal of standard error; without any, nothing.
  public static func show(_ lines: [String]) {
    live.withLock { live in
      if live.isEmpty && lines.isEmpty { return }
      live = lines
      write(lines.isEmpty ? clear : "\r" + drawn(lines))
    }
  }

  /// Takes off what is shown, for a program that ends at once.
  static func takeOff() {
    live.withLockIfAvailable { live in
      if !live.isEmpty { write(clear) }
    }
  }

  /// The lines, nothing below them, and the cursor back at their start.
  ///
  /// A line that is too long is cut off by the terminal, which may have become narrower only just now. Each is
  /// cleared as a whole first: where a terminal has broken a longer one there, it would join the two again.
  private static func drawn(_ lines: [String]) -> String {
    let up = lines.count > 1 ? "\u{1b}[\(lines.count - 1)A" : ""
    return "\u{1b}[?7l" + lines.map { "\u{1b}[2K" + $0 }.joined(separator: "\n") + "\u{1b}[J\r" + up
      + "\u{1b}[?7h"
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
