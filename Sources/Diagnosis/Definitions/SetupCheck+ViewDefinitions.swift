import MigrationEngine
import PostgreSQL
import ViewEngine

extension SetupCheck {
  /// Whether every view can be made, as `views check` looks at them: in a transaction that is rolled back.
  static let viewDefinitions = SetupCheck(
    "view-definitions", .definitions, because: "a view that cannot be made is missing, or stays as it was"
  ) { subject in
    let views = try subject.viewEngine()
    let mayMake = try subject.readingLedger { connection in
      try connection.query(
        """
        SELECT has_schema_privilege('rivulet', 'CREATE') AND NOT pg_is_in_recovery()
          AND current_setting('default_transaction_read_only') = 'off'
        """)[0].value(0, Bool.self)
    }
    guard mayMake else {
      return [.unseen("views are made to be looked at, which this role may not do in this database")]
    }
    let isComplete = try subject.migrations().allSatisfy(\.status.isInStep)
    let connection = try subject.connection()
    struct Done: Error {}
    var problems: [ViewProblem] = []
    var warnings: [ViewProblem] = []
    do {
      // One lock may be in the way of many views.
      try connection.transaction(settings: Subject.limits + "SET LOCAL lock_timeout = '200ms'") {
        (problems, warnings) = try views.check(on: connection)
        throw Done()
      }
    } catch is Done {}
    let findings =
      problems.map { finding($0, isComplete: isComplete) } + warnings.map { .note($0.description) }
    return findings.isEmpty ? [.ok("every view can be made as it is defined")] : findings
  }

  /// What it means that a view could not be made; `isComplete`: no migration is pending.
  private static func finding(_ problem: ViewProblem, isComplete: Bool) -> Finding {
    if let state = problem.sqlState, ["42501", "55P03", "57014"].contains(state) {
      return .unseen(problem.description, state: .warning, fix: "rivulet doctor rights transactions")
    }
    // What comes with a pending migration is missing until then.
    return problem.isMissing && !isComplete
      ? .note(problem.description, fix: "rivulet migrate up")
      : .error(problem.description, fix: "rivulet views check")
  }
}
