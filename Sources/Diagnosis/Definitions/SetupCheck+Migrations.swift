import MigrationEngine

extension SetupCheck {
  /// Whether the migrations that are applied are those of the project, as `migrate status` shows them.
  static let migrations = SetupCheck(
    "migrations", .definitions, because: "tables and views are what the migrations that are applied have made"
  ) { subject in
    let status: MigrationStatus
    do {
      status = try subject.migrationStatus()
      try subject.migrationFolder().requireRunnable()
    } catch let error as MigrationError {
      let (sentence, hint) = subject.explain(error)
      return [
        .error([sentence, hint].compactMap(\.self).joined(separator: "; "), fix: "rivulet migrate lint")
      ]
    }
    let findings = status.applied.compactMap(finding) + pending(status)
    return findings.isEmpty ? [.ok("\(status.applied.count) applied, none is pending")] : findings
  }

  private static func finding(_ row: AppliedMigration) -> Finding? {
    let repair = "rivulet migrate repair \(row.kind == .versioned ? row.version : "R_\(row.name)")"
    switch row.state {
    case .applied, .late: return nil
    // One that is repeatable is pending.
    case .changed:
      return row.kind == .repeatable
        ? nil
        : .error("the file of \(row.label) was edited after it was applied", fix: repair + " --restore")
    case .missing:
      return row.kind == .repeatable
        ? .note("\(row.label) is applied, and its file is gone", fix: repair + " --accept")
        : .error("\(row.label) is applied, and its file is missing", fix: repair + " --restore")
    case .partial:
      return .error(
        "\(row.label) is done in part", fix: "rivulet migrate \(row.isOnItsWayBack ? "down" : "up")")
    }
  }

  private static func pending(_ status: MigrationStatus) -> [Finding] {
    let late = Set(status.late.map(\.version))
    let open = status.pending.dropFirst(status.awaiting == nil ? 0 : 1)
    let pending = open.filter { !late.contains($0.version) } + status.pendingRepeatables
    let waiting = status.awaiting.map {
      Finding.note(
        "\($0.label) waits until no program uses what it takes away", fix: "rivulet migrate contract")
    }
    return (waiting.map { [$0] } ?? [])
      + [
        (pending, "pending", "rivulet migrate up"), (status.late, "late", "rivulet migrate up --allow-late"),
      ]
      .filter { !$0.0.isEmpty }
      .map { migrations, word, fix in
        let names = migrations.prefix(5).map(\.label).joined(separator: ", ")
        let more = migrations.count > 5 ? " and others" : ""
        return .warning("\(migrations.count) \(word): \(names)\(more)", fix: fix)
      }
  }
}
