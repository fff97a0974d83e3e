import Definitions
import PostgreSQL
import Reporting

extension SetupCheck {
  /// Whether changes wait for views that nobody refreshes.
  static let queues = SetupCheck(
    "queues", .storage, because: "what has changed is kept until every view that asks for it is refreshed"
  ) { subject in
    let limit = (try? subject.project().queueLimit) ?? Project.usualQueueLimit
    return try subject.readingLedger { connection in
      let found = try connection.query(
        """
        SELECT view, CASE WHEN bool_and(bytes IS NOT NULL) THEN sum(bytes)::bigint END
        FROM (SELECT s.view, \(connection.totalSize(of: "c.oid")) AS bytes
          FROM rivulet.view_source s JOIN pg_namespace n ON n.nspname = 'rivulet'
          JOIN pg_class c ON c.relnamespace = n.oid AND 'rivulet.' || c.relname = s.queue) queues
        GROUP BY 1 ORDER BY 2 DESC, 1
        """)
      let sizes = try found.rows.compactMap { row -> (view: String, bytes: Int)? in
        try row.optional(1).map { (try row.value(0), $0) }
      }
      let known = queues(sizes, limit: limit)
      let unknown = found.rows.count - sizes.count
      guard connection.hasCitus, unknown > 0 else { return known }
      return known.filter { $0.state != .ok } + [
        .unseen(
          "of \(unknown) views the role may not read the queues, or a server of the cluster does not answer")
      ]
    }
  }

  /// What it means that so many bytes wait for each view, of which more than a limit is too much.
  static func queues(_ sizes: [(view: String, bytes: Int)], limit: Int) -> [Finding] {
    let large = sizes.filter { $0.bytes > limit }
    guard large.isEmpty else {
      return large.map { view, bytes in
        .warning("\(ProgressUnits.bytes(bytes)) wait for \(view)", fix: "rivulet refresh \(view)")
      }
    }
    let whole = ProgressUnits.bytes(sizes.reduce(0) { $0 + $1.bytes })
    return [.ok("the queues of \(sizes.count) views take \(whole)")]
  }
}
