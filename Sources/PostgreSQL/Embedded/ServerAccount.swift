import Host

/// Who runs the server: this user, or `postgres` where this user is root, whom PostgreSQL refuses.
///
/// All that root does inside folders of `postgres` is done as `postgres`: root following a link that somebody
/// with that account has put there would give the whole machine away.
struct ServerAccount: Sendable {
  /// The user to become; nil where the process is the right user already.
  let name: String?
  /// The user's and the group's number.
  let userID: UInt32
  let groupID: UInt32

  static func ofThisProcess() throws(EmbeddedClusterError) -> ServerAccount {
    guard Machine.isRoot else {
      return ServerAccount(name: nil, userID: Machine.userID, groupID: Machine.groupID)
    }
    guard let user = Machine.user(named: "postgres") else { throw .noServerUser }
    return ServerAccount(name: "postgres", userID: user.user, groupID: user.group)
  }

  /// A program to be run by this user in a folder, deaf to the settings of the caller's PostgreSQL clients,
  /// speaking English.
  func command(_ words: [String], in folder: String) throws(EmbeddedClusterError) -> Subprocess {
    let placed = ["/bin/sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder] + words
    var process = Subprocess(try switching + placed)
    process.withheldPrefixes = ["PG", "LC_", "LANG"]
    process.environment = ["LC_ALL": "C"]
    return process
  }

  private var switching: [String] {
    get throws(EmbeddedClusterError) {
      guard let name else { return [] }
      guard let switcher = Programs.find("runuser") else { throw .noUserSwitch }
      return [switcher, "-u", name, "--"]
    }
  }
}
