import PostgreSQL

extension MigrationEngine {
  /// Writes into the history that a migration is applied, or is not any more, and why; runs nothing. A repeatable
  /// one is named `R_name`.
  ///
  /// - Throws: `MigrationError.unknownVersion` and `.notApplied`, `.alreadyMarked` where it is so already,
  ///   `.otherHalf` where its other half does not go with that, `.underWay` where it is applied in part, `.busy`, `.behindPooler`, and `PostgreSQLError`.
  public func mark(_ version: String, _ mark: MigrationMark, reason: String) throws -> String {
    try locked {
      let status = try status()
      let isRepeatable = version.hasPrefix("R_")
      let name = isRepeatable ? String(version.dropFirst(2)) : version
      let row = status.applied.first {
        isRepeatable
          ? $0.kind == .repeatable && $0.name == name
          : $0.kind == .versioned && folder.order.isSame($0.version, version)
      }
      let file = isRepeatable ? folder.repeatables.first { $0.name == name } : folder.migration(version)
      if let row, row.state == .partial {
        throw MigrationError.underWay(row.label, row.isOnItsWayBack ? .down : .up)
      }
      switch mark {
      case .applied:
        guard let file else {
          let names =
            isRepeatable ? folder.repeatables.map { "R_\($0.name)" } : folder.migrations.map(\.version)
          throw MigrationError.unknownVersion(version, known: names)
        }
        // A repeatable one that was edited counts as applied as its file is now.
        if let row, !(isRepeatable && row.state == .changed) {
          throw MigrationError.alreadyMarked(file.label, mark)
        }
        if file.isContract,
          !status.done.contains(where: { folder.order.isSame($0.version, file.fileVersion) })
        {
          throw MigrationError.otherHalf(file.label, mark)
        }
        return try write(
          history.addition(of: file, using: folder.datasets, isBaseline: true), file.version, file.label,
          mark, reason)
      case .pending:
        guard let row else {
          if let file { throw MigrationError.alreadyMarked(file.label, mark) }
          throw MigrationError.notApplied(version, known: status.done.map(\.version))
        }
        if status.done.contains(where: { $0.version == row.version + Migration.contractEnding }) {
          throw MigrationError.otherHalf(row.label, mark)
        }
        return try write(
          history.removal(of: row.kind, version: row.version), row.version, row.label, mark, reason)
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
