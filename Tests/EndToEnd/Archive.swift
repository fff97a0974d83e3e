import Host
import Testing

/// Programs of the system that must end well.
enum Shell {
  /// What one writes; it works in a folder where one is named.
  @discardableResult
  static func run(_ command: String..., in folder: String? = nil) throws -> String {
    let outcome = try Subprocess((folder.map { ["env", "-C", $0] } ?? []) + command).run()
    try #require(outcome.status == 0, "\(command): \(outcome.output)")
    return outcome.output
  }
}

/// Archives as `zip` and `unzip` see them.
enum Archive {
  /// The text of an entry.
  static func text(_ entry: String, in zip: String) throws -> String {
    try Shell.run("unzip", "-p", zip, entry)
  }

  /// Makes one of the files of a folder that fit a pattern.
  static func zip(_ folder: String, _ pattern: String = "*", to path: String) throws {
    try Shell.run("sh", "-c", "zip -qj \"$0\" \"$1\"/\(pattern)", path, folder)
  }
}
