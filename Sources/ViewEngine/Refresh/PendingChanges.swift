import PostgreSQL

/// What is waiting to be computed of a stored view, as one snapshot sees it.
struct PendingChanges {
  /// Rows of a release that came or went by publishing.
  struct Publication {
    let source: String
    let release: String
    /// The table of the revision.
    let partition: String
    /// False where the table is gone.
    let isThere: Bool
  }

  /// Why every group must be computed, in words; nil where that is not so.
  let rebuild: String?
  /// What it is computed with is not what it was: functions, plain views, names or columns of tables.
  let hasOtherCode: Bool
  /// That must be found out anew each time until ``ViewCode/versions`` is noted.
  let hasOtherVersions: Bool
  /// The sources whose queues are not empty.
  let queued: [String]
  /// Publications since the last refresh.
  let publications: [Publication]
  /// The view is computed anew each time, since nobody learns of changes of what it reads.
  let isUntracked: Bool
  /// The triggers are there by which changes of the sources are seen.
  let isWatched: Bool
  /// The rows that it holds, and the groups; nil where it was never filled.
  let rows: Int?
  let groups: Int?

  /// Nothing is waiting.
  var isEmpty: Bool { rebuild == nil && queued.isEmpty && publications.isEmpty && !isUntracked }

  /// Reads what is waiting.
  init(of view: RegisteredView, on connection: Connection) throws {
    let answers = try connection.answers(to: Self.state(of: view))
    guard let pending = try PendingChanges(of: view, answers, on: connection) else {
      throw RefreshError.outOfStep(view.name)
    }
    self = pending
  }

  /// Nil where the view is not there, or not any more as it is known, or the project's time zone is another.
  /// - Parameter answers: what the server has answered, to ``state(of:)`` last.
  init?(of view: RegisteredView, _ answers: [ResultSet], on connection: Connection) throws {
    guard let marks = answers.last, let states = answers.dropLast().last else {
      throw PostgreSQLError.unexpectedAnswer("none")
    }
    guard let state = states.first else { return nil }
    self.rows = try state.optional(1)
    groups = try state.optional(2)
    let (shown, today) = (state[3], state[4])
    hasOtherVersions = try state.value(5)
    hasOtherCode = try hasOtherVersions && Self.hasOtherCode(view, on: connection)
    queued = try state.value(6)
    var changedTables: String?
    if try state.value(7) {
      isWatched = true
    } else {
      let changes = try connection.query(CapturedTables.changes, [.text(view.name)])[0]
      changedTables = changes[0]
      isWatched = try changes.value(1)
    }
    publications = try marks.rows.compactMap { mark in
      guard let source = mark[0], let release = mark[1] else { return nil }
      return Publication(
        source: source, release: release, partition: mark[2] ?? "", isThere: try mark.value(3))
    }
    isUntracked = view.sources.contains { $0.change == "untracked" }
    if try state.value(0) {
      rebuild = "it was never filled"
    } else if let today, today != shown {
      rebuild = "the date has changed from \(shown ?? "none") to \(today)"
    } else if hasOtherCode {
      rebuild = "a function or a plain view that it is computed with has changed"
    } else if let mark = marks.rows.first(where: { $0[4] != nil }) {
      rebuild = "\(mark[0] ?? "") was \(mark[4] ?? "")"
    } else if let changedTables {
      rebuild = "tables came or went under \(changedTables)"
    } else if let lost = Self.unresolvable(publications, view) {
      rebuild = "release \(lost.release) of \(lost.source) went, and its rows with it"
    } else {
      rebuild = nil
    }
  }

  /// Queries of the state of a view, in one row, and of what it was marked for. Which day it is, is asked only where that
  /// matters.
  static func state(of view: RegisteredView) -> String {
    let name = Quote.literal(view.name)
    let queues = view.sources.compactMap { source in
      source.queue.map {
        "SELECT \(Quote.literal(source.name)) WHERE EXISTS (SELECT FROM \(Quote.qualified($0)))"
      }
    }
    let queued = queues.isEmpty ? "SELECT '' WHERE false" : queues.joined(separator: " UNION ALL ")
    return """
      SELECT v.refreshed_at IS NULL, v.rows, v.groups, v.as_of, CASE WHEN v.follows_date THEN rivulet.today() END,
        v.versions IS DISTINCT FROM \(ViewCode.versions),
        ARRAY(\(queued)), \(CapturedTables.areAsNoted(view.name, number: view.number))
      FROM rivulet.view v
      WHERE v.name = \(name) AND v.number = \(view.number) AND v.definition_hash = \(Quote.literal(view.hash))
        AND v.follows_date = \(view.followsDate) AND \(ViewSettings.zone) = \(Quote.literal(view.timeZone))
        AND rivulet.relation(v.name) IS NOT NULL;
      SELECT DISTINCT source, release, partition, rivulet.relation(partition) IS NOT NULL,
        CASE WHEN partition IS NULL AND release IS NULL THEN reason END
      FROM rivulet.view_mark WHERE view = \(name) ORDER BY 1, 2, 3
      """
  }

  private static func hasOtherCode(_ view: RegisteredView, on connection: Connection) throws -> Bool {
    try connection.query(
      "SELECT \(ViewCode.isOther) FROM rivulet.view v WHERE v.name = $1", [.text(view.name)])[0].value(0)
  }

  /// A publication whose rows cannot be looked at any more, though their values are needed.
  private static func unresolvable(_ publications: [Publication], _ view: RegisteredView) -> Publication? {
    publications.first { publication in
      let source = view.sources.first { $0.name == publication.source }
      return source?.capture != ["release"] && !publication.isThere
    }
  }

  /// All that has changed are releases as such: their names are at hand.
  func isOfReleases(_ view: RegisteredView) -> Bool {
    queued.isEmpty
      && publications.allSatisfy { publication in
        view.sources.contains { $0.name == publication.source && $0.capture == ["release"] }
      }
  }

  /// The queues of the sources that something was published of, quoted.
  func published(_ view: RegisteredView) -> Set<String> {
    Set(
      publications.compactMap { publication in
        view.sources.first { $0.name == publication.source }?.queue.map(Quote.qualified)
      })
  }

  /// The SELECT of what changed rows of a source held in the captured columns; nil where nothing changed.
  /// - Parameter types: the columns of queues, by the queue's quoted name.
  func changed(_ source: RegisteredView.Source, _ types: [String: [String: ColumnType]]) -> String? {
    guard let queue = source.queue.map(Quote.qualified) else { return nil }
    let columns = KeysQuery.list(source.capture)
    let types = types[queue] ?? [:]
    let distinct = source.capture.allSatisfy { types[$0]?.isExact == true } ? "DISTINCT " : ""
    var parts = queued.contains(source.name) ? ["SELECT \(columns) FROM \(queue)"] : []
    for publication in publications where publication.source == source.name {
      parts.append(
        source.capture == ["release"]
          ? "SELECT \(Quote.literal(publication.release))::\(types["release"]?.name ?? "text") AS release"
          : "SELECT \(distinct)\(columns) FROM \(Quote.qualified(publication.partition))")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " UNION ALL ")
  }
}
