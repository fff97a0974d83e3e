import Host
import PostgreSQL

/// A stored view that is measured: an incremental one, with its SELECT for all groups and for some.
struct BenchView {
  /// `schema.name`.
  let name: String
  let key: [String]
  /// What distinguishes one row from another.
  let unique: [String]
  /// The table that it is computed from.
  let source: String
  /// The columns that are remembered of changed rows.
  let capture: [String]
  /// The groups that changed rows mean, as a SELECT from `changed`.
  let keys: String
  /// Up to FROM.
  let columns: String
  let grouping: String

  /// The definition's file in a folder of a pipeline.
  func write(to pipeline: String) throws {
    let folder = Path.join(pipeline, "views")
    try Files.makeDirectory(folder)
    try Files.write(
      """
      /* rivulet view
      strategy: incremental
      description: What is measured
      key: [\(key.joined(separator: ", "))]
      unique: [\(unique.joined(separator: ", "))]
      sources:
        \(source):
          capture: [\(capture.joined(separator: ", "))]
          keys: \(keys)
      */
      SELECT \(columns)
      FROM {keys} k JOIN \(source) s USING (\(key.joined(separator: ", ")))
      GROUP BY \(grouping)

      """, to: Path.join(folder, "\(name).sql"))
  }

  /// The SELECT as one writes it by hand, of all rows of the source or of some.
  func select(where condition: String = "true") -> String {
    "SELECT \(columns) FROM \(source) s WHERE \(condition) GROUP BY \(grouping)"
  }

  /// Throws unless tables hold what the SELECT gives now, each row as often.
  func check(_ tables: [String], on connection: Connection) throws {
    try connection.transaction(settings: "SET LOCAL work_mem = '256MB'") {
      try connection.execute("CREATE TEMP TABLE expected ON COMMIT DROP AS \(select())")
      for table in tables {
        let found: Int = try connection.query(
          """
          SELECT count(*) FROM (
            (SELECT t::text FROM \(Quote.qualified(table)) t EXCEPT ALL SELECT e::text FROM expected e)
            UNION ALL (SELECT e::text FROM expected e EXCEPT ALL SELECT t::text FROM \(Quote.qualified(table)) t)) d
          """)[0].value(0)
        guard found == 0 else {
          throw BenchError.wrongCount(
            what: "rows that differ between \(table) and its SELECT", expected: 0, found: found)
        }
      }
    }
  }

  /// Throws unless the last refresh computed so many groups and has written rows; all groups where nil is
  /// expected.
  func checkRefresh(groups expected: Int?, on connection: Connection) throws {
    let last = try connection.query(
      """
      SELECT groups, inserted + updated + deleted FROM rivulet.view_refresh WHERE view = $1
      ORDER BY refresh DESC LIMIT 1
      """, [.text(name)])[0]
    let groups = try last.optional(0, Int.self)
    guard groups == expected else {
      throw BenchError.wrongCount(
        what: "groups that were computed of \(name)", expected: expected ?? -1, found: groups ?? -1)
    }
    guard try last.value(1, Int.self) > 0 else {
      throw BenchError.wrongCount(what: "rows of \(name) that were written", expected: 1, found: 0)
    }
  }
}
