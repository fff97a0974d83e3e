import Foundation
import Host
public import PostgreSQL
import Testing

/// A server and a standby that follows it, both of one test and gone when it is let go.
public final class Standby: Sendable {
  /// The server that is followed.
  public let primary: CrashingServer
  private let folder: String
  private let data: String
  private let control: String

  /// Starts both, and waits until the standby streams.
  ///
  /// `isSynchronous`: a commit waits until the standby has it, unless its session does not wait for the disk
  /// either.
  public init(isSynchronous: Bool = false) throws {
    primary = try CrashingServer(
      settings: [
        "wal_level": "replica", "max_wal_senders": "5", "wal_writer_delay": "10ms",
        "synchronous_commit": isSynchronous ? "on" : "off",
      ])
    folder = ServerPlace.path("rivulet-standby-\(getpid())-\(UUID().uuidString.prefix(8))")
    data = folder + "/data"
    try Self.run(["mkdir", "-m", "700", folder])
    let database = try primary.makeDatabase()
    let programs = try database.value("SELECT setting FROM pg_config() WHERE name = 'BINDIR'") ?? ""
    control = programs + "/pg_ctl"
    let options = database.target.options
    let words = [
      programs + "/pg_basebackup", "-D", data, "-h", options["host"] ?? "", "-p", options["port"] ?? "", "-U",
      options["user"] ?? "", "-R", "-X", "stream", "-c", "fast",
    ]
    try Self.run(words)
    let settings =
      "-c unix_socket_directories='\(folder)' -c hot_standby=on -c wal_receiver_status_interval=1"
    try Self.run([control, "start", "-s", "-w", "-D", data, "-l", folder + "/log", "-o", settings])
    try #require(try database.finds("SELECT FROM pg_stat_replication WHERE state = 'streaming'"))
    if isSynchronous {
      let connection = try database.connect()
      try connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try connection.execute("SELECT pg_reload_conf()")
      try #require(try database.finds("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"))
    }
  }

  /// A database of the server that is followed, by a URL that leads to whichever of the two may write.
  public func following(_ database: TestDatabase) throws -> TestDatabase {
    let options = database.target.options
    let url =
      "postgresql:///\(database.name)?user=\(options["user"] ?? "")&host=\(options["host"] ?? ""),\(folder)"
      + "&port=\(options["port"] ?? ""),5432&target_session_attrs=read-write"
    return try TestDatabase(database, by: url)
  }

  /// Ends the server that is followed, at once and without a word, and has the standby take its place.
  public func takeOver() throws {
    try primary.crash()
    try Self.run([control, "promote", "-s", "-w", "-D", data])
  }

  /// Has the standby follow no more: it lacks what is written from now on.
  ///
  /// `database`: any of the server that is followed.
  public func cutOff(from database: TestDatabase) throws {
    // What was written until now it has.
    try #require(
      try database.finds("SELECT FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_flush_lsn()"))
    let connection = try connect()
    try connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
    try connection.execute("SELECT pg_reload_conf()")
    try #require(try database.finds("SELECT WHERE NOT EXISTS (SELECT FROM pg_stat_replication)"))
  }

  deinit {
    _ = try? Self.run([control, "stop", "-s", "-m", "immediate", "-D", data])
    try? Files.remove(folder)
  }

  /// A connection to the standby.
  public func connect() throws -> Connection {
    try Connection(to: try ConnectionTarget("host=\(folder) port=5432 dbname=postgres user=rivulet"))
  }

  /// Runs a program as the user that servers run as.
  private static func run(_ words: [String]) throws {
    let switching = Machine.isRoot ? ["runuser", "-u", "postgres", "--"] : []
    let run = try Subprocess(switching + words).run()
    if run.status != 0 { throw StandbyError(output: run.output) }
  }
}

/// What a program of the server said that failed.
public struct StandbyError: Error {
  /// What it said.
  public let output: String
}
