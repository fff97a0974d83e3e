import Glibc

/// Writing to the standard streams, whole or not at all known.
public enum Output {
  /// Writes text to standard output.
  public static func out(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes text to standard error.
  public static func err(_ text: String) { write(text, to: STDERR_FILENO) }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return }
        done += count
      }
    }
  }
}
