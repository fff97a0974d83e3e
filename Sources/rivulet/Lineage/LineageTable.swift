import PostgreSQL
import Values

/// A table or a view of the database, as a dataset of OpenLineage.
struct LineageTable {
  /// `postgres://host:port`.
  let namespace: String
  /// `database.schema.table`.
  let name: String
  /// The columns with their types; empty where they are not known.
  private let columns: [(name: String, type: String?)]

  /// `table`: `schema.table`.
  init(_ table: String, at target: ConnectionTarget, on connection: Connection) {
    let (host, port, database) = target.location
    namespace = "postgres://\(host):\(port)"
    name = "\(database).\(table)"
    let found = try? connection.query(
      """
      SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
      """, [.text(table)])
    columns = found.map { $0.rows.compactMap { row in row[0].map { ($0, row[1]) } } } ?? []
  }

  /// The dataset.
  ///
  /// `facets`: what more is known of it; `counted`: how many rows were written; nil where none were.
  func dataset(facets: JSON = [:], counted: Int? = nil) -> JSON {
    var own: JSON = ["dataSource": LineageFacet.source(namespace)]
    if !columns.isEmpty { own = own + ["schema": LineageFacet.schema(columns)] }
    let dataset: JSON = ["namespace": namespace, "name": name, "facets": own + facets]
    guard let counted else { return dataset }
    let statistics = LineageFacet.standard("1-0-2/OutputStatisticsOutputDatasetFacet", ["rowCount": counted])
    return dataset + ["outputFacets": ["outputStatistics": statistics] as JSON]
  }
}
