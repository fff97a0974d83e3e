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
    dataChangeWithoutWhere, destructiveChange, domainConstraint, dropColumnInView, dropRole,
    enumValueInTransaction, foreignKeyWithoutNotValid, indexWithoutConcurrently, keyWithoutIndex, missingDown,
    narrowingTypeChange, notNullColumn, notNullWithoutCheck, rename, rewritingTypeChange,
    unnamedConcurrentIndex, unnamedConstraint, unqualifiedName, unusedAllow, volatileDefault, workUnderLock,

    citusAlterTable, citusColocation, citusCopyWhere, citusCtid, citusForeignKey, citusGrant, citusMerge,
    citusNames, citusPartitions, citusPolicy, citusQuery, citusRecord, citusRowLocks, citusSequential,
    citusSerial, citusSetRole, citusSeveralStatements, citusSQLFunction, citusTemporaryView, citusTrigger,
    citusUniqueWithoutKey, citusUnnamedConstraint, citusUpdate,
  ]
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
