import MigrationEngine

extension SetupCheck {
  /// Whether the migrations that are applied are those of the project, as `migrate status` shows them.
  static let migrations = SetupCheck(
    "migrations", .definitions, because: "tables and views are what the migrations that are applied have made"
  ) { subject in
    let histories: [(folder: MigrationFolder, status: MigrationStatus)]
    do {
      histories = try subject.migrations()
      for (folder, _) in histories { try folder.requireRunnable() }
    } catch let error as MigrationError {
      let (sentence, hint) = subject.explain(error)
      return [
        .error([sentence, hint].compactMap(\.self).joined(separator: "; "), fix: "rivulet migrate lint")
      ]
    }
    let findings = histories.flatMap { folder, status in
      let option = folder.history.isEmpty ? "" : " --history \(folder.history)"
      return status.applied.compactMap { finding($0, option) } + pending(status, folder.history)
    }
    let applied = histories.reduce(0) { $0 + $1.status.applied.count }
    return findings.isEmpty ? [.ok("\(applied) applied, none is pending")] : findings
  }

  /// `option` names the history where it has a name.
  private static func finding(_ row: AppliedMigration, _ option: String) -> Finding? {
    let version = row.kind == .versioned ? row.version : "R_\(row.name)"
    let repair = "rivulet migrate repair \(version)\(option)"
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
        "\(row.label) is done in part", fix: "rivulet migrate \(row.isOnItsWayBack ? "down" : "up")\(option)")
    }
  }

  private static func pending(_ status: MigrationStatus, _ history: String) -> [Finding] {
    let late = Set(status.late.map(\.version))
    let open = status.pending.dropFirst(status.awaiting == nil ? 0 : 1)
    let pending = open.filter { !late.contains($0.version) } + status.pendingRepeatables
    let place = history.isEmpty ? "" : " of \(history)"
    let waiting = status.awaiting.map {
      Finding.note(
        "\($0.label)\(place) waits until no program uses what it takes away",
        fix: "rivulet migrate contract")
    }
    let groups = [
      (pending, "pending", "rivulet migrate up"), (status.late, "late", "rivulet migrate up --allow-late"),
    ]
    return [waiting].compactMap(\.self)
      + groups.filter { !$0.0.isEmpty }.map { migrations, word, fix in
        let names = migrations.prefix(5).map(\.label).joined(separator: ", ")
        let more = migrations.count > 5 ? " and others" : ""
        return .warning("\(migrations.count) \(word)\(place): \(names)\(more)", fix: fix)
      }
  }
}
