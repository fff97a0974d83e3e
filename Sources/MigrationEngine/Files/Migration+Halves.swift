extension Migration {
  /// One of the two migrations of a file: the first only adds; the second takes away what programs use that do
  /// not know the first, so it waits until somebody says that there are none of them any more.
  public enum Half: String, Sendable {
    /// The first.
    case expand
    /// The second.
    case contract
  }

  /// Whether it waits for `migrate contract`.
  public var isContract: Bool { half == .contract }

  /// How the version of a file's second half ends: `0012.contract`.
  static let contractEnding = ".contract"

  /// A first half with the text of the second.
  func followed(by second: Migration) -> Migration {
    Migration(
      kind, version: version, name: name, half: half, rest: second.text, datasets: datasets, require: require,
      up: up, down: down, verify: verify)
  }

  /// The version that the file's name says: `0012` for both of its halves.
  var fileVersion: String { Migration.fileVersion(of: version) }

  /// The version in the name of the file that a version of the history is of.
  static func fileVersion(of version: String) -> String {
    version.hasSuffix(contractEnding) ? String(version.dropLast(contractEnding.count)) : version
  }
}

/// How far an `up` goes with migrations of two halves.
public enum ContractHalves: Sendable {
  /// Stops before each second half.
  case wait
  /// Runs one second half, if it is what comes next, and nothing else.
  case next
  /// Takes both halves as one: for a database that no program uses yet.
  case all
}
