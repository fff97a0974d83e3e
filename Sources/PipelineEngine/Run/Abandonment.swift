import Synchronization

/// The word that the loads of a run are not wanted any more: one of them has failed, or a run of the same command.
final class Abandonment: Sendable {
  private let isSaid = Atomic<Bool>(false)

  func say() { isSaid.store(true, ordering: .relaxed) }

  /// Throws ``RunError/givenUp`` once it was said.
  func check() throws {
    if isSaid.load(ordering: .relaxed) { throw RunError.givenUp }
  }
}
