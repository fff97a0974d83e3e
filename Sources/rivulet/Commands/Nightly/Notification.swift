import Host

/// A program that hears what went wrong: it gets a text on its standard input.
struct Notification {
  /// The key of `rivulet.yaml` that names it, for messages.
  let key: String
  /// The program and its arguments.
  let command: [String]

  /// So many seconds it gets.
  static let timeLimit = 60.0

  /// Runs it; gives a sentence where that failed, which changes nothing about the night.
  func send(_ text: String) -> String? {
    var program = Subprocess(command)
    program.input = text
    program.hasOwnSession = true
    program.timeLimit = Notification.timeLimit
    let name = "\(key): '\(command.first ?? "")'"
    do {
      let outcome = try program.run()
      if outcome.isLate { return "\(name) took longer than \(Int(Notification.timeLimit)) s and was ended" }
      guard outcome.status != 0 else { return nil }
      let words = outcome.output.split(whereSeparator: \.isNewline).last.map { ": \($0.prefix(200))" } ?? ""
      return "\(name) ended with \(outcome.status)\(words)"
    } catch {
      return "\(key): \(error)"
    }
  }
}
