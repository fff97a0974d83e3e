import Glibc

/// The program in which a user reads what is longer than the terminal.
public struct Pager: Sendable {
  /// The command, as a shell takes it.
  public let command: String
  /// The terminal that it has.
  public let size: Terminal.Size

  /// What `PAGER` names, else less or more; nil where standard output is no terminal that one could read on,
  /// or no such program is there.
  public static var usual: Pager? {
    guard Terminal.isCapable(.output), let size = Terminal.size(of: .output) else { return nil }
    let named = Machine.environment("PAGER") ?? ["less", "more"].first { Programs.find($0) != nil }
    return named.map { Pager(command: $0, size: size) }
  }

  /// Shows a file, and waits until the user has read it; false where the pager could not be started.
  func show(_ descriptor: Int32) -> Bool {
    var pager = Subprocess(["/bin/sh", "-c", command])
    // One screen or less is left on the terminal, colours are kept, nothing is cleared.
    if Machine.environment("LESS") == nil { pager.environment["LESS"] = "FRX" }
    // It has the terminal: what Ctrl-C means is its own affair.
    let status = Interruption.shared.leavingSignals { try? pager.run(reading: descriptor) }
    // As shells say that a command is not there, or cannot be run.
    return status.map { $0 != 126 && $0 != 127 } ?? false
  }

  /// Counts the lines that text takes on the terminal.
  struct Count {
    private(set) var lines = 0
    private var columns = 0

    /// `width`: of the terminal; longer lines go on in the next.
    mutating func add(_ bytes: [UInt8], width: Int) {
      for byte in bytes {
        if byte == UInt8(ascii: "\n") {
          (lines, columns) = (lines + 1, 0)
        } else if byte & 0xC0 != 0x80 {
          // Escape sequences and wide letters are not looked at: the pager itself decides in the end.
          if columns == width { (lines, columns) = (lines + 1, 0) }
          columns += 1
        }
      }
    }
  }
}
