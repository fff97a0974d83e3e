import SQLText

/// Reads sections statement by statement, asks the rules, and keeps up with what the schema has become.
struct LintReader {
  let rules: [any LintRule]
  let folder: LintFolder
  var model: SchemaModel
  private(set) var findings: [LintFinding] = []

  init(rules: [any LintRule], folder: LintFolder, model: SchemaModel) {
    self.rules = rules
    self.folder = folder
    self.model = model
  }

  /// Reads a section.
  mutating func read(_ section: LintSection) {
    let asked = rules.filter { $0.looksAtDown || !section.isDown }
    var allowances = LintAllowances(section, known: LintManual.rules, asked: asked)
    var held: [LintSubject.HeldTable] = []
    for (index, statement) in section.statements.enumerated() {
      let meaning = SchemaStatement(statement)
      let subject = LintSubject(
        statement: statement, meaning: meaning, model: model, section: section, index: index, held: held,
        folder: folder)
      ask(asked, about: subject, &allowances)
      if section.isTransactional {
        held += subject.lockedTables.map { .init(name: $0, line: statement.place.line) }
      }
      model.replay(statement, meaning)
    }
    let rule = UnusedAllow()
    for complaint in allowances.complaints {
      add(rule, complaint.message, complaint.fix, at: complaint.place, in: section)
    }
  }

  private mutating func ask(
    _ asked: [any LintRule], about subject: LintSubject, _ allowances: inout LintAllowances
  ) {
    let tokens = subject.statement.tokens
    for rule in asked {
      for remark in rule.remarks(on: subject) where !allowances.silence(rule.name, at: subject.index) {
        add(rule, remark.message, remark.fix, at: tokens[remark.place].place, in: subject.section)
      }
    }
  }

  private mutating func add(
    _ rule: any LintRule, _ message: String, _ fix: String?, at place: SQLPlace, in section: LintSection
  ) {
    findings.append(
      LintFinding(
        rule: rule.name, severity: rule.severity, version: section.migration.version,
        file: section.source.file,
        line: place.line, column: place.column, message: message, fix: fix ?? rule.fix))
  }
}
