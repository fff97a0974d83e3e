import SQLText

/// What rules for Citus ask of a statement.
extension LintSubject {
  /// Whether a table may lie in Citus, as far as the folder says where tables lie.
  func mayLieInCitus(_ name: SQLName) -> Bool { folder.placement.mayHold(model.key(name)) }

  /// Whether a table may lie in Citus when the statement runs, and not only later.
  func mayLieInCitusYet(_ name: SQLName) -> Bool {
    let key = model.key(name)
    guard mayLieInCitus(name) else { return false }
    return folder.placedInTurn.contains(key) ? model.placed.holds(key) : model.isExisting(name)
  }

  func place(of name: SQLName) -> CitusPlacement.Place { folder.placement.place(of: model.key(name)) }

  /// The column by which a table is distributed; nil where nothing says that it is.
  func distributionKey(of name: SQLName) -> String? {
    folder.placement.distributed[model.key(name)].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The table that the statement makes or alters, where it may lie in Citus.
  var citusTable: SQLName? {
    var name = meaning.table
    if case .createTable(let table) = meaning { name = table.isTemporary ? nil : table.parent ?? name }
    return name.flatMap { mayLieInCitus($0) ? $0 : nil }
  }

  /// ALTER TABLE of a table that may lie in Citus by then.
  var citusAlter: AlterTable? {
    guard case .alterTable(let alter) = meaning, mayLieInCitusYet(alter.name) else { return nil }
    return alter
  }

  /// What the server runs: the statement, or what the body of a routine in SQL or PL/pgSQL consists of.
  var parts: [SQLPart] {
    if let routine = SQLRoutine(statement) {
      return ["sql", "plpgsql"].contains(routine.language) ? routine.parts : []
    }
    return [SQLPart(statement: statement, range: statement.words.indices, place: 0)]
  }

  /// The token to name for one of a part.
  func place(_ place: Int, of part: SQLPart) -> Int {
    part.range.lowerBound == part.place ? place : part.place
  }
}
