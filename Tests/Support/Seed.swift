import Foundation

/// The seeds of random choices.
public enum Seed {
  /// The seed that `RIVULET_SEED` gives, else another one each time; printed, so that what failed can be
  /// repeated.
  ///
  /// `what`: whose choices they are.
  public static func announced(_ what: String) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["RIVULET_SEED"].flatMap { UInt64($0) }
    let seed = given ?? .random(in: 1...1_000_000)
    print("RIVULET_SEED=\(seed): \(what)")
    return seed
  }
}
