import SQLText

extension SQLStatement {
  /// Whether it begins, ends or prepares a transaction, which is the engine's own business.
  ///
  /// `PREPARE name AS` makes a statement ready, and `ROLLBACK TO` goes back to a savepoint within it: neither
  /// does.
  var controlsTransaction: Bool {
    switch keyword {
    case "BEGIN", "COMMIT", "END", "ABORT": true
    case "ROLLBACK": !words.contains("TO")
    case "START", "PREPARE": words.dropFirst().first == "TRANSACTION"
    default: false
    }
  }

  /// Whether it sets something for the session.
  var isSetting: Bool {
    keyword == "SELECT" && words.contains("SET_CONFIG") || words.first == "RESET"
      || words.first == "SET" && !["LOCAL", "CONSTRAINTS", "TRANSACTION"].contains(words.dropFirst().first)
  }

  /// Whether PostgreSQL refuses it inside a transaction.
  ///
  /// Source: the calls of `PreventInTransactionBlock` in PostgreSQL 15 to 18, and the pages of those
  /// commands.
  ///
  /// What depends on the catalog is not known here. CLUSTER and REINDEX of a partitioned table are taken for
  /// allowed, so that the server refuses them and the migration has to say `transaction=off`. Changes of a
  /// subscription that may have to reach its publisher are taken for refused. `DISCARD ALL` is left to the
  /// server to refuse: run alone it would release the lock on the migrations.
  var isRefusedInTransaction: Bool {
    switch keyword {
    case "VACUUM": true
    case "ALTER": alterIsRefused
    case "CREATE": createIsRefused
    case "DROP":
      ["DATABASE", "TABLESPACE", "SUBSCRIPTION"].contains(words.dropFirst().first)
        || begins(with: "DROP", "INDEX", "CONCURRENTLY")
    case "REINDEX":
      Reindex(self).map { $0.isConcurrent || ["SCHEMA", "DATABASE", "SYSTEM"].contains($0.kind) } ?? false
    case "CLUSTER": afterOptions.isEmpty || afterOptions == ["VERBOSE"]
    default: false
    }
  }

  private var createIsRefused: Bool {
    if begins(with: "CREATE", "SUBSCRIPTION") {
      return isOn("CONNECT") != false && isOn("CREATE_SLOT") != false
    }
    return begins(with: "CREATE", "DATABASE") || begins(with: "CREATE", "TABLESPACE")
      || begins(with: "CREATE", "INDEX", "CONCURRENTLY")
      || begins(with: "CREATE", "UNIQUE", "INDEX", "CONCURRENTLY")
  }

  private var alterIsRefused: Bool {
    // The name is one token.
    let action = words.dropFirst(3)
    if begins(with: "ALTER", "SYSTEM") { return true }
    if begins(with: "ALTER", "DATABASE") {
      let option = action.first == "SET" || action.first == "WITH" ? action.dropFirst().first : action.first
      return option == "TABLESPACE"
    }
    if begins(with: "ALTER", "SUBSCRIPTION") {
      if action.first == "REFRESH" { return true }
      let changesPublications =
        ["SET", "ADD", "DROP"].contains(action.first) && action.dropFirst().first == "PUBLICATION"
      return changesPublications && isOn("REFRESH") != false
    }
    return begins(with: "ALTER", "TABLE") && words.last == "CONCURRENTLY" && words.contains("DETACH")
  }

  /// What follows the first word and, in parentheses, its options.
  private var afterOptions: ArraySlice<String> {
    let rest = words.dropFirst()
    guard rest.first == "(", let end = rest.firstIndex(of: ")") else { return rest }
    return rest[(end + 1)...]
  }

  /// What an option in parentheses is set to: `(NAME)`, `(NAME false)` or `(NAME = false)`; nil where it is
  /// not there.
  func isOn(_ option: String) -> Bool? {
    guard let open = words.firstIndex(of: "("), let place = words[open...].firstIndex(of: option) else {
      return nil
    }
    let value = words[(place + 1)...].first { $0 != "=" } ?? ""
    return !["FALSE", "OFF", "0", "'false'", "'off'", "'0'"].contains(value)
  }
}
