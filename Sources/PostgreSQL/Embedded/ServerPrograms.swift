import Host

/// The programs of one installed PostgreSQL server.
struct ServerPrograms: Sendable {
  /// The oldest major version that will do: views with the rights of their reader came with it.
  static let oldest = 15

  /// The folder that holds them.
  let folder: String
  /// `15.18`.
  let version: String
  /// 15.
  let major: Int

  var initdb: String { Path.join(folder, "initdb") }
  var control: String { Path.join(folder, "pg_ctl") }
  var server: String { Path.join(folder, "postgres") }
  /// The client program, where it is installed too.
  var psql: String? { Files.isExecutable(Path.join(folder, "psql")) ? Path.join(folder, "psql") : nil }

  /// The servers in the named folder, else all that are installed in the usual places; newest first.
  static func installed(_ named: String?) throws(EmbeddedClusterError) -> [ServerPrograms] {
    guard let named else { return try usable(ServerPlaces.folders) }
    guard let folder = ServerPlaces.serverFolder(named) else { throw .noServerIn(folder: named) }
    return try usable([folder])
  }

  /// The servers of these folders that are not too old; newest first, never none.
  static func usable(_ folders: [String]) throws(EmbeddedClusterError) -> [ServerPrograms] {
    var found = folders.compactMap { ServerPrograms(folder: $0) }
    found.sort { $1.version.compareNumbers($0.version) }
    let usable = found.filter { $0.major >= oldest }
    guard usable.isEmpty else { return usable }
    throw .noServer(tooOld: found.map { "\($0.version) in \($0.folder)" })
  }

  private init?(folder: String) {
    self.folder = folder
    // `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`
    guard let answer = try? Subprocess([Path.join(folder, "postgres"), "--version"]).run(),
      answer.status == 0,
      let version = answer.output.split(whereSeparator: \.isWhitespace).first(where: {
        $0.first?.isNumber ?? false
      }),
      let major = Int(version.prefix { $0.isNumber })
    else { return nil }
    self.version = String(version)
    self.major = major
  }
}

/// Where PostgreSQL servers are installed.
enum ServerPlaces {
  /// The folders with a server, each once: what `pg_config` and `PATH` say, and where packages put it.
  static var folders: [String] {
    var found: [String] = []
    for folder in candidates {
      if let server = serverFolder(folder), !found.contains(server) { found.append(server) }
    }
    return found
  }

  /// The folder that really holds a server's programs, be there links to them in this one.
  static func serverFolder(_ folder: String) -> String? {
    guard let server = Path.resolved(Path.join(folder, "postgres")) else { return nil }
    let real = Path.parent(server)
    let isComplete = ["initdb", "pg_ctl", "postgres"].allSatisfy { Files.isExecutable(Path.join(real, $0)) }
    return isComplete ? real : nil
  }

  private static var candidates: [String] {
    var folders: [String] = []
    if let answer = try? Subprocess(["pg_config", "--bindir"]).run(), answer.status == 0 {
      folders.append(answer.output.trimmedLine)
    }
    folders += versions(in: "/usr/lib/postgresql", prefix: "")
    folders += Programs.searchPath
    folders += versions(in: "/usr", prefix: "pgsql-")
    folders += ["/usr/local/pgsql/bin"]
    folders += versions(in: "/opt/homebrew/opt", prefix: "postgresql")
    folders += versions(in: "/usr/local/opt", prefix: "postgresql")
    return folders
  }

  private static func versions(in folder: String, prefix: String) -> [String] {
    let names = (try? Files.list(folder)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.map { "\(folder)/\($0)/bin" }
  }
}

extension String {
  /// `9.6` is before `15.2`: the numbers in the text decide, left to right.
  fileprivate func compareNumbers(_ other: String) -> Bool {
    numbers.lexicographicallyPrecedes(other.numbers)
  }

  private var numbers: [Int] { split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) } }
}
