/// The lock that lets one run of a pipeline at a time.
package enum RunLock {
  /// The name of the advisory lock.
  package static func name(_ pipeline: String) -> String { "rivulet run " + pipeline }
}
