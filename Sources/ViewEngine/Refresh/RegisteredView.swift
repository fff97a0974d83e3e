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
    /// The tables under it, by their numbers, when all of the view was computed last; without those of releases.
    let partitions: [String]
  }

  let name: String
  let number: Int
  let strategy: String
  let hash: String
  let followsDate: Bool
  /// The functions, and the tables and plain views, that it was computed with last, by their numbers, as the server writes
  /// an array.
  let functions: String
  let relations: String
  /// The version of the row that all this was read from: while it is the same, so is what else is in it, and in the rows
  /// of the sources.
  let version: String
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
        view: name, number: number, source: $0.name, position: $0.position, capture: $0.capture,
        partitions: $0.partitions)
    }
  }

  /// All stored views that are there, by name.
  static func all(on connection: Connection) throws -> [String: RegisteredView] {
    byName(try read(try connection.answers(to: queries(where: "rivulet.relation(name) IS NOT NULL"))))
  }

  /// The stored views that were made, by name, whether or not somebody has dropped one since, which takes long to ask of
  /// all; where the catalog may have to be made first. Not for a transaction.
  static func made(preparing connection: Connection) throws -> [String: RegisteredView] {
    byName(try read(try Catalog.prepare(connection, asking: queries())))
  }

  private static func byName(_ views: [RegisteredView]) -> [String: RegisteredView] {
    Dictionary(uniqueKeysWithValues: views.map { ($0.name, $0) })
  }

  /// The stored view of a name; nil where none was made.
  static func find(_ name: String, on connection: Connection) throws -> RegisteredView? {
    try read(try connection.answers(to: queries(where: "name = \(Quote.literal(name))"))).first
  }

  /// Of the views, their sources and the time zone. Each is simple, since a session that has only begun takes its time to
  /// plan a query of several tables. A view that is made anew between two of them has another number, and one that was all
  /// computed another version, which is looked at again before anything is done.
  private static func queries(where condition: String = "true") -> String {
    """
    SELECT name, number, strategy, definition_hash, follows_date, functions, relations, xmin, ctid FROM rivulet.view
    WHERE strategy <> 'live' AND \(condition);
    SELECT view, source, position, change, capture, queue, partitions FROM rivulet.view_source;
    SELECT \(ViewSettings.zone)
    """
  }

  private static func read(_ answers: [ResultSet]) throws -> [RegisteredView] {
    guard answers.count == 3 else { throw PostgreSQLError.unexpectedAnswer("\(answers.count) results") }
    let zone: String = try answers[2][0].value(0)
    var sources: [String: [Source]] = [:]
    for row in answers[1].rows {
      sources[try row.value(0), default: []].append(
        Source(
          name: try row.value(1), position: try row.value(2), change: try row.value(3),
          capture: try row.value(4), queue: row[5], partitions: try row.value(6)))
    }
    return try answers[0].rows.map { row in
      let name: String = try row.value(0)
      return RegisteredView(
        name: name, number: try row.value(1), strategy: try row.value(2), hash: try row.value(3),
        followsDate: try row.value(4), functions: row[5] ?? "{}", relations: row[6] ?? "{}",
        version: try version(row, 7), timeZone: zone,
        sources: (sources[name] ?? []).sorted { $0.position < $1.position })
    }
  }

  /// The version of a row of `rivulet.view`, which is in two columns, `xmin` and `ctid`, from one on.
  static func version(_ row: Row, _ column: Int) throws -> String {
    try row.value(column, String.self) + row.value(column + 1, String.self)
  }
}
