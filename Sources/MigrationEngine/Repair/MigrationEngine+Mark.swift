import PostgreSQL

extension MigrationEngine {
  /// Writes into the history that a migration is applied, or is not any more, and why; runs nothing.
  ///
  /// - Throws: `MigrationError.unknownVersion` and `.notApplied`, `.alreadyMarked` where it is so already,
  ///   `.underWay` where it is applied in part, `.busy`, `.behindPooler`, and `PostgreSQLError`.
  public func mark(_ version: String, _ mark: MigrationMark, reason: String) throws -> String {
    try locked {
      let status = try status()
      let row = status.applied.first { $0.kind == .versioned && folder.order.isSame($0.version, version) }
      if let row, row.state == .partial {
        throw MigrationError.underWay(row.label, row.isOnItsWayBack ? .down : .up)
      }
      switch mark {
      case .applied:
        guard let file = folder.migration(version) else {
          throw MigrationError.unknownVersion(version, known: folder.migrations.map(\.version))
        }
        if row != nil { throw MigrationError.alreadyMarked(file.label, mark) }
        return try write(
          history.addition(of: file, using: folder.datasets, isBaseline: true), file.version, file.label,
          mark,
          reason)
      case .pending:
        guard let row else {
          if let file = folder.migration(version) { throw MigrationError.alreadyMarked(file.label, mark) }
          throw MigrationError.notApplied(version, known: status.done.map(\.version))
        }
        return try write(
          history.removal(of: .versioned, version: row.version), row.version, row.label, mark, reason)
      }
    }
  }

  private func write(
    _ change: String, _ version: String, _ label: String, _ mark: MigrationMark, _ reason: String
  ) throws -> String {
    try connection.transaction {
      _ = try connection.execute(change + history.mark(version, label, mark, reason: reason))
    }
    return "\(label) counts as \(mark.rawValue): \(reason)"
  }
}
