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
    case .failed(let error, let target):
      let (sentence, hint) = subject.explain(error)
      let advice = ConnectionAdvice(sentence, options: subject.isEmbedded ? nil : target?.options)
      return [.error(sentence, fix: hint ?? advice.command)]
    }
  }
}

/// How to go on where libpq cannot connect, by its words.
struct ConnectionAdvice {
  private let words: String
  private let options: [String: String]?

  /// - Parameters:
  ///   - words: what libpq says.
  ///   - options: what it was given, by its keywords; nil for the embedded database.
  init(_ words: String, options: [String: String]?) { (self.words, self.options) = (words, options) }

  /// A line for a shell.
  var command: String {
    guard let options else { return "rivulet db up" }
    let place = [("-h", options["host"] ?? options["hostaddr"]), ("-p", options["port"])].compactMap {
      option, value in value.map { " \(option) \($0.shellWord)" }
    }.joined()
    if let missing = words.firstMatch(of: /(database|role) "([^"]+)" does not exist/) {
      let program = missing.1 == "role" ? "createuser" : "createdb"
      return program + place + " " + String(missing.2).shellWord
    }
    if words.contains("password") {
      return "chmod 600 ~/.pgpass  # a line of it: host:port:database:role:password"
    }
    if words.contains("no pg_hba.conf entry") {
      return "psql\(place) -d postgres -c 'TABLE pg_hba_file_rules'  # as an administrator"
    }
    if words.contains("could not translate host name") {
      return "getent hosts \((options["host"] ?? "").shellWord)"
    }
    return "pg_isready\(place)  # 'systemctl start postgresql' starts a server on this machine"
  }
}
