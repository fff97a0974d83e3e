import Host
import PostgreSQL

/// A stored view that is measured: an incremental one, with its SELECT for all groups and for some.
struct BenchView {
  /// `schema.name`.
  let name: String
  /// What its groups are known by, and what is remembered of changed rows.
  let key: String
  /// The table that it is computed from.
  let source: String
  /// Up to FROM.
  let columns: String
  let grouping: String

  /// Writes the definition into a project, as a view with a row a key.
  func write(to project: BenchProject) throws {
    try Files.write(
      """
      /* rivulet view
      strategy: incremental
      description: What is measured
      key: [\(key)]
      unique: [\(key)]
      sources:
        \(source):
          capture: [\(key)]
          keys: SELECT \(key) FROM changed
      */
      SELECT \(columns)
      FROM {keys} k JOIN \(source) s USING (\(key))
      GROUP BY \(grouping)

      """, to: Path.join(project.folder, "Pipelines/bench/views/\(name).sql"))
  }

  /// The SELECT as one writes it by hand, of all rows of the source or of some.
  func select(where condition: String = "true") -> String {
    "SELECT \(columns) FROM \(source) s WHERE \(condition) GROUP BY \(grouping)"
  }

  /// Throws unless tables hold what the SELECT gives now, each row as often.
  func check(_ tables: [String], in workbench: Workbench) throws {
    let connection = try workbench.connect(to: Workbench.own)
    try connection.execute("SET work_mem = '256MB'; CREATE TEMP TABLE expected AS \(select())")
    for table in tables {
      let found: Int = try connection.query(
        """
        SELECT count(*) FROM (
          (SELECT t::text FROM \(table) t EXCEPT ALL SELECT e::text FROM expected e)
          UNION ALL (SELECT e::text FROM expected e EXCEPT ALL SELECT t::text FROM \(table) t)) d
        """)[0].value(0)
      if found > 0 { throw BenchError.failed("\(found) rows differ between \(table) and its SELECT") }
    }
  }

  /// Throws unless the last refresh computed so many groups and has written rows; all groups where nil is
  /// expected.
  func checkRefresh(groups expected: Int?, in workbench: Workbench) throws {
    try workbench.check([
      """
      (SELECT groups, inserted + updated + deleted AS written FROM rivulet.view_refresh
        WHERE view = '\(name)' ORDER BY refresh DESC LIMIT 1) last
      WHERE groups IS NOT DISTINCT FROM \(expected.map(String.init) ?? "NULL") AND written > 0
      """: 1
    ])
  }
}
