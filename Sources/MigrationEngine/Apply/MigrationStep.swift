/// How far to go.
public enum MigrationGoal: Sendable, Equatable {
  /// All the way: every pending migration up, one migration down.
  case natural
  /// To this version: up until it is applied, down until it is the last that is; 0 is before the first.
  case version(String)
  /// So many migrations.
  case steps(Int)
}

/// What happened to one migration.
public struct MigrationStep: Sendable {
  /// Versioned or repeatable.
  public let kind: Migration.Kind
  /// The version; of a repeatable one its name.
  public let version: String
  /// The name.
  public let name: String
  /// How long it took.
  public let seconds: Double
  /// Statements that a dry run has left out, since no transaction can hold them, each by its first line.
  public var unexecuted: [String] = []
  /// What ran in batches.
  public internal(set) var batches: [BatchOutcome] = []
  /// What a dry run has left out that would run in batches; it is among the statements left out, too.
  public internal(set) var plannedBatches: [PlannedBatches] = []
  /// The rows that a dry run of a way back would have taken away, by table.
  public internal(set) var losses: [DataLoss] = []
}
