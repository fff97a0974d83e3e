import PostgreSQL

extension SetupCheck {
  /// Whether the database answers.
  static let connection = SetupCheck(
    "connection", .server, because: "all that is loaded is in the database"
  ) { subject in
    switch subject.database {
    case .reached(let connection, let name):
      let major = connection.serverVersion / 10_000
      return [.ok("\(name) answers: PostgreSQL \(major).\(connection.serverVersion % 10_000)")]
    case .stopped(let status):
      return [
        .warning(
          status.state == .absent
            ? "the embedded PostgreSQL is not made yet; the next command that needs it makes it"
            : "the embedded PostgreSQL does not run; the next command that needs it starts it",
          fix: "rivulet db up")
      ]
    case .unnamed(let error):
      return [.error(subject.explain(error).sentence, fix: "rivulet doctor --database embedded")]
    case .failed(let error, let name):
      let (sentence, hint) = subject.explain(error)
      return [
        .error(
          sentence, fix: hint ?? ConnectionAdvice(sentence, isEmbedded: subject.isEmbedded).command(name))
      ]
    }
  }
}

/// How to go on where libpq cannot connect, by its words.
struct ConnectionAdvice {
  private let words: String
  private let isEmbedded: Bool

  init(_ words: String, isEmbedded: Bool) { (self.words, self.isEmbedded) = (words, isEmbedded) }

  /// A line for a shell.
  func command(_ target: String) -> String {
    if isEmbedded { return "rivulet db up" }
    let known: [(sign: String, command: String)] = [
      ("password authentication failed", "export PGPASSFILE=~/.pgpass  # host:port:database:role:password"),
      ("no password supplied", "export PGPASSFILE=~/.pgpass  # host:port:database:role:password"),
      ("could not translate host name", "getent hosts HOST  # with the host of the URL"),
      ("\" does not exist", "psql -d postgres -l  # lists the databases; createdb makes one"),
      ("no pg_hba.conf entry", "psql -d postgres -c 'TABLE pg_hba_file_rules'  # as an administrator"),
      (
        "too many",
        "psql -d postgres -c 'SELECT usename, state, count(*) FROM pg_stat_activity GROUP BY 1, 2'"
      ),
    ]
    return known.first { words.contains($0.sign) }?.command
      ?? "pg_isready  # with the host and the port of the URL; 'systemctl start postgresql' starts a server"
  }
}
