import Catalog
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
  /// The project's time zone.
  let timeZone: String
  let sources: [Source]

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

  /// All stored views that are there, by name.
  static func all(on connection: Connection) throws -> [String: RegisteredView] {
    byName(try read(try connection.execute(query(where: present))))
  }

  /// The same, where the catalog may have to be made first. Not for a transaction.
  static func all(preparing connection: Connection) throws -> [String: RegisteredView] {
    byName(try read(try Catalog.prepare(connection, asking: query(where: present))))
  }

  private static let present = "rivulet.relation(v.name) IS NOT NULL"

  private static func byName(_ views: [RegisteredView]) -> [String: RegisteredView] {
    Dictionary(uniqueKeysWithValues: views.map { ($0.name, $0) })
  }

  /// The stored view of a name; nil where none was made.
  static func find(_ name: String, on connection: Connection) throws -> RegisteredView? {
    try read(try connection.execute(query(where: "v.name = \(Quote.literal(name))"))).first
  }

  private static func query(where condition: String) -> String {
    """
    SELECT v.name, v.number, v.strategy, v.definition_hash, v.follows_date,
      s.source, s.position, s.change, array_to_string(s.capture, ','), s.queue, \(ViewSettings.zone)
    FROM rivulet.view v LEFT JOIN rivulet.view_source s ON s.view = v.name
    WHERE v.strategy <> 'live' AND \(condition) ORDER BY v.name, s.position
    """
  }

  private static func read(_ rows: ResultSet) throws -> [RegisteredView] {
    var views: [RegisteredView] = []
    var sources: [Source] = []
    for (index, row) in rows.rows.enumerated() {
      if let source = row[5] {
        sources.append(
          Source(
            name: source, position: try row.value(6), change: try row.value(7),
            capture: (row[8] ?? "").split(separator: ",").map(String.init), queue: row[9]))
      }
      let isLast = index + 1 == rows.count || rows[index + 1][0] != row[0]
      guard isLast else { continue }
      views.append(
        RegisteredView(
          name: try row.value(0), number: try row.value(1), strategy: try row.value(2),
          hash: try row.value(3),
          followsDate: try row.value(4), timeZone: try row.value(10), sources: sources))
      sources = []
    }
    return views
  }
}
