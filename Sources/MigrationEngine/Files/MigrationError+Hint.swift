import PostgreSQL

extension MigrationError {
  /// How to go on; nil where nothing is known that would help.
  public var hint: String? {
    switch self {
    case .misnamed: "name it like 0007_add_fee_table.sql"
    case .sameVersion: "'rivulet migrate renumber' gives the one that is not applied a number of its own"
    case .malformed(_, _, _, _, let hint): hint
    case .several(let errors): errors.first?.hint
    case .unknownFormat(_, let names):
      (MigrationFormat.nearest(to: names).map { $0 + "; " } ?? "") + "such a folder has in it: "
        + MigrationFormat.allCases.map { "\($0.rawValue): \($0.example)" }.joined(separator: "; ")
    case .noPlaceholders: "leave it out"
    case .busy: "wait for it, or use --lock-wait SECONDS"
    case .changed: "put the files back as they were and write the change as a new migration"
    case .missing:
      "put the files back: 'rivulet migrate repair VERSION --restore' writes one from the history"
    case .late:
      "'rivulet migrate renumber' gives them versions after the last applied one; or use --allow-late if they do "
        + "not depend on the order"
    case .awaitsContract:
      "run it when no program uses any more what it takes away, then 'migrate up' again; in a database that no "
        + "program uses yet, 'migrate up --contract' runs both halves"
    case .unknownVersion(_, let known):
      known.isEmpty
        ? "'rivulet migrate new' makes the first" : "the versions are \(known.joined(separator: ", "))"
    case .failed(_, _, _, _, let error): Self.hint(of: error)
    case .leftTransaction: "take the statement out, and look what of it was kept"
    case .changedWhileUnderWay: "put that statement back as it was; those after it may change"
    case .cannotBeOneTransaction: "leave out --single-transaction, or go up to the one before with --to"
    case .lockReleased: "take pg_advisory_unlock_all() out of what it runs"
    case .underWay(_, .up):
      "end it with 'migrate up'; or, to go back, have it count as applied with "
        + "'migrate repair VERSION --accept' first"
    case .underWay(_, .down): "end that with 'migrate down' before anything goes up again"
    case .behindPooler: "connect to the server itself, or to a pool in session mode"
    case .notApplied(_, let known):
      known.isEmpty
        ? "'rivulet migrate status' lists what is pending"
        : "the applied versions are \(known.joined(separator: ", "))"
    case .notOwnFormat: "make new ones with that tool"
    case .requirementUnmet(let version, _, _, _):
      "make it true, and run 'rivulet migrate "
        + (version.hasSuffix(Migration.contractEnding) ? "contract' again" : "up' again")
    case .unusableName: "write a few words of letters and digits, such as add_fee_table"
    case .unusableColumn(_, let reason): reason == nil ? "write it as schema.table.column" : nil
    case .cannotRestore: "put the file back from where the project is kept"
    case .noSchemas:
      "make it with CREATE SCHEMA first; a migration that makes it belongs to a folder without --schema"
    case .otherHalf: "mark the other half first"
    case .alreadyMarked: "'rivulet migrate status' shows what is applied"
    case .irreversible: "write a new migration that undoes it"
    }
  }

  /// How to go on from what the server refused in a migration.
  private static func hint(of error: ServerError) -> String? {
    if error.sqlState == "25001" || error.sqlState == "2D000" {
      return "say that no transaction is to be around it: transaction=off behind '-- rivulet:up', "
        + "executeInTransaction=false in Flyway's .conf, transaction:false for dbmate, '-- +goose NO TRANSACTION', "
        + "'-- no-transaction' as the first line for sqlx and golang-migrate, runInTransaction:false for Liquibase"
    }
    if error.sqlState == "42P01", MigrationTool.allCases.contains(where: { error.message.contains($0.table) })
    {
      return
        "it is the history of the tool that the folder is of, which rivulet does not make: take the statement "
        + "out, or make the table, empty"
    }
    if let remedy = error.remedy {
      return remedy.sentence + " 'rivulet migrate grants --for \(remedy.role)' prints all that is missing."
    }
    guard error.isLockConflict else { return nil }
    let holder = error.lockHolder ?? "see who in pg_stat_activity"
    return "another session holds a lock that it needs: \(holder); or wait longer with --lock-wait"
  }
}
