import Host

/// What a server's last words mean, and what is to be done about it.
struct StartDiagnosis {
  /// What the server wrote to its log during this start.
  let logged: String
  /// What `pg_ctl` wrote.
  let said: String
  let folder: StateFolder

  var error: EmbeddedClusterError {
    let words = logged + "\n" + said
    if DiskSpace.isExhausted(words, at: folder.path) { return .diskFull(folder: folder.path) }
    let lines = (logged.contains { !$0.isWhitespace } ? logged : said).lastLines(8)
    return .notStarted(lines: lines, log: folder.log, fix: fix(for: words))
  }

  private func fix(for words: String) -> String {
    StartDiagnosis.known.first { words.contains($0.sign) }?.fix(folder) ?? "read '\(folder.log)'"
  }

  private static let known: [(sign: String, fix: @Sendable (StateFolder) -> String)] = [
    ("has group or world access", { "chmod -R go= '\($0.data)'" }),
    ("has invalid permissions", { "chmod -R go= '\($0.data)'" }),
    ("has wrong ownership", { "give '\($0.data)' back to the user who made it, or run as that user" }),
    ("Permission denied", { "give '\($0.path)' back to the user who made it: chown -R USER '\($0.path)'" }),
    (
      "could not map anonymous shared memory",
      { "free memory, or lower shared_buffers in '\($0.data)/postgresql.conf'" }
    ),
    ("pre-existing shared memory block", { _ in "end the processes of the former server: ps -C postgres" }),
    (
      "already exists", { "end the server that still uses the data, then remove '\($0.data)/postmaster.pid'" }
    ),
    ("already in use", { "end the server that listens at '\($0.socket)'" }),
    ("configuration file", { "correct '\($0.data)/postgresql.conf' at the line named above" }),
    ("unrecognized configuration parameter", { "correct '\($0.data)/postgresql.conf'" }),
    ("invalid value for parameter", { "correct '\($0.data)/postgresql.conf'" }),
    ("checkpoint record", { _ in "the data is damaged; destroy it and load again: rivulet db destroy" }),
    ("invalid checksum", { _ in "the data is damaged; destroy it and load again: rivulet db destroy" }),
    (
      "incompatible with server",
      { _ in "name the bin folder of the PostgreSQL that made the data in RIVULET_PG_BIN" }
    ),
    ("Address family not supported", { _ in "allow Unix sockets in this sandbox, or use --database URL" }),
  ]
}

/// Room on a device.
enum DiskSpace {
  /// Bytes without which not even a pid file or a log line is sure to be written.
  private static let least = 1 << 20

  /// A program that failed with these words failed for want of room: it says so, or could not even do that.
  static func isExhausted(_ words: String, at folder: String) -> Bool {
    if words.contains("No space left on device") || words.contains("Disk quota exceeded") { return true }
    return Files.freeSpace(at: folder).map { $0 < least } ?? false
  }
}
