import SQLText

/// What a migration takes away on its way up, and its way back makes again without the rows.
///
/// A shadow has no rows, so that the text has to say whether the way back fills again what it makes: it does
/// where it writes into the table by INSERT, UPDATE, COPY, MERGE or CREATE TABLE ... AS, in a DO block too.
struct LostRows {
  private let up: Migration.Section
  private let statements: [SQLStatement]

  init(_ migration: Migration) throws(MigrationError) {
    up = migration.up
    let own = try migration.down.section?.script().statements ?? []
    statements =
      own
      + own.filter { $0.keyword == "DO" }.flatMap { block in
        block.words.indices.compactMap(block.dollarBody).flatMap { (try? SQLScript($0))?.statements ?? [] }
      }
  }

  /// A sentence on each loss that the way back does not make good; none on what the section `up` allows.
  func warnings(_ losses: [DataLoss]) -> [String] {
    losses.filter { !isFilledAgain($0.table) && !isAllowed($0.kind) }.map { loss in
      switch loss.kind {
      case .table: "down makes table \(loss.table) again without the rows that up drops with it"
      case .column(let name):
        "down makes column \(loss.table).\(name) again without the values that up drops with it"
      case .truncation, .deletion: "down does not bring back the rows of \(loss.table) that up removes"
      case .narrowing(let column, let old, let new):
        "down does not bring back what \(loss.table).\(column) loses when up makes \(old) \(new)"
      }
    }
  }

  private func isAllowed(_ kind: DataLoss.Kind) -> Bool {
    var rule = LintRule.destructiveChange
    if case .narrowing = kind { rule = .narrowingTypeChange }
    return LintAllowances.allows(rule.name, in: up)
  }

  private func isFilledAgain(_ table: String) -> Bool {
    guard let name = SQLName(quoted: table) else { return false }
    return statements.contains { statement in
      if case .createTable(let made) = SchemaStatement(statement), made.name.mayBe(name) {
        // CREATE TABLE ... AS: behind the column of an identity or a value that is computed comes no query.
        let words = statement.words
        return words.indices.dropLast().contains { place in
          words[place] == "AS"
            && ["SELECT", "TABLE", "VALUES", "WITH", "EXECUTE"].contains(words[place + 1])
        }
      }
      return statement.words.indices.contains { place in
        guard ["INTO", "UPDATE", "COPY"].contains(statement.words[place]) else { return false }
        var cursor = SQLCursor(statement, place + 1..<statement.words.count)
        cursor.skip(["ONLY", "TABLE"])
        return cursor.qualifiedName()?.mayBe(name) == true
      }
    }
  }
}
