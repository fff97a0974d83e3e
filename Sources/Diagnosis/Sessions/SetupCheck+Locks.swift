import Catalog
import Definitions
import MigrationEngine
import PostgreSQL
import Store

extension SetupCheck {
  /// Who holds the program's own locks.
  static let locks = SetupCheck(
    "locks", .sessions, because: "who comes second ends with 4, or waits as long as --lock-wait says"
  ) { subject in
    let defined = (try? subject.project().pipelineNames) ?? []
    let recorded: [String] =
      (try? subject.readingLedger { connection in
        try connection.query("SELECT DISTINCT pipeline FROM rivulet.run").rows.map { try $0.value(0) }
      }) ?? []
    let names = Set(defined + recorded).sorted().map(RunLock.name)
    return try subject.reading { connection in
      let holders = try connection.holders(
        ofLocks: [MigrationEngine.lockName, RunLock.nightly, "rivulet catalog", WatchSignal.watching] + names)
      return holders.isEmpty ? [.ok("nobody is at work")] : holders.map(finding)
    }
  }

  /// What a session with a lock means: one that asks nothing of the server for
  /// long may have lost its program.
  static func finding(_ holder: LockHolder) -> Finding {
    let session = SessionName(process: holder.process, user: holder.user, program: holder.program)
    let end = "SELECT pg_terminate_backend(\(holder.process));"
    if holder.isWaiting { return .note("\(session) waits for '\(holder.lock)'", fix: end) }
    let found = "\(session) has '\(holder.lock)'"
    guard holder.state == "idle", let seconds = holder.seconds, seconds >= 3600 else {
      return .note(found, fix: end)
    }
    return .warning("\(found), and has asked nothing for \(Int(seconds / 60)) min", fix: end)
  }
}

/// A session, as it is named to people: without what it runs, which may have values in it.
struct SessionName: CustomStringConvertible {
  /// The server's process.
  let process: Int
  /// Its role.
  let user: String?
  /// The name that its program gave.
  let program: String?

  var description: String {
    let about = [user, program].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    return "session \(process)" + (about.isEmpty ? "" : " (\(about))")
  }
}
