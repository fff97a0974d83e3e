import SQLText

/// What Citus 13 refuses of functions, and of statements together.
extension LintRule {
  /// Finds functions in SQL whose queries Citus cannot plan.
  static let citusSQLFunction = LintRule(
    name: "citus-sql-function",
    reason:
      "In functions with LANGUAGE sql Citus plans no query of a distributed table that names a parameter, unless it is INSERT "
      + "... VALUES, an UPDATE or DELETE without WITH, or a SELECT of this one table for one value of its distribution column. "
      + "One that the server puts into the query around it (STABLE or IMMUTABLE, and SETOF or TABLE) is refused in FROM in "
      + "any case, also over a reference table. Asked only where tables are said to be distributed.",
    fix: "LANGUAGE plpgsql, with RETURN QUERY where it returns rows"
  ) { subject in
    guard let routine = SQLRoutine(subject.statement), routine.language == "sql", let name = routine.name
    else {
      return []
    }
    return routine.parts.compactMap { part in
      let placement = subject.folder.placement
      let tables = part.tables()
      if routine.isInlined, let table = tables.first(where: { placement.holds(subject.model.key($0)) }) {
        return LintRemark(part.place, "\(name) is refused in FROM: it becomes a subquery, over \(table)")
      }
      guard routine.usesParameter(part), let table = subject.unplanned(part, tables) else { return nil }
      return LintRemark(part.place, "\(name) asks \(table) with a parameter")
    }
  }

  /// Finds strings of several statements that Citus sends to the workers whole.
  static let citusSeveralStatements = LintRule(
    name: "citus-several-statements",
    reason:
      "Citus sends the text in which it finds CREATE INDEX, DROP INDEX, ALTER INDEX, REINDEX, CLUSTER, DROP POLICY, RENAME and "
      + "most forms of ALTER TABLE to the workers whole, and they take one statement at a time (42601). Statements of a "
      + "migration and of a body in PL/pgSQL are sent one by one; what one EXECUTE or a body with LANGUAGE sql holds is not.",
    fix: "an EXECUTE for each statement; LANGUAGE plpgsql in place of sql"
  ) { subject in
    guard let routine = SQLRoutine(subject.statement) else { return [] }
    let texts: [(statements: [SQLStatement], place: Int)] =
      routine.language == "sql"
      ? [
        (
          routine.parts.filter { $0.range.lowerBound != $0.place }.map(\.statement),
          routine.parts.first?.place ?? 0
        )
      ]
      : routine.parts.flatMap { part in part.executed.map { ($0, part.place) } }
    return texts.compactMap { statements, place in
      guard statements.count > 1, let table = statements.lazy.compactMap(subject.sentWhole).first else {
        return nil
      }
      return LintRemark(place, "\(statements.count) statements in one text change \(table)")
    }
  }

  /// Finds commands that need one connection to each worker, after others that have opened several.
  static let citusSequential = LintRule(
    name: "citus-sequential",
    reason:
      "Once a transaction has read or changed several shards of a distributed table at once, Citus refuses in it CREATE, ALTER "
      + "and DROP of functions, types, domains, schemas, collations and extensions, CREATE ROLE, and foreign keys to reference "
      + "tables.",
    fix:
      "put it into a migration of its own, or begin with SET LOCAL citus.multi_shard_modify_mode = 'sequential', which plain "
      + "PostgreSQL takes too"
  ) { subject in
    guard subject.section.isTransactional, let line = subject.said.parallelLine, !subject.said.isSequential,
      let what = subject.needingOneConnection
    else { return [] }
    return [LintRemark(0, "\(what) is refused after line \(line), which uses several shards at once")]
  }
}

extension LintSubject {
  /// The table of a query in SQL that Citus cannot plan, since it names a parameter.
  fileprivate func unplanned(_ part: SQLPart, _ tables: [SQLName]) -> SQLName? {
    guard let first = part.words.first, let table = tables.first(where: { distributionKey(of: $0) != nil })
    else {
      let isCopied = part.words.first == "INSERT" && part.words.contains("SELECT")
      return isCopied ? tables.first { folder.placement.holds(model.key($0)) } : nil
    }
    switch first {
    case "UPDATE", "DELETE": return nil
    case "INSERT": return part.words.contains("SELECT") ? table : nil
    default:
      let isOne = tables.count == 1 && part.words.count { $0 == "SELECT" || $0 == "WITH" } == 1
      return isOne && first == "SELECT" && part.asks(for: distributionKey(of: table) ?? "") ? nil : table
    }
  }

  /// The table of a statement whose text Citus sends on as it is.
  fileprivate func sentWhole(_ statement: SQLStatement) -> SQLName? {
    let name: SQLName?
    var cursor = SQLCursor(statement)
    switch SchemaStatement(statement) {
    case .createIndex(let index): name = index.table
    case .alterTable(let alter): name = alter.actions.allSatisfy(\.isRewritten) ? nil : alter.name
    case .drop(let drop) where drop.kind == "INDEX":
      name = drop.names.lazy.compactMap { model.indexes[model.key($0)]?.table }.first
    default:
      if statement.keyword == "DROP", statement.objectKind == "POLICY" {
        name = statement.targets.first?.name
      } else if cursor.take("ALTER", "INDEX") || cursor.take("REINDEX", "INDEX") {
        cursor.take("IF", "EXISTS")
        name = cursor.qualifiedName().flatMap { model.indexes[model.key($0)]?.table }
      } else if cursor.take("REINDEX", "TABLE") || cursor.take("CLUSTER") {
        name = cursor.qualifiedName()
      } else {
        name = nil
      }
    }
    return name.flatMap { mayLieInCitus($0) ? $0 : nil }
  }

  /// What the statement does that Citus does over one connection to each worker.
  fileprivate var needingOneConnection: String? {
    let kinds: Set<String> = [
      "FUNCTION", "PROCEDURE", "ROUTINE", "AGGREGATE", "TYPE", "DOMAIN", "SCHEMA", "COLLATION", "EXTENSION",
    ]
    if let kind = statement.objectKind {
      let isRole = statement.keyword == "CREATE" && ["ROLE", "USER"].contains(kind)
      if kinds.contains(kind) || isRole { return "\(statement.keyword) \(kind)" }
    }
    guard let table = meaning.table, distributionKey(of: table) != nil else { return nil }
    let isReferring = meaning.constraints.contains { _, constraint in
      constraint.target.map { place(of: $0) == .reference } ?? false
    }
    return isReferring && citusAlter != nil ? "a foreign key to a reference table" : nil
  }

  /// Whether the statement reads or changes several shards of a distributed table at once.
  var usesSeveralShards: Bool {
    guard folder.placement.isKnown else { return false }
    let isShared = { (name: SQLName) in distributionKey(of: name) != nil && mayLieInCitusYet(name) }
    switch meaning {
    case .alterTable(let alter): return isShared(alter.name)
    case .createIndex(let index): return isShared(index.table)
    default: break
    }
    switch statement.keyword {
    case "SELECT", "WITH", "UPDATE", "DELETE", "INSERT", "COPY", "TRUNCATE", "DO":
      var placed = CitusPlacement()
      placed.read(statement)
      if !placed.distributed.isEmpty { return true }
      if case .change(let change) = meaning, change.verb == "TRUNCATE" { return isShared(change.table) }
      return statement.keyword != "DO"
        && parts.contains { part in
          let isValues = statement.keyword == "INSERT" && !part.words.contains("SELECT")
          return !isValues
            && part.tables().contains { isShared($0) && !part.asks(for: distributionKey(of: $0) ?? "") }
        }
    default: return false
    }
  }
}

extension AlterTable.Action {
  /// Whether Citus writes the command again for the workers, and so leaves out what else its text holds.
  fileprivate var isRewritten: Bool {
    switch kind {
    case .addColumn, .dropConstraint: true
    default: false
    }
  }
}

extension SQLPart {
  /// The statements of each string that it executes, alone or by way of format().
  fileprivate var executed: [[SQLStatement]] {
    range.compactMap { place in
      var cursor = SQLCursor(statement, place..<range.upperBound)
      guard cursor.take("EXECUTE") else { return nil }
      cursor.skip(["FORMAT", "("])
      return statement.string(cursor.place).flatMap { try? SQLScript($0).statements }
    }
  }
}
