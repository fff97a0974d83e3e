import Glibc
import Host

/// The folder of an embedded cluster, and where everything lies in it.
///
/// ```
/// cluster/       the data folder
/// run/           the socket, unless its path would be too long or libpq could not read it
/// server.log
/// ```
struct StateFolder: Sendable {
  /// The port; of a Unix socket no more than a part of its name.
  static let port = 5432
  private static let socketName = ".s.PGSQL.\(port)"
  /// `sun_path` has 108 bytes, one for the final NUL.
  private static let longestSocketPath = 107

  /// Absolute, links resolved.
  let path: String
  /// The folder that holds the socket.
  let socketFolder: String

  /// The named folder, else the XDG state folder; where that is not set, `/var/lib/rivulet` for root, whose
  /// home `postgres` cannot enter.
  init(_ named: String?, account: ServerAccount) throws(EmbeddedClusterError) {
    if let named {
      path = Path.canonical(named)
    } else {
      path = Path.canonical(try StateFolder.usual(account))
    }
    let inside = Path.join(path, "run")
    let isShort = Path.join(inside, StateFolder.socketName).utf8.count <= StateFolder.longestSocketPath
    // A comma ends a host's name for libpq, however it is written.
    let isPlain = !inside.contains(",")
    // Not /run/user/N: that is emptied at log-out, which the server outlives, and is absent in cron's jobs.
    socketFolder =
      isShort && isPlain ? inside : "/tmp/rivulet-\(account.userID)-\(path.fingerprint)"
  }

  private static func usual(_ account: ServerAccount) throws(EmbeddedClusterError) -> String {
    if let state = Machine.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return Path.join(state, "rivulet")
    }
    if account.name != nil { return "/var/lib/rivulet" }
    guard let home = Machine.home, home.hasPrefix("/") else { throw .noHome }
    return Path.join(home, ".local/state/rivulet")
  }

  var data: String { Path.join(path, "cluster") }
  var log: String { Path.join(path, "server.log") }
  var socket: String { Path.join(socketFolder, StateFolder.socketName) }

  /// The major version that made the data; nil where there is none, or none of ours.
  var dataVersion: Int? {
    guard let text = try? Files.readText(Path.join(data, "PG_VERSION")) else { return nil }
    return Int(text.trimmedLine)
  }

  /// Makes the folder, and sees to it that the server's user can work in it.
  func prepare(for account: ServerAccount) throws(EmbeddedClusterError) {
    let isNew = !Files.exists(path)
    do {
      try Files.makeDirectory(path, mode: 0o700)
    } catch {
      if error.code == ENOSPC || error.code == EDQUOT { throw .diskFull(folder: path) }
      throw .notPermitted(path: path, reason: systemMessage(error.code))
    }
    guard let name = account.name else {
      guard access(path, W_OK | X_OK) == 0 else {
        throw .notPermitted(path: path, reason: systemMessage(errno))
      }
      return
    }
    // A folder with something in it may be anybody's and stays his.
    if isNew || (try? Files.list(path))?.isEmpty == true {
      lchown(path, account.userID, account.groupID)
    }
    if access(path, W_OK) != 0 && errno == EROFS {
      throw .notPermitted(path: path, reason: systemMessage(EROFS))
    }
    if try !allows(account, "-w", path) {
      throw .barred(folder: path, user: name, barrier: try barrier(account))
    }
  }

  /// Whether only the server's user (and root) can enter a folder.
  func isPrivate(_ folder: String, to account: ServerAccount) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == account.userID && status.st_mode & 0o077 == 0
  }

  private func allows(_ account: ServerAccount, _ right: String, _ folder: String)
    throws(EmbeddedClusterError)
    -> Bool
  {
    (try? account.command(["test", right, folder], in: "/").run().status) == 0
  }

  /// The outermost folder on the way that the server's user cannot pass; the state folder itself where he
  /// merely may not write.
  private func barrier(_ account: ServerAccount) throws(EmbeddedClusterError) -> String {
    var ancestors: [String] = []
    var next = Path.parent(path)
    while next != "/" {
      ancestors.append(next)
      next = Path.parent(next)
    }
    for ancestor in ancestors.reversed() where try !allows(account, "-x", ancestor) { return ancestor }
    return path
  }
}
