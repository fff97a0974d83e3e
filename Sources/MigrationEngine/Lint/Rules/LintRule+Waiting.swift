import SQLText

extension LintRule {
  /// Finds commands that keep others from a live table for as long as it is big.
  static let blocksWriters = LintRule(
    name: "blocks-writers",
    reason:
      "CLUSTER, VACUUM FULL, REINDEX, REFRESH MATERIALIZED VIEW, SET TABLESPACE, SET LOGGED, SET UNLOGGED, SET ACCESS "
      + "METHOD and SET EXPRESSION keep readers or writers away while they read or copy the whole table. So does attaching "
      + "a partition that has no valid CHECK (whether a CHECK says the partition's bounds is not looked into), and a new "
      + "partition beside a default one, which is read for its rows. LOCK TABLE keeps them away until the migration is "
      + "over. A lock that is held only while the catalog changes (ADD COLUMN, DROP COLUMN, CREATE TRIGGER, DETACH "
      + "PARTITION) is no finding.",
    fix: "do it while nobody needs the table, and say so in an allow"
  ) { subject in
    if let alter = subject.existingAlter {
      return alter.remarks { kind in
        switch kind {
        case .rewrite(let words): "readers and writers of \(alter.name) wait while \(words) copies it"
        case .setExpression: "readers and writers of \(alter.name) wait while it is rewritten"
        default: nil
        }
      } + alter.actions.compactMap { attached($0, to: alter.name, subject.model) }
    }
    if case .createTable(let table) = subject.meaning {
      guard let parent = table.parent, subject.model.isExisting(parent) else { return [] }
      return [readDefault(of: parent, for: table.name, table.place, subject.model)].compactMap(\.self)
    }
    return [command(subject.statement, subject.model)].compactMap(\.self)
  }

  private static func readDefault(
    of parent: SQLName, for part: SQLName, _ place: Int, _ model: SchemaModel
  ) -> LintRemark? {
    guard model.table(parent)?.hasDefaultPartition == true else { return nil }
    return LintRemark(
      place,
      "readers and writers of the default partition of \(parent) wait while it is read for rows of \(part)",
      fix:
        "first ADD CHECK ... NOT VALID to the default partition that keeps such rows out, and validate it; then "
        + "say so in an allow")
  }

  private static func attached(_ action: AlterTable.Action, to parent: SQLName, _ model: SchemaModel)
    -> LintRemark?
  {
    guard case .attachPartition(let part, let isDefault) = action.kind else { return nil }
    if let remark = readDefault(of: parent, for: part, action.place, model) { return remark }
    let isVouchedFor = model.table(part)?.checks.contains(where: \.isValid) == true
    guard !isDefault, model.isExisting(part), !isVouchedFor else { return nil }
    return LintRemark(
      action.place, "readers and writers of \(part) wait while its rows are read",
      fix:
        "first ADD CHECK of the partition's bounds with NOT VALID, and validate it in a later migration; drop it "
        + "once the partition is attached")
  }

  /// What has to be said of a command that is no ALTER TABLE.
  private static func command(_ statement: SQLStatement, _ model: SchemaModel) -> LintRemark? {
    var cursor = SQLCursor(statement)
    let words = statement.words
    if cursor.take("CLUSTER") {
      cursor.group()
      cursor.take("VERBOSE")
      let table = cursor.qualifiedName()
      if let table, !model.isExisting(table) { return nil }
      let whom = table.map { " of \($0) wait while it is copied" } ?? " wait while tables are copied"
      return LintRemark(0, "readers and writers" + whom)
    }
    if cursor.take("VACUUM") {
      return words.firstIndex(of: "FULL").map { full in
        LintRemark(
          full, "readers and writers wait while VACUUM FULL copies the table", fix: "VACUUM without FULL")
      }
    }
    if let reindex = Reindex(statement), !reindex.isConcurrent {
      if reindex.kind == "TABLE", let table = reindex.name, !model.isExisting(table) { return nil }
      return LintRemark(
        0, "writers wait while the index is rebuilt, and so do queries that would use it",
        fix: "REINDEX ... CONCURRENTLY")
    }
    if cursor.take("REFRESH", "MATERIALIZED", "VIEW") {
      guard !cursor.take("CONCURRENTLY"), let view = cursor.qualifiedName(), model.isExisting(view),
        !words.suffix(3).elementsEqual(["WITH", "NO", "DATA"])
      else { return nil }
      return LintRemark(
        0, "readers of \(view) wait until its query is done",
        fix: "REFRESH MATERIALIZED VIEW CONCURRENTLY, which needs a unique index on the view")
    }
    if cursor.take("ALTER", "INDEX") || cursor.take("ALTER", "MATERIALIZED"),
      let place = words.firstIndex(of: "TABLESPACE"), words[place - 1] == "SET"
    {
      return LintRemark(
        0, "who uses it waits while it is copied", fix: "REINDEX (TABLESPACE name) INDEX CONCURRENTLY")
    }
    return cursor.take("LOCK") ? lock(&cursor, model) : nil
  }

  private static func lock(_ cursor: inout SQLCursor, _ model: SchemaModel) -> LintRemark? {
    cursor.take("TABLE")
    cursor.take("ONLY")
    guard let table = cursor.qualifiedName(), model.isExisting(table) else { return nil }
    let words = cursor.statement.words
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

  /// Finds long work that is done while an earlier statement of the same transaction keeps others away.
  static let workUnderLock = LintRule(
    name: "work-under-lock",
    reason:
      "A lock is held until the transaction ends. VALIDATE CONSTRAINT, UPDATE, DELETE or INSERT ... SELECT after an "
      + "ALTER TABLE in the same migration keeps everybody from the altered table for as long as the rows take: adding a "
      + "constraint NOT VALID gains nothing when the same migration validates it.",
    fix:
      "put this statement into a migration of its own, after the one that changes the table; UPDATE, DELETE and "
      + "INSERT ... SELECT of many rows run in batches behind a line `-- rivulet:batch schema.table key 5000`"
  ) { subject in
    guard subject.section.isTransactional, let held = subject.held.last, let place = work(in: subject) else {
      return []
    }
    return [
      LintRemark(
        place,
        "this reads or writes many rows while \(held.name) stays locked since line \(held.line), until the migration ends"
      )
    ]
  }

  private static func work(in subject: LintSubject) -> Int? {
    switch subject.meaning {
    case .alterTable(let alter) where subject.model.isExisting(alter.name):
      alter.actions.first { if case .validateConstraint = $0.kind { true } else { false } }?.place
    case .change(let change) where change.verb == "UPDATE" || change.verb == "DELETE":
      subject.model.isExisting(change.table) ? 0 : nil
    case .change(let change) where change.verb == "INSERT" && change.readsTables: 0
    default: nil
    }
  }

  /// Finds changes of all rows of a live table.
  static let dataChangeWithoutWhere = LintRule(
    name: "data-change-without-where", severity: .notice,
    reason:
      "UPDATE or DELETE without WHERE touches every row of a table that is in use: long locks on rows, much to vacuum, "
      + "and nothing that brings the rows back.",
    fix:
      "say which rows with WHERE; where they are many, in batches: a line `-- rivulet:batch schema.table key 5000` "
      + "before the statement, and `{batch}` in its WHERE"
  ) { subject in
    guard case .change(let change) = subject.meaning, ["UPDATE", "DELETE"].contains(change.verb),
      !change.hasWhere, subject.model.isExisting(change.table)
    else { return [] }
    return [LintRemark(0, "\(change.verb) touches every row of \(change.table)")]
  }
}
