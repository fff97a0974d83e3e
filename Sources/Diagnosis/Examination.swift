import Host
import PostgreSQL

/// What a check has found, one thing each.
public struct Examined: Sendable {
  /// The check.
  public let check: SetupCheck
  /// What it found.
  public let finding: Finding
}

extension Subject {
  /// Does some checks, one after the other. Whatever goes wrong in one is what it has found.
  ///
  /// - Throws: `Interrupted` where the program is asked to end.
  public func examine(_ checks: [SetupCheck]) throws -> [Examined] {
    try checks.flatMap { check in
      try Interruption.shared.check()
      return try findings(of: check).map { finding in
        var finding = finding
        // A server's words may have several lines.
        finding.found = finding.found.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return Examined(check: check, finding: finding)
      }
    }
  }

  private func findings(of check: SetupCheck) throws -> [Finding] {
    do {
      return try check.look(self)
    } catch let unseen as Unseen {
      return [.unseen(unseen.why)]
    } catch {
      try Interruption.shared.check()
      return [finding(for: error)]
    }
  }

  /// What it means that a check has failed.
  private func finding(for error: any Error) -> Finding {
    guard let failure = error as? PostgreSQLError else {
      return .unseen(explain(error).sentence, state: .warning)
    }
    if failure.isCancellation {
      return .unseen(
        "it takes longer than \(Subject.timeout)", state: .warning, fix: "rivulet doctor transactions")
    }
    if failure.isLockTimeout {
      return .unseen(
        "another session has locked what it reads", state: .warning, fix: "rivulet doctor transactions")
    }
    if failure.sqlState == "42501" {
      let fix = (try? role()).map(ReadingRights.grant)
      return .unseen(explain(error).sentence, state: .warning, fix: fix)
    }
    return .unseen(explain(error).sentence, state: .warning)
  }
}

/// What a role needs to look at the ledger.
enum ReadingRights {
  /// What the checks read of schema `rivulet`: nothing that holds a record.
  private static let tables = [
    "catalog_version", "migration", "migration_statement", "run", "source_file", "release", "release_table",
    "publication", "setting", "current_release", "view", "view_source", "view_mark", "view_refresh",
  ]

  /// The SQL that gives it.
  static func grant(to role: String) -> String {
    let name = Quote.identifier(role)
    return "GRANT USAGE ON SCHEMA rivulet TO \(name); GRANT SELECT ON "
      + tables.map { "rivulet.\($0)" }.joined(separator: ", ") + " TO \(name);"
  }
}
