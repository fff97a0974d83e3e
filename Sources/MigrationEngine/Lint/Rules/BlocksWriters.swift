import SQLText

/// Finds commands that keep others from a live table for as long as it is big.
struct BlocksWriters: LintRule {
  let name = "blocks-writers"
  let severity = LintSeverity.error
  let reason =
    "CLUSTER, VACUUM FULL, REINDEX, REFRESH MATERIALIZED VIEW, SET TABLESPACE, SET LOGGED, SET UNLOGGED, SET ACCESS "
    + "METHOD and SET EXPRESSION keep readers or writers away while they read or copy the whole table. So does attaching "
    + "a partition that has no valid CHECK (whether a CHECK says the partition's bounds is not looked into), and a new "
    + "partition beside a default one, which is read for its rows. LOCK TABLE keeps them away until the migration is "
    + "over. A lock that is held only while the catalog changes (ADD COLUMN, DROP COLUMN, CREATE TRIGGER, DETACH "
    + "PARTITION) is no finding."
  let fix = "do it while nobody needs the table, and say so in an allow"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    if let alter = subject.existingAlter {
      return alter.actions.compactMap { copied($0, of: alter.name) } + attached(alter, subject)
    }
    if case .createTable(let table) = subject.meaning { return made(table, subject) }
    let remark =
      switch subject.statement.words.first {
      case "CLUSTER": cluster(subject)
      case "VACUUM": vacuum(subject)
      case "REINDEX": reindex(subject)
      case "REFRESH": refresh(subject)
      case "LOCK": lock(subject)
      case "ALTER": moveIndex(subject)
      default: LintRemark?.none
      }
    return remark.map { [$0] } ?? []
  }

  private func copied(_ action: AlterTable.Action, of table: SQLName) -> LintRemark? {
    switch action.kind {
    case .rewrite(let words):
      LintRemark(action.place, "readers and writers of \(table) wait while \(words) copies it")
    case .setExpression:
      LintRemark(action.place, "readers and writers of \(table) wait while it is rewritten")
    default: nil
    }
  }

  private func made(_ table: CreateTable, _ subject: LintSubject) -> [LintRemark] {
    guard let parent = table.parent, subject.model.isExisting(parent) else { return [] }
    return readDefault(of: parent, for: table.name, table.place, subject).map { [$0] } ?? []
  }

  private func readDefault(
    of parent: SQLName, for part: SQLName, _ place: Int, _ subject: LintSubject
  ) -> LintRemark? {
    guard subject.model.table(parent)?.hasDefaultPartition == true else { return nil }
    return LintRemark(
      place,
      "readers and writers of the default partition of \(parent) wait while it is read for rows of \(part)",
      fix:
        "first ADD CHECK ... NOT VALID to the default partition that keeps such rows out, and validate it; then "
        + "say so in an allow")
  }

  private func attached(_ alter: AlterTable, _ subject: LintSubject) -> [LintRemark] {
    return alter.actions.compactMap { action in
      guard case .attachPartition(let part, let isDefault) = action.kind else { return nil }
      if let remark = readDefault(of: alter.name, for: part, action.place, subject) { return remark }
      let isVouchedFor = subject.model.table(part)?.checks.contains(where: \.isValid) == true
      guard !isDefault, subject.model.isExisting(part), !isVouchedFor else { return nil }
      return LintRemark(
        action.place, "readers and writers of \(part) wait while its rows are read",
        fix:
          "first ADD CHECK of the partition's bounds with NOT VALID, and validate it in a later migration; drop it "
          + "once the partition is attached")
    }
  }

  private func cluster(_ subject: LintSubject) -> LintRemark? {
    var cursor = SQLCursor(subject.statement)
    _ = cursor.take("CLUSTER")
    _ = cursor.group()
    _ = cursor.take("VERBOSE")
    guard let table = cursor.qualifiedName() else {
      return LintRemark(0, "readers and writers wait while tables are copied")
    }
    guard subject.model.isExisting(table) else { return nil }
    return LintRemark(0, "readers and writers of \(table) wait while it is copied")
  }

  private func vacuum(_ subject: LintSubject) -> LintRemark? {
    guard let full = subject.statement.words.firstIndex(of: "FULL") else { return nil }
    return LintRemark(
      full, "readers and writers wait while VACUUM FULL copies the table", fix: "VACUUM without FULL")
  }

  private func reindex(_ subject: LintSubject) -> LintRemark? {
    guard !subject.statement.words.contains("CONCURRENTLY") else { return nil }
    var cursor = SQLCursor(subject.statement)
    _ = cursor.take("REINDEX")
    _ = cursor.group()
    if cursor.take("TABLE"), let table = cursor.qualifiedName(), !subject.model.isExisting(table) {
      return nil
    }
    return LintRemark(
      0, "writers wait while the index is rebuilt, and so do queries that would use it",
      fix: "REINDEX ... CONCURRENTLY")
  }

  private func refresh(_ subject: LintSubject) -> LintRemark? {
    var cursor = SQLCursor(subject.statement)
    guard cursor.take("REFRESH", "MATERIALIZED", "VIEW"), !cursor.take("CONCURRENTLY"),
      let view = cursor.qualifiedName(),
      subject.model.isExisting(view),
      !subject.statement.words.suffix(3).elementsEqual(["WITH", "NO", "DATA"])
    else { return nil }
    return LintRemark(
      0, "readers of \(view) wait until its query is done",
      fix: "REFRESH MATERIALIZED VIEW CONCURRENTLY, which needs a unique index on the view")
  }

  private func lock(_ subject: LintSubject) -> LintRemark? {
    var cursor = SQLCursor(subject.statement)
    _ = cursor.take("LOCK")
    _ = cursor.take("TABLE")
    _ = cursor.take("ONLY")
    guard let table = cursor.qualifiedName(), subject.model.isExisting(table) else { return nil }
    let words = subject.statement.words
    let mode = words.firstIndex(of: "IN").map {
      words[($0 + 1)...].prefix { $0 != "MODE" }.joined(separator: " ")
    }
    guard !["ACCESS SHARE", "ROW SHARE", "ROW EXCLUSIVE", "SHARE UPDATE EXCLUSIVE"].contains(mode) else {
      return nil
    }
    let who = mode == nil || mode == "ACCESS EXCLUSIVE" ? "readers and writers" : "writers"
    return LintRemark(
      0, "\(who) of \(table) wait until the whole migration is over",
      fix: "leave it out: each command takes the lock that it needs")
  }

  private func moveIndex(_ subject: LintSubject) -> LintRemark? {
    guard
      subject.statement.begins(with: "ALTER", "INDEX")
        || subject.statement.begins(with: "ALTER", "MATERIALIZED"),
      let place = zip(subject.statement.words.indices, subject.statement.words).first(where: {
        $1 == "TABLESPACE"
      })?.0,
      subject.statement.words[place - 1] == "SET"
    else { return nil }
    return LintRemark(
      0, "who uses it waits while it is copied", fix: "REINDEX (TABLESPACE name) INDEX CONCURRENTLY")
  }
}
