/// Why the embedded cluster cannot be had, each with the way to fix it.
public enum EmbeddedClusterError: Error, Sendable {
  /// No server, or only ones too old (`14.11 in /usr/lib/postgresql/14/bin`).
  case noServer(tooOld: [String])
  /// `RIVULET_PG_BIN` names a folder without a server.
  case noServerIn(folder: String)
  /// The data was made by a major version that is not installed.
  case otherVersion(data: Int, folder: String, installed: [String])
  /// Root cannot run a server, and there is no user `postgres` who could.
  case noServerUser
  /// Root cannot become `postgres`, since there is no `runuser`.
  case noUserSwitch
  /// Neither a home folder nor a state folder is known.
  case noHome
  /// The user who runs the server cannot use the state folder; `barrier` is the folder that keeps him out.
  case barred(folder: String, user: String, barrier: String)
  /// The operating system refuses a path.
  case notPermitted(path: String, reason: String)
  /// Something else lies where the data folder belongs.
  case notACluster(String)
  /// A socket folder that other users could have made or can enter.
  case unsafeSocketFolder(String)
  /// No space left on the device.
  case diskFull(folder: String)
  /// `initdb` or a step after it failed.
  case notMade(folder: String, lines: [String])
  /// The server did not come up.
  case notStarted(lines: [String], log: String, fix: String)
  /// The server is still recovering, or hangs.
  case stillStarting(process: Int, seconds: Int, log: String)
  /// The server did not end.
  case notStopped(process: Int, lines: [String])
}

extension EmbeddedClusterError: CustomStringConvertible {
  /// What is wrong, and on the next line the way to fix it.
  public var description: String { message + "\nHINT: " + hint }

  /// What is wrong, with the last lines of the log where they tell it.
  public var message: String {
    switch self {
    case .noServer(let tooOld):
      tooOld.isEmpty
        ? "no PostgreSQL server is installed"
        : "PostgreSQL \(ServerPrograms.oldest) or later is needed; installed: \(tooOld.joined(separator: ", "))"
    case .noServerIn(let folder):
      "RIVULET_PG_BIN names '\(folder)', which lacks a runnable initdb, pg_ctl or postgres"
    case .otherVersion(let data, let folder, let installed):
      "the data in '\(folder)' was made by PostgreSQL \(data); "
        + "installed: \(installed.joined(separator: ", "))"
    case .noServerUser: "root cannot run a PostgreSQL server, and there is no user 'postgres' to run it"
    case .noUserSwitch: "root cannot run a PostgreSQL server, and the program 'runuser' is missing"
    case .noHome: "no folder for the embedded PostgreSQL: HOME is not set"
    case .barred(let folder, let user, let barrier):
      "user '\(user)', who runs the server, cannot use the state folder '\(folder)': "
        + (barrier == folder ? "it is not his" : "'\(barrier)' keeps him out")
    case .notPermitted(let path, let reason): "cannot use '\(path)': \(reason)"
    case .notACluster(let path): "'\(path)' is in the way: it is no PostgreSQL data folder of rivulet's"
    case .unsafeSocketFolder(let path):
      "'\(path)' cannot be the socket's folder: it must be a folder that only the server's user can enter"
    case .diskFull(let folder): "no space left on the device of '\(folder)'"
    case .notMade(let folder, let lines):
      "cannot make the embedded PostgreSQL in '\(folder)'" + EmbeddedClusterError.listed(lines)
    case .notStarted(let lines, let log, _):
      "the embedded PostgreSQL did not start; the end of '\(log)':" + EmbeddedClusterError.listed(lines)
    case .stillStarting(let process, let seconds, _):
      "the embedded PostgreSQL (process \(process)) takes no connections after \(seconds) seconds"
    case .notStopped(let process, let lines):
      "the embedded PostgreSQL (process \(process)) did not stop" + EmbeddedClusterError.listed(lines)
    }
  }

  /// The way to fix it, mostly a command.
  public var hint: String {
    switch self {
    case .noServer:
      "apt-get install postgresql, or name the folder of initdb in RIVULET_PG_BIN, or use a server of "
        + "your own: --database URL"
    case .noServerIn: "unset RIVULET_PG_BIN, or name the bin folder of a PostgreSQL server in it"
    case .otherVersion(let data, _, _):
      "apt-get install postgresql-\(data), or name its bin folder in RIVULET_PG_BIN, or give the data up: "
        + "rivulet db destroy"
    case .noServerUser: "apt-get install postgresql (it makes the user), or run rivulet as an ordinary user"
    case .noUserSwitch: "apt-get install util-linux, or run rivulet as an ordinary user"
    case .noHome: "name a folder: export RIVULET_STATE_DIR=/path/to/folder"
    case .barred(let folder, let user, let barrier):
      (barrier == folder ? "chown \(user) '\(barrier)'" : "chmod o+x '\(barrier)'")
        + ", or choose another folder: export RIVULET_STATE_DIR=/var/lib/rivulet"
    case .notPermitted: "name a folder that you may write to: export RIVULET_STATE_DIR=/path/to/folder"
    case .notACluster: "move it away, or name another folder: export RIVULET_STATE_DIR=/path/to/folder"
    case .unsafeSocketFolder(let path):
      "rm -r '\(path)' (as its owner or root), or name a shorter state folder in RIVULET_STATE_DIR"
    case .diskFull: "make space there, or name a folder elsewhere: export RIVULET_STATE_DIR=/path/to/folder"
    case .notMade(let folder, _): "see the reason above; nothing was left behind in '\(folder)'"
    case .notStarted(_, _, let fix): fix
    case .stillStarting(_, _, let log): "it may still be recovering after a crash: watch '\(log)'"
    case .notStopped(let process, _): "end what holds it, or: kill -QUIT \(process)"
    }
  }

  private static func listed(_ lines: [String]) -> String { lines.map { "\n  " + $0 }.joined() }
}
