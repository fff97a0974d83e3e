/// How a session that changes what views read lets `refresh --watch` know of it.
///
/// A notification makes all transactions of a server that send one wait for each other as they commit, and
/// forbids PREPARE TRANSACTION. So none is sent while the watching session looks for changes by itself: who
/// writes takes the lock ``asleep`` shared, without waiting and until the end of the transaction. It cannot be
/// had only while the watching session sleeps, which has it alone then; only then a notification is sent. And
/// as the watching session cannot have it while a transaction is at work that has sent none, what such a
/// transaction has written is seen before it sleeps.
public enum WatchSignal {
  /// The channel of the notifications.
  public static let channel = "rivulet_views"
  /// The lock that the watching session holds alone while it sleeps.
  public static let asleep = "rivulet watch asleep"
  /// The lock that lets one session at a time watch a database.
  public static let watching = "rivulet watch"

  /// PL/pgSQL that wakes the watching session where it sleeps, once the transaction at work is committed. It
  /// runs no query, the number of the lock is a constant to it.
  ///
  /// `condition`: what else must be so, first of all.
  public static func wake(where condition: String? = nil) -> String {
    let lock = "pg_catalog.hashtextextended('\(asleep)', 7711::bigint)"
    let isAwake = "pg_catalog.pg_try_advisory_xact_lock_shared(\(lock))"
    let conditions = [condition, "NOT \(isAwake)"].compactMap(\.self).joined(separator: " AND ")
    return "IF \(conditions) THEN PERFORM pg_catalog.pg_notify('\(channel)', ''); END IF;"
  }
}
