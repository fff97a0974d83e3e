import PostgreSQL

/// A view as the database knows it.
struct RegisteredView: Equatable {
  /// What it is computed from.
  struct Source: Equatable {
    let name: String
    let position: Int
    /// groups, rebuild or untracked.
    let change: String
    let capture: [String]
    let queue: String?
  }

  let name: String
  let number: Int
  let strategy: String
  let hash: String
  let followsDate: Bool
  /// In the order of their positions.
  var sources: [Source]

  /// The plain view that holds the whole SELECT of a stored one.
  static func twin(_ number: Int) -> String { "rivulet.view_\(number)" }
  /// The plain view that holds the whole SELECT.
  var twin: String { Self.twin(number) }

  /// The capture of the changes of each source that is captured.
  var captures: [ChangeCapture] {
    sources.filter { $0.change != "untracked" && $0.name != SourceTable.releases }.map {
      ChangeCapture(
        view: name, number: number, source: $0.name, position: $0.position, capture: $0.capture)
    }
  }

  /// The stored views that were made, by name, whether or not somebody has dropped one since.
  /// - Throws: `PostgreSQLError`.
  static func all(on connection: Connection) throws -> [String: RegisteredView] {
    Dictionary(uniqueKeysWithValues: try read(nil, on: connection).map { ($0.name, $0) })
  }

  /// The stored view of a name; nil where none was made.
  /// - Throws: `PostgreSQLError`.
  static func find(_ name: String, on connection: Connection) throws -> RegisteredView? {
    try read(name, on: connection).first
  }

  private static func read(_ name: String?, on connection: Connection) throws -> [RegisteredView] {
    // One statement, and so one snapshot: a view that is made again has another number, and other sources.
    let found = try connection.query(
      """
      SELECT v.name, v.number, v.strategy, v.definition_hash, v.follows_date,
        s.source, s.position, s.change, s.capture, s.queue
      FROM rivulet.view v LEFT JOIN rivulet.view_source s ON s.view = v.name
      WHERE v.strategy <> 'live' AND ($1::text IS NULL OR v.name = $1) ORDER BY v.name, s.position
      """, [Parameter(name)])
    var views: [RegisteredView] = []
    for row in found.rows {
      let name: String = try row.value(0)
      if views.last?.name != name {
        views.append(
          RegisteredView(
            name: name, number: try row.value(1), strategy: try row.value(2), hash: try row.value(3),
            followsDate: try row.value(4), sources: []))
      }
      guard let source = row[5] else { continue }
      views[views.count - 1].sources.append(
        Source(
          name: source, position: try row.value(6), change: try row.value(7), capture: try row.value(8),
          queue: row[9]))
    }
    return views
  }
}
