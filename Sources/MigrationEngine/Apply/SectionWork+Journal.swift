import SQLText

/// What a section must be that runs statement by statement.
extension SectionWork {
  /// What is done must be what the file says was done; the rest may have been fixed.
  func requireSame(_ entries: [JournalEntry]) throws(MigrationError) {
    let statements = script.statements
    for entry in entries where entry.isDone || entry.batch != nil {
      let statement = entry.statement <= statements.count ? statements[entry.statement - 1] : nil
      if statement.map(checksum) == entry.checksum { continue }
      if let statement, !entry.isDone {
        throw section.unfit(
          statement.place,
          "this is done for a part of the rows, and was edited since, or its table or key was",
          "put it back as it was; the size of its batches and what follows that may change")
      } else {
        throw .changedWhileUnderWay(
          version: version, name: name, file: section.file, statement: entry.statement)
      }
    }
  }

  /// Nothing that is done went with the session that did it.
  func requireKept(_ done: Set<Int>) throws(MigrationError) {
    for (index, statement) in script.statements.enumerated() where done.contains(index + 1) {
      let words = statement.words.prefix(4)
      let isTemporary = words.contains("TEMP") || words.contains("TEMPORARY")
      guard
        ["PREPARE", "DECLARE", "LISTEN"].contains(statement.keyword)
          || statement.keyword == "CREATE" && isTemporary
      else { continue }
      throw section.unfit(
        statement.place,
        "this was done, and what it made went with its session, so that the rest cannot follow",
        "do the rest by hand, and have the migration count as applied with 'migrate repair \(version) --accept'"
      )
    }
  }

  /// Throws for what means nothing where each statement is a transaction of its own.
  func requireMeaning() throws(MigrationError) {
    let idle: Set<String> = ["LOCAL", "TRANSACTION", "CONSTRAINTS"]
    for statement in pieces.singles.map({ script.statements[$0] }) {
      let isIdle =
        ["SAVEPOINT", "RELEASE", "LOCK"].contains(statement.keyword)
        || statement.keyword == "SET" && idle.contains(statement.words.dropFirst().first ?? "")
      guard isIdle else { continue }
      throw section.unfit(
        statement.place,
        "this means nothing outside a transaction, where each statement of the section runs",
        "take it out, or put what needs it into a migration of its own; SET without LOCAL lasts for the section"
      )
    }
  }
}
