import Host
import PostgreSQL

/// The global options that a command has to be given again, so that it works on what was looked at.
struct FixOptions {
  /// With a blank before each; empty for none.
  private let words: String

  /// The project and the database of a command line. A URL with a password is not repeated:
  /// `URL` names no database, so that nothing is done to another one by mistake.
  init(_ invocation: Invocation) {
    var words = ""
    if let project = invocation["--project"] { words += " --project \(project.shellWord)" }
    if let database = invocation["--database"] {
      words += " --database " + (SecretWords.has(database) ? "URL" : database.shellWord)
    }
    self.words = words
  }

  /// A fix with them, where it is a command of this program's that lacks them.
  func complete(_ fix: String) -> String {
    guard fix.hasPrefix("rivulet "), !fix.contains(" --database ") else { return fix }
    let (command, comment) =
      fix.firstRange(of: "  #").map { (fix[..<$0.lowerBound], fix[$0.lowerBound...]) }
      ?? (fix[...], "")
    return command + words + comment
  }
}
