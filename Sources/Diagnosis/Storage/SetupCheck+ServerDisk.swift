import Host
import PostgreSQL
import Reporting

extension SetupCheck {
  /// Whether there is room where the server keeps its data, as far as that can be seen from here.
  static let serverDisk = SetupCheck(
    "server-disk", .storage,
    because: "a release is loaded beside the one that it replaces, and a full disk stops the server"
  ) { subject in
    if case .stopped(let status) = subject.database {
      return [room(for: "the embedded database", in: status.stateFolder)]
    }
    return try subject.reading { connection in
      let row = try connection.query(
        """
        SELECT pg_database_size(current_database()), current_database(),
          inet_server_addr() IS NULL OR inet_server_addr() = inet_client_addr(),
          (SELECT setting FROM pg_settings WHERE name = 'data_directory')
        """)[0]
      let size = "the database takes \(ProgressUnits.bytes(try row.value(0)))"
      guard try row.value(2, Bool.self) else {
        return [.unseen("\(size); the server is on another machine, whose disk it does not tell of")]
      }
      guard let folder = row[3], Files.exists(folder) else {
        return [.unseen("\(size); where the server keeps its data is not for this role to see")]
      }
      var finding = room(for: "the server's data", in: folder)
      finding.found += "; \(size)"
      return [finding]
    }
  }
}
