import SQLText

/// What Citus 13 refuses of roles and what they may see.
extension LintRule {
  /// Finds row policies that Citus refuses.
  static let citusPolicy = LintRule(
    name: "citus-policy", reason: "Citus takes no subquery in a policy of row level security.",
    fix: "compare columns with current_user or current_setting()"
  ) { subject in
    let statement = subject.statement
    guard statement.begins(with: "CREATE", "POLICY") || statement.begins(with: "ALTER", "POLICY"),
      let table = statement.targets.first?.name, subject.mayLieInCitus(table),
      // FOR SELECT names the command that the policy is for.
      let place = statement.words.indices.first(where: {
        statement.words[$0] == "SELECT" && statement.words[$0 - 1] != "FOR"
      })
    else { return [] }
    return [LintRemark(place, "the policy holds a subquery")]
  }

  /// Finds statements that are run as a role that cannot log in.
  static let citusSetRole = LintRule(
    name: "citus-set-role",
    reason:
      "Citus connects to the workers as the current role: as one that cannot log in (NOLOGIN, which CREATE ROLE means where "
      + "it says nothing) every query of a distributed table, every change of its tables and each new function, type and "
      + "schema fails. So does a function of such a role with SECURITY DEFINER.",
    fix: "LOGIN for the role on every node; pg_hba.conf may still keep it out elsewhere"
  ) { subject in
    guard let role = subject.roleTaken, subject.model.logins.lacks(role) else { return [] }
    let rest = subject.section.statements[(subject.index + 1)...].prefix { !$0.endsRole }
    guard let first = rest.first(where: subject.reachesWorkers) else { return [] }
    return [
      LintRemark(0, "\(role) cannot log in, and line \(first.place.line) has to reach the workers as it")
    ]
  }

  /// Finds rights on distributed tables for roles that cannot log in.
  static let citusGrant = LintRule(
    name: "citus-grant", severity: .notice,
    reason:
      "As a role that cannot log in, taken by SET ROLE, no distributed table is reached, whatever was granted to it; accounts "
      + "that are members of it get through. CREATE ROLE means NOLOGIN where it says nothing.",
    fix: "LOGIN for the role on every node, or leave SET ROLE to it out"
  ) { subject in
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("GRANT") else { return [] }
    while let word = cursor.word, word != "ON" { cursor.skipItem() }
    guard cursor.take("ON"), let end = subject.statement.words.lastIndex(of: "TO"), end > cursor.place,
      let table = subject.distributedTable(SQLCursor(subject.statement, cursor.place..<end))
    else { return [] }
    let roles = SQLCursor(subject.statement, end + 1..<subject.statement.words.count)
    return roles.pieces().compactMap { piece in
      guard let role = subject.statement.name(at: piece.lowerBound), subject.model.logins.lacks(role) else {
        return nil
      }
      return LintRemark(piece.lowerBound, "\(role) cannot log in, and gets rights on \(table)")
    }
  }
}

extension LintSubject {
  /// The role that SET ROLE or SET SESSION AUTHORIZATION takes.
  fileprivate var roleTaken: String? {
    var cursor = SQLCursor(statement)
    guard cursor.take("SET") else { return nil }
    if !cursor.take("SESSION", "AUTHORIZATION") {
      cursor.skip(["LOCAL", "SESSION"])
      guard cursor.take("ROLE") else { return nil }
    }
    cursor.skip(["TO", "="])
    return statement.string(cursor.place) ?? cursor.name()
  }

  /// The first distributed table that GRANT names; where nothing says which are, the first one.
  fileprivate func distributedTable(_ names: SQLCursor) -> SQLName? {
    var cursor = names
    let isOne = { (name: SQLName) in
      folder.placement.isKnown ? distributionKey(of: name) != nil : model.table(name) != nil
    }
    if cursor.take("ALL", "TABLES", "IN", "SCHEMA") {
      let schemas = Set(cursor.qualifiedNames().map(\.name))
      return model.tables.keys.sorted().lazy.compactMap(SQLName.init(quoted:)).first {
        schemas.contains($0.schema ?? "") && isOne($0)
      }
    }
    cursor.take("TABLE")
    return cursor.qualifiedNames().first(where: isOne)
  }

  /// Whether a statement of the section has to connect to the workers.
  fileprivate func reachesWorkers(_ statement: SQLStatement) -> Bool {
    let kinds: Set<String> = ["FUNCTION", "PROCEDURE", "TYPE", "DOMAIN", "SCHEMA"]
    if statement.keyword == "CREATE", let kind = statement.objectKind, kinds.contains(kind) { return true }
    var placed = CitusPlacement()
    placed.read(statement)
    if placed.isKnown { return true }
    let isKnown = folder.placement.isKnown
    let changed: [SQLName] =
      switch SchemaStatement(statement) {
      case .alterTable(let alter): [alter.name]
      case .createIndex(let index): [index.table]
      case .drop(let drop): drop.kind == "TABLE" ? drop.names : []
      case .change(let change): [change.table]
      default: []
      }
    let read = SQLPart(statement: statement, range: statement.words.indices, place: 0).tables()
    return changed.contains { isKnown ? mayLieInCitus($0) : model.table($0) != nil }
      || read.contains { isKnown ? distributionKey(of: $0) != nil : model.table($0) != nil }
  }
}

extension SQLStatement {
  /// Whether another role counts from here on.
  fileprivate var endsRole: Bool {
    begins(with: "RESET", "ROLE") || begins(with: "RESET", "SESSION") || begins(with: "SET", "ROLE")
      || begins(with: "SET", "LOCAL", "ROLE") || begins(with: "SET", "SESSION")
  }
}
