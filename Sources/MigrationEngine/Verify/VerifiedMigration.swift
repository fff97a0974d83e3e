/// What became of one migration that was tried up, down and up again.
public struct VerifiedMigration: Sendable {
  /// How it went.
  public enum Result: String, Sendable {
    /// The way back restores what was there before, and the second way forward what the first gave.
    case ok
    /// It says that there is no way back; it goes up.
    case irreversible
    /// It leaves something other than it should.
    case differs
    /// It cannot be run, or does not say whether there is a way back.
    case failed
  }

  /// The migration.
  public let migration: Migration
  /// How it went.
  public internal(set) var result = Result.ok
  /// What is not as it should be, a sentence each: differences object by object, and errors of the server.
  public internal(set) var differences: [String] = []
  /// What its way back does not bring again though it restores the schema: rows and values, a sentence each.
  public internal(set) var warnings: [String] = []
  /// How long it took, its snapshots included.
  public internal(set) var seconds = 0.0

  /// As people name it.
  public var label: String {
    migration.kind == .versioned ? "\(migration.version) \(migration.name)" : migration.label
  }

  /// Whether nothing is wrong with it.
  public var isPassed: Bool { result == .ok || result == .irreversible }

  mutating func record(_ found: [SchemaDifference], _ occasion: SchemaDifference.Occasion) {
    guard !found.isEmpty else { return }
    if result == .ok { result = .differs }
    differences += found.map { $0.line(occasion) }
  }

  mutating func fail(_ sentence: String) {
    // What a way back has left in the way makes the second up fail: the difference is the cause.
    if result == .ok { result = .failed }
    differences.append(sentence)
  }
}
