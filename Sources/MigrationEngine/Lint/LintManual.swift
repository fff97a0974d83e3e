/// The rules, and what is said of them.
public enum LintManual {
  /// What the manual says of a rule.
  public struct Entry: Sendable {
    /// The rule's name.
    public let name: String
    /// How much its findings weigh.
    public let severity: LintSeverity
    /// What it finds and why that hurts.
    public let reason: String
    /// What to do instead.
    public let fix: String
    /// Whether it is asked only with `--citus`.
    public let isForCitus: Bool
  }

  /// All rules, by name; those for Citus last.
  public static var entries: [Entry] {
    rules.map {
      Entry(
        name: $0.name, severity: $0.severity, reason: $0.reason, fix: $0.fix, isForCitus: $0.isForCitus)
    }
  }

  /// The manual in Markdown; `Documentation/Lint.md` is this text.
  public static var markdown: String {
    let (plain, citus) = (entries.filter { !$0.isForCitus }, entries.filter(\.isForCitus))
    return """
      # Lint

      `rivulet migrate lint` reads the folder of migrations and names what would hurt a live database: locks that
      stop traffic, statements that fail on tables with rows, changes that break what runs. It needs no server. This
      page is what `rivulet migrate lint --rules` prints.

      - [What counts](#what-counts)
      - [To allow a finding](#to-allow-a-finding)
      - [Rules](#rules)
      \(links(plain))
      - [Rules for Citus](#rules-for-citus)
      \(links(citus))

      ## What counts

      A table counts as live unless the same migration has made it before. Statements inside `DO` blocks and
      functions are not read. Short locks that only change the catalog are no finding: `migrate up` waits for them
      with a time-out. An **error** ends `migrate lint` with exit code 5, a **notice** does not.

      ## To allow a finding

      Say why on a line of the statement or in a comment right above it:

      ```sql
      -- rivulet:allow index-without-concurrently the table has forty rows
      CREATE INDEX state_name ON ref.state (name);
      ```

      Comments are no part of a migration's checksum, so applied migrations can be given one.

      ## Rules

      """ + sections(plain) + """

        ## Rules for Citus

        Asked with `--citus`. Where migrations or callbacks call `create_distributed_table('schema.table', 'key')` or
        `create_reference_table('schema.table')`, the rules look at those tables; where none does, at every table.

        """ + sections(citus)
  }

  private static func links(_ entries: [Entry]) -> String {
    entries.map { "  - [\($0.name) (\($0.severity.rawValue))](#\($0.name)-\($0.severity.rawValue))" }
      .joined(separator: "\n")
  }

  private static func sections(_ entries: [Entry]) -> String {
    entries.map {
      "\n### \($0.name) (\($0.severity.rawValue))\n\n\(wrapped($0.reason))\n\n\(wrapped("Instead: \($0.fix)."))\n"
    }
    .joined()
  }

  /// A paragraph in lines of at most 110 characters.
  private static func wrapped(_ text: String) -> String {
    text.split(separator: " ").reduce(into: [""]) { lines, word in
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + word.count < 110 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    .joined(separator: "\n")
  }

  static let rules: [any LintRule] = plain.sorted { $0.name < $1.name } + citus.sorted { $0.name < $1.name }

  private static let plain: [any LintRule] = [
    BlocksWriters(), CheckWithoutNotValid(), ConcurrentlyMixed(), ConcurrentlyOnPartitioned(), CreateRole(),
    DataChangeWithoutWhere(), DomainConstraint(), DropColumnInView(), DropRole(), EnumValueInTransaction(),
    ForeignKeyWithoutNotValid(), IndexWithoutConcurrently(), KeyWithoutIndex(), MissingDown(),
    NotNullColumn(), NotNullWithoutCheck(), Rename(), RewritingTypeChange(), UnnamedConcurrentIndex(),
    UnnamedConstraint(), UnqualifiedName(), UnusedAllow(), VolatileDefault(), WorkUnderLock(),
  ]

  private static let citus: [any LintRule] = [
    CitusAlterTable(), CitusCopyWhere(), CitusForeignKey(), CitusMerge(), CitusPartitions(), CitusPolicy(),
    CitusQuery(), CitusSerial(), CitusTrigger(), CitusUniqueWithoutKey(), CitusUnnamedConstraint(),
  ]
}
