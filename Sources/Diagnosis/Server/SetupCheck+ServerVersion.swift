import PostgreSQL

extension SetupCheck {
  /// Whether the server is one that the program was tried with.
  static let serverVersion = SetupCheck(
    "server-version", .server, because: "views with the rights of their readers came with PostgreSQL 15"
  ) { subject in [serverVersion(try subject.connection().serverVersion)] }

  /// What a version means, as libpq numbers it: 150018 is 15.18.
  static func serverVersion(_ number: Int) -> Finding {
    let version = "PostgreSQL \(number / 10_000).\(number % 10_000)"
    let major = number / 10_000
    if major < 15 {
      return .error("\(version); 15 or later is needed", fix: "pg_upgradecluster \(major) main")
    }
    if major > 18 {
      return .warning("\(version); the program was tried with 15 to 18", fix: "rivulet --version")
    }
    return .ok(version)
  }
}
