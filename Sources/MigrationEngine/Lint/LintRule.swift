/// A kind of trouble that can be seen in a statement of a migration.
///
/// What a rule says of itself is its manual: `rivulet migrate lint --rules` prints it, and
/// `Documentation/Lint.md` is that print.
protocol LintRule: Sendable {
  /// The name in words joined by dashes, as `-- rivulet:allow` has it.
  var name: String { get }
  /// How much its findings weigh.
  var severity: LintSeverity { get }
  /// What it finds and why that hurts.
  var reason: String { get }
  /// What to do instead.
  var fix: String { get }
  /// Whether it is about Citus and asked only with `--citus`.
  var isForCitus: Bool { get }
  /// Whether it looks at the section `down` too.
  var looksAtDown: Bool { get }

  /// What it has to say of a statement.
  func remarks(on subject: LintSubject) -> [LintRemark]
}

extension LintRule {
  var isForCitus: Bool { false }
  var looksAtDown: Bool { false }
}

/// What a rule says of one place.
struct LintRemark {
  /// The token of the statement.
  let place: Int
  /// What is wrong.
  let message: String
  /// What to do instead, where the rule's own advice does not fit.
  var fix: String?

  init(_ place: Int, _ message: String, fix: String? = nil) {
    self.place = place
    self.message = message
    self.fix = fix
  }
}
