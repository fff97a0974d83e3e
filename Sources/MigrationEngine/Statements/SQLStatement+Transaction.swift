import SQLText

extension SQLStatement {
  /// Whether it begins, ends or prepares a transaction, which is the engine's own business.
  ///
  /// `PREPARE name AS` makes a statement ready, and is none.
  var controlsTransaction: Bool {
    switch words.first {
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "ABORT": true
    case "START", "PREPARE": words.dropFirst().first == "TRANSACTION"
    default: false
    }
  }

  /// Whether PostgreSQL refuses it inside a transaction.
  ///
  /// Source: the calls of `PreventInTransactionBlock` in PostgreSQL 15 to 18, and the pages of those commands.
  var isRefusedInTransaction: Bool {
    switch words.first {
    case "VACUUM": true
    case "ALTER": alterIsRefused
    case "CREATE": createIsRefused
    case "DROP":
      begins(with: "DROP", "DATABASE") || begins(with: "DROP", "TABLESPACE")
        || begins(with: "DROP", "INDEX", "CONCURRENTLY") || isSubscription
    case "REINDEX": reindexIsRefused
    case "CLUSTER": words.dropFirst().allSatisfy { $0 == "VERBOSE" || $0 == "(" || $0 == ")" }
    default: false
    }
  }

  private var isSubscription: Bool { words.dropFirst().first == "SUBSCRIPTION" }

  private var createIsRefused: Bool {
    begins(with: "CREATE", "DATABASE") || begins(with: "CREATE", "TABLESPACE") || isSubscription
      || begins(with: "CREATE", "INDEX", "CONCURRENTLY")
      || begins(with: "CREATE", "UNIQUE", "INDEX", "CONCURRENTLY")
  }

  private var alterIsRefused: Bool {
    if begins(with: "ALTER", "SYSTEM") || isSubscription { return true }
    if begins(with: "ALTER", "DATABASE") { return words.suffix(3).starts(with: ["SET", "TABLESPACE"]) }
    guard begins(with: "ALTER", "TABLE"), let detach = words.firstIndex(of: "DETACH") else { return false }
    return words[detach...].contains("CONCURRENTLY") || words[detach...].contains("FINALIZE")
  }

  private var reindexIsRefused: Bool {
    let head = words.prefix { $0 != ";" }
    return head.contains("CONCURRENTLY") || head.contains("DATABASE") || head.contains("SYSTEM")
      || head.contains("SCHEMA")
  }
}
