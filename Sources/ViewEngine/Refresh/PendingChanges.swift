import PostgreSQL

/// What is waiting to be computed of a stored view, as one snapshot sees it.
struct PendingChanges {
  /// Rows of a release that came or went by publishing.
  struct Publication: Hashable {
    let source: String
    let release: String
    /// The table of the revision; it may be gone.
    let partition: String
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
  private let foundColumns: ResultSet

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
    guard answers.count >= Self.stateAnswers else {
      throw PostgreSQLError.unexpectedAnswer("\(answers.count) results")
    }
    let answers = Array(answers.suffix(Self.stateAnswers))
    guard let state = answers[0].first, try RegisteredView.version(state, 0) == view.version,
      try state.value(8, Bool.self), answers[1].first?[0] == view.timeZone
    else { return nil }
    rows = try state.optional(3)
    groups = try state.optional(4)
    let (shown, today) = (state[5], state[6])
    queued = try answers[2].rows.map { try $0.value(0) }
    let marks = answers[3].rows
    foundColumns = answers[4]
    hasOtherVersions = try ViewCode.versions(answers[5]) != state[7]
    hasOtherCode = try hasOtherVersions && Self.hasOtherCode(view, on: connection)
    var changedTables: String?
    let noted = NotedTables(captures: view.captures)
    if try noted.areThere(roots: state.value(9), triggers: answers[6], children: answers[7]) {
      isWatched = true
    } else {
      let changes = try connection.query(CapturedTables.changes, [.text(view.name)])[0]
      changedTables = changes[0]
      isWatched = try changes.value(1)
    }
    let published = marks.compactMap { mark -> Publication? in
      guard let source = mark[0], let release = mark[1] else { return nil }
      return Publication(source: source, release: release, partition: mark[2] ?? "")
    }
    publications = Set(published).sorted {
      ($0.source, $0.release, $0.partition) < ($1.source, $1.release, $1.partition)
    }
    isUntracked = view.sources.contains { $0.change == "untracked" }
    if try state.value(2) {
      rebuild = "it was never filled"
    } else if let today, today != shown {
      rebuild = "the date has changed from \(shown ?? "none") to \(today)"
    } else if hasOtherCode {
      rebuild = "a function or a plain view that it is computed with has changed"
    } else if let reason = marks.filter({ $0[1] == nil && $0[2] == nil }).map({
      "\($0[0] ?? "") was \($0[3] ?? "")"
    }).min() {
      rebuild = reason
    } else if let changedTables {
      rebuild = "tables came or went under \(changedTables)"
    } else if let lost = try Self.unresolvable(publications, view, on: connection) {
      rebuild = "release \(lost.release) of \(lost.source) went, and its rows with it"
    } else {
      rebuild = nil
    }
  }

  /// Queries of the state of a view: each is simple, with what is known as constants, since a session that has only begun
  /// takes its time to plan one that is not.
  static func state(of view: RegisteredView) -> String {
    let queues = view.sources.compactMap { source in
      source.queue.map {
        "SELECT \(Quote.literal(source.name)) WHERE EXISTS (SELECT FROM \(Quote.qualified($0)))"
      }
    }
    let noted = NotedTables(captures: view.captures)
    return """
      SELECT xmin, ctid, refreshed_at IS NULL, rows, groups, as_of, \(view.followsDate ? "rivulet.today()" : "NULL"), versions,
        to_regclass(\(Quote.literal(Quote.qualified(view.name)))) IS NOT NULL, \(noted.roots)
      FROM rivulet.view WHERE number = \(view.number);
      SELECT \(ViewSettings.zone);
      \(queues.isEmpty ? "SELECT '' WHERE false" : queues.joined(separator: " UNION ALL "));
      SELECT source, release, partition, reason FROM rivulet.view_mark WHERE view = \(Quote.literal(view.name));
      \(ColumnType.columns(of: ([view.name] + view.sources.compactMap(\.queue)).map(Quote.qualified)));
      \(ViewCode.rows(of: view));
      \(noted.queries)
      """
  }

  /// So many answers are given to ``state(of:)``.
  private static let stateAnswers = 8

  private static func hasOtherCode(_ view: RegisteredView, on connection: Connection) throws -> Bool {
    try connection.query(
      "SELECT \(ViewCode.isOther) FROM rivulet.view v WHERE v.name = $1", [.text(view.name)])[0].value(0)
  }

  /// A publication whose rows cannot be looked at any more, though their values are needed.
  private static func unresolvable(
    _ publications: [Publication], _ view: RegisteredView, on connection: Connection
  ) throws -> Publication? {
    let needed = publications.filter { publication in
      view.sources.first { $0.name == publication.source }?.capture != ["release"]
    }
    if needed.isEmpty { return nil }
    let lost: [String] = try connection.query(
      "SELECT DISTINCT name FROM unnest($1::text[]) t(name) WHERE rivulet.relation(name) IS NULL",
      [.textArray(needed.map(\.partition))]
    ).rows.map { try $0.value(0) }
    return needed.first { lost.contains($0.partition) }
  }

  /// All that has changed are releases as such: their names are at hand.
  func isOfReleases(_ view: RegisteredView) -> Bool {
    queued.isEmpty
      && publications.allSatisfy { publication in
        view.sources.contains { $0.name == publication.source && $0.capture == ["release"] }
      }
  }

  /// The columns of the view's table, and of its queues, by the tables' quoted names.
  func columns(on connection: Connection) throws -> [String: [String: ColumnType]] {
    try ColumnType.columns(foundColumns, on: connection)
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
