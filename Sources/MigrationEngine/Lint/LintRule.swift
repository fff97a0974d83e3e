/// How much a finding weighs.
public enum LintSeverity: String, Sendable {
  /// It stops traffic, fails or loses what is needed: `migrate lint` ends with 5.
  case error
  /// Worth a look; `migrate lint` ends with 0.
  case notice
}

/// A kind of trouble that can be seen in a statement of a migration.
///
/// What a rule says of itself is its manual: `rivulet migrate lint --rules` prints it, and
/// `Documentation/Lint.md` is that print.
public struct LintRule: Sendable {
  /// The name in words joined by dashes, as `-- rivulet:allow` has it.
  public let name: String
  /// How much its findings weigh.
  public internal(set) var severity = LintSeverity.error
  /// Whether it looks at the section `down` too.
  var looksAtDown = false
  /// What it finds and why that hurts.
  public let reason: String
  /// What to do instead.
  public let fix: String
  /// Whether it is about Citus and asked only with `--citus`.
  public var isForCitus: Bool { name.hasPrefix("citus-") }
  /// What it has to say of a statement.
  let remarks: @Sendable (LintSubject) -> [LintRemark]

  /// All rules, by name; those for Citus last.
  public static let all = [
    blocksWriters, checkWithoutNotValid, concurrentlyMixed, concurrentlyOnPartitioned, createRole,
    dataChangeWithoutWhere, domainConstraint, dropColumnInView, dropRole, enumValueInTransaction,
    foreignKeyWithoutNotValid, indexWithoutConcurrently, keyWithoutIndex, missingDown, notNullColumn,
    notNullWithoutCheck, rename, rewritingTypeChange, unnamedConcurrentIndex, unnamedConstraint,
    unqualifiedName, unusedAllow, volatileDefault, workUnderLock,

    citusAlterTable, citusCopyWhere, citusForeignKey, citusMerge, citusPartitions, citusPolicy, citusQuery,
    citusSerial, citusTrigger, citusUniqueWithoutKey, citusUnnamedConstraint,
  ]

  /// The manual in Markdown; `Documentation/Lint.md` is this text.
  public static var manual: String {
    """
    # Lint

    `rivulet migrate lint` reads the folder of migrations and names what would hurt a live database: locks that stop
    traffic, statements that fail on tables with rows, changes that break what runs. It needs no server. This page is
    what `rivulet migrate lint --rules` prints.

    A table counts as live unless the same migration has made it before. Statements inside `DO` blocks and functions
    are not read. Short locks that only change the catalog are no finding: `migrate up` waits for them with a time-out.
    An **error** ends `migrate lint` with exit code 5, a **notice** does not.

    To allow a finding, say why on a line of the statement or in a comment right above it:

    ```sql
    -- rivulet:allow index-without-concurrently the table has forty rows
    CREATE INDEX state_name ON ref.state (name);
    ```

    Comments are no part of a migration's checksum, so applied migrations can be given one.

    ## Rules

    """ + section { !$0.isForCitus } + """

      ## Rules for Citus

      Asked with `--citus`. Where migrations or callbacks call `create_distributed_table('schema.table', 'key')` or
      `create_reference_table('schema.table')`, the rules look at those tables; where none does, at every table.

      """ + section(\.isForCitus)
  }

  private static func section(_ isIn: (LintRule) -> Bool) -> String {
    all.filter(isIn).map {
      "\n### \($0.name) (\($0.severity.rawValue))\n\($0.reason)\n\nInstead: \($0.fix).\n"
    }.joined()
  }
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

extension AlterTable {
  /// A remark on each action of which `message` has something to say.
  func remarks(_ message: (Kind) -> String?) -> [LintRemark] {
    actions.compactMap { action in message(action.kind).map { LintRemark(action.place, $0) } }
  }
}
