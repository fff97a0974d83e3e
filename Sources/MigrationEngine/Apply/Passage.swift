import SQLText

/// One migration on its way, up or down.
struct Passage {
  let work: SectionWork
  /// What happens in its transaction.
  let body: (SectionRunner) throws -> Void
  /// The SQL that writes it into the history, or takes it out; `started` is when it began, in seconds.
  let closing: (_ started: Double) -> String
  /// Runs it where no transaction can hold it.
  let statementwise: (_ started: Double) throws -> Void

  /// Whether it is likely to be over in a moment: nothing but definitions, and no wishes of its own.
  var isBrief: Bool {
    let brief = ["CREATE", "ALTER", "DROP", "COMMENT", "GRANT", "REVOKE"]
    return !work.isStatementwise && work.section.options == Migration.Options()
      && work.script.statements.allSatisfy { brief.contains($0.keyword) }
  }
}
