/// The locks that let one run of a pipeline, and one nightly job, work at a time.
package enum RunLock {
  /// The name of the lock that lets one nightly job at a time work.
  package static let nightly = "rivulet nightly"

  /// The name of the advisory lock.
  package static func name(_ pipeline: String) -> String { "rivulet run " + pipeline }
}
