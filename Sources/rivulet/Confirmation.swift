import Host

/// The options of a command that takes something away, and its question at a terminal.
enum Confirmation {
  static let dryRun = Option("--dry-run", "say what would be done, and change nothing")
  static let yes = Option("--yes", short: "-y", "do not ask")

  /// Whether the user wants to know what would be done before it is done: under `--dry-run`, and at a terminal
  /// unless `--yes` is given.
  static func isWanted(_ invocation: Invocation) -> Bool {
    invocation.has("--dry-run") || !invocation.has("--yes") && Terminal.has(.input)
  }

  /// Whether to go on: not under `--dry-run`. At a terminal the user is asked, unless `--yes` is given.
  /// - Throws: ``Unconfirmed`` where the answer is anything but yes.
  static func isGiven(_ question: String, _ invocation: Invocation, _ session: Session) throws -> Bool {
    if invocation.has("--dry-run") { return false }
    guard isWanted(invocation) else { return true }
    if session.log.isJSON {
      session.log.write("\(question) [y/N]", level: .warning)
    } else {
      Output.err("\(question) [y/N] ")
    }
    guard let line = readLine(), ["y", "yes"].contains(line.lowercased()) else { throw Unconfirmed() }
    return true
  }
}

/// The user was asked, and has not said yes.
struct Unconfirmed: Error, CustomStringConvertible {
  var description: String { "nothing was changed, since the answer was not yes" }

  var hint: String { "--yes does it without a question" }
}
