/// A migration that the database says was applied, in whole or in part.
public struct AppliedMigration: Sendable {
  /// How the history and the folder agree.
  public enum State: String, Sendable {
    /// The file is as it was applied.
    case applied
    /// The file was edited since.
    case changed
    /// The file is gone.
    case missing
    /// It was applied after one of a higher version; the file is as it was applied.
    case late
    /// Some of its statements are done, and not all.
    case partial
  }

  /// Versioned or repeatable.
  public let kind: Migration.Kind
  /// The version as it was in the file's name; of a repeatable one its name.
  public let version: String
  /// The name.
  public let name: String
  /// The checksum it was applied with; empty while only part of it is.
  public let checksum: String
  /// When, in UTC, as the server writes it: `2026-01-31 12:00:00`.
  let appliedInUTC: String
  /// How long it took.
  public let seconds: Double
  /// Its place among all that was applied.
  let position: Int
  /// It was there before this program came.
  public let isBaseline: Bool
  /// The datasets that were used when it was applied; nil for all.
  let datasets: [String]?
  /// Against the folder.
  public internal(set) var state = State.applied
  /// How far its statement has come that is under way in batches; nil where none is.
  public internal(set) var batch: BatchState?

  /// Whether it is on its way up, and not through.
  var isBegun: Bool { state == .partial && checksum.isEmpty }

  /// Whether it is on its way back, and not through.
  public var isOnItsWayBack: Bool { kind == .versioned && state == .partial && !isBegun }

  /// When, as ISO 8601 with zone.
  public var appliedAt: String { appliedInUTC.replacing(" ", with: "T") + "Z" }

  /// As people name it.
  public var label: String { kind.label(version, name) }
}
