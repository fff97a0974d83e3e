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
  /// Which rows count, and the column that says so, which is remembered as well; nil where all do.
  var condition: (column: String, sql: String)?

  private var capture: String {
    ([key] + [condition?.column].compactMap(\.self).filter { $0 != key }).joined(separator: ", ")
  }

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
          capture: [\(capture)]
          keys: "SELECT \(key) FROM changed\(counted)"
      */
      SELECT \(columns)
      FROM {keys} k JOIN \(source) s USING (\(key))\(counted)
      GROUP BY \(grouping)

      """, to: Path.join(project.folder, "Pipelines/bench/views/\(name).sql"))
  }

  private var counted: String { condition.map { " WHERE \($0.sql)" } ?? "" }

  /// The SELECT as one writes it by hand, of all rows of the source that count or of some.
  func select(where rows: String? = nil) -> String {
    "SELECT \(columns) FROM \(source) s WHERE \(rows ?? condition?.sql ?? "true") GROUP BY \(grouping)"
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
