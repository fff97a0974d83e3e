import SQLText

extension LintRule {
  /// Finds CREATE INDEX that keeps writers from a live table.
  static let indexWithoutConcurrently = LintRule(
    name: "index-without-concurrently",
    reason: "CREATE INDEX takes a SHARE lock: nobody writes to the table until the index is built.",
    fix: "CREATE INDEX CONCURRENTLY in a migration of its own; it runs outside a transaction by itself"
  ) { subject in
    guard case .createIndex(let index) = subject.meaning, !index.isConcurrent,
      subject.model.isExisting(index.table)
    else { return [] }
    let isPartitioned = subject.model.table(index.table)?.isPartitioned == true
    // On the parent alone there is nothing to read.
    if isPartitioned && index.isOnly { return [] }
    let fix =
      "CREATE INDEX ... ON ONLY \(index.table), then CREATE INDEX CONCURRENTLY on each partition and "
      + "ALTER INDEX ... ATTACH PARTITION"
    return [
      LintRemark(
        0, "writers of \(index.table) wait until the index is built", fix: isPartitioned ? fix : nil)
    ]
  }

  /// Finds CREATE INDEX CONCURRENTLY on a partitioned table, which PostgreSQL refuses.
  static let concurrentlyOnPartitioned = LintRule(
    name: "concurrently-on-partitioned",
    reason: "PostgreSQL refuses CREATE INDEX CONCURRENTLY on a partitioned table.",
    fix: "CREATE INDEX ... ON ONLY the parent, then CREATE INDEX CONCURRENTLY on each partition and "
      + "ALTER INDEX ... ATTACH PARTITION"
  ) { subject in
    guard case .createIndex(let index) = subject.meaning, index.isConcurrent, !index.isOnly,
      subject.model.table(index.table)?.isPartitioned == true
    else { return [] }
    return [LintRemark(index.tablePlace, "\(index.table) is partitioned: this is refused")]
  }

  /// Finds CREATE INDEX CONCURRENTLY that gives the index no name.
  static let unnamedConcurrentIndex = LintRule(
    name: "unnamed-concurrent-index",
    reason:
      "A CREATE INDEX CONCURRENTLY that fails leaves an invalid index. Without a name of its own, the next try "
      + "cannot distinguish it from another index and makes a second one beside it.",
    fix: "give the index a name"
  ) { subject in
    guard case .createIndex(let index) = subject.meaning, index.isConcurrent, index.name == nil else {
      return []
    }
    return [LintRemark(0, "the index has no name, so what a failure leaves of it cannot be found")]
  }

  /// Finds statements that lose their transaction because of another one in their file.
  static let concurrentlyMixed = LintRule(
    name: "concurrently-mixed", severity: .notice,
    reason:
      "One statement that PostgreSQL refuses in a transaction takes the whole file out of it: when a later "
      + "statement fails, the earlier ones stay done.",
    fix:
      "put the statements that a transaction can hold into a migration of their own, or write transaction=off on the "
      + "section's line to say that it is meant"
  ) { subject in
    let section = subject.section
    guard section.firstRefused == subject.index, section.source.options.transaction == nil,
      let other = section.firstTransactional
    else { return [] }
    let line = section.statements[other].place.line
    return [LintRemark(0, "this takes the statement of line \(line) out of its transaction too")]
  }
}
