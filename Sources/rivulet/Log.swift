import Host
import Reporting
import Values

/// The log on standard error, for any thread.
struct Log: Sendable {
  /// A line is a JSON document.
  let isJSON: Bool

  /// A warning.
  func warn(_ line: String) { write(line, level: "warning") }

  func write(_ line: String, level: String) {
    if isJSON {
      Output.err((["level": level, "message": line] as JSON).text + "\n")
    } else {
      Output.err((level == "warning" ? "warning: " : "") + line.printable() + "\n")
    }
  }
}
