import Glibc

/// What is at the end of a standard stream.
public enum Terminal {
  /// A stream that may lead to a terminal.
  public enum Stream: Int32, Sendable {
    /// Standard input.
    case input = 0
    /// Standard output.
    case output = 1
    /// Standard error.
    case errors = 2
  }

  /// How many letters a terminal shows.
  public struct Size: Sendable, Equatable {
    /// Letters of a line.
    public var columns: Int
    /// Lines.
    public var rows: Int

    /// A size.
    public init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
  }

  /// Whether a stream leads to a terminal.
  public static func has(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Whether it leads to one that obeys escape sequences; one without a name, in `TERM`, may be anything.
  public static func isCapable(_ stream: Stream) -> Bool {
    guard has(stream), let name = Machine.environment("TERM") else { return false }
    return name != "dumb"
  }

  /// Whether the user's terminal is said to take UTF-8, by the first of the variables that say it.
  public static var isUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap(Machine.environment).first?.lowercased() ?? ""
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  /// The size of the terminal now: it may change at any time. Nil where there is none, or it says none.
  public static func size(of stream: Stream) -> Size? {
    var size = winsize()
    guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1, size.ws_row > 1 else {
      return nil
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
