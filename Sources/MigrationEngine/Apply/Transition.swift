import SQLText

/// One migration on its way, up or down.
struct Transition {
  let work: SectionWork
  /// What happens in its transaction.
  let body: (SectionRunner) throws -> Void
  /// Whether nothing happens but the statements of `work`.
  let isBare: Bool
  /// The SQL that writes it into the history, or takes it out; `seconds` is SQL for how long it took.
  let closing: (_ seconds: String) -> String
  /// Runs it where no transaction can hold it; `started` is when it began, in seconds.
  let statementwise: (_ started: Double) throws -> Void

  /// Whether it is likely to be over in a moment: nothing but definitions, no conditions, and no wishes of
  /// its own.
  var isBrief: Bool {
    let brief = ["CREATE", "ALTER", "DROP", "COMMENT", "GRANT", "REVOKE"]
    return isBare && !work.isStatementwise && work.section.options == Migration.Options()
      && work.script.statements.allSatisfy { brief.contains($0.keyword) }
  }
}
