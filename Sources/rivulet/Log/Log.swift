import Host
import Reporting
import Values

/// The log on standard error, for any thread.
struct Log: Sendable {
  /// How much a line matters, in the words of the JSON form.
  enum Level: String {
    case debug
    case info
    case warning
    case error
  }

  /// A line is a JSON document.
  let isJSON: Bool
  /// What the program is at, for lines that do not say what they are about.
  var work = LogWork()

  /// A warning.
  func warn(_ line: String) { write(line, level: .warning) }

  /// Writes a line.
  ///
  /// `subject`: what it is about; nil for what the program is at. `more`: further members of the JSON form.
  func write(_ line: String, level: Level, about subject: LogSubject? = nil, more: JSON = [:]) {
    if isJSON {
      let head: JSON = ["time": Machine.preciseTime, "level": level.rawValue, "message": line]
      Output.err((head + (subject ?? work.subject).json + more).text + "\n")
    } else {
      Output.err((level == .warning ? "warning: " : "") + line.printable() + "\n")
    }
  }

  /// Writes why the program ends.
  func write(_ failure: Failure) {
    guard isJSON else { return Output.err(failure.text.printable()) }
    write(failure.sentence, level: .error, about: failure.subject, more: failure.json)
  }
}
