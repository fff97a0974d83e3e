import Definitions
import Host
import PipelineCore
import PostgreSQL

/// Which database a command works on.
enum DatabaseChoice {
  /// One that was named, and by what.
  case named(ConnectionTarget, origin: String)
  /// The program's own, started on demand.
  case embedded

  /// libpq's variables that name a database; a password or options alone name none.
  private static let naming = ["PGSERVICE", "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE"]

  /// `--database`, else the environment, else at a terminal the embedded one; without a terminal a database
  /// must be named, so that a lost variable never fills the wrong one.
  init(option: String?, usage: (String) -> UsageError) throws {
    if option == "embedded" {
      self = .embedded
    } else if let option {
      self = .named(try DatabaseChoice.target(option, "--database", usage), origin: "--database")
    } else if let name = ["RIVULET_DATABASE_URL", "DATABASE_URL"].first(where: {
      Machine.environment($0) != nil
    }) {
      let value = Machine.environment(name) ?? ""
      self =
        value == "embedded" ? .embedded : .named(try DatabaseChoice.target(value, name, usage), origin: name)
    } else if let name = DatabaseChoice.naming.first(where: { Machine.environment($0) != nil }) {
      self = .named(try ConnectionTarget(""), origin: name)
    } else if Machine.isInteractive {
      self = .embedded
    } else {
      throw usage(
        "no database is named and there is no terminal: use --database URL, --database embedded, "
          + "or set RIVULET_DATABASE_URL")
    }
  }

  private static func target(_ text: String, _ origin: String, _ usage: (String) -> UsageError) throws
    -> ConnectionTarget
  {
    do {
      return try ConnectionTarget(text)
    } catch {
      guard case .connectionFailed(_, let reason) = error else { throw error }
      // Anything else may be a URL with a password, so that it is not repeated.
      guard let near = NearestName.to(text, among: ["embedded"]) else {
        throw usage("\(origin) names no database: \(reason)")
      }
      throw usage("\(origin) names no database: did you mean '\(near)'?")
    }
  }
}
