/// What a database that others have migrated is taken over with.
public struct Baseline: Sendable {
  /// Migrations that count as applied, in order; repeatable ones last.
  public let taken: [Migration]
  /// Versioned ones that are left to be applied.
  public let pending: [Migration]
  /// Whether all that is taken counted as applied before.
  public let wasThere: Bool
}
