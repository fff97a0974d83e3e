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
  /// The sources whose queues are not empty.
  let queued: [String]
  /// Publications since the last refresh.
  let publications: [Publication]
  /// The view is computed anew each time, since nobody learns of changes of what it reads.
  let isUntracked: Bool
  /// The date to compute for, ISO.
  let date: String
  /// The rows that it holds, and the groups; nil where it was never filled.
  let rows: Int?
  let groups: Int?

  /// What the queues of the sources hold that something was published of, by the queue.
  private let types: [String: [String: ColumnType]]

  /// Nothing is waiting.
  var isEmpty: Bool { rebuild == nil && queued.isEmpty && publications.isEmpty && !isUntracked }

  /// Reads what is waiting, in one query.
  init(of view: RegisteredView, on connection: Connection) throws {
    let queues = view.sources.compactMap { source in
      source.queue.map {
        "SELECT \(Quote.literal(source.name)) WHERE EXISTS (SELECT FROM \(Quote.qualified($0)))"
      }
    }
    let moved = view.captures.map { capture in
      let tables = RegisteredView.partitions(of: Quote.literal(capture.source))
      return """
        SELECT \(Quote.literal(capture.source)) FROM rivulet.view_source
        WHERE view = $1 AND source = \(Quote.literal(capture.source)) AND partitions <> ARRAY(\(tables))
        """
    }
    func list(_ parts: [String]) -> String {
      parts.isEmpty ? "'{}'::text[]" : "ARRAY(\(parts.joined(separator: " UNION ALL ")))"
    }
    let state = try connection.query(
      """
      SELECT rivulet.today(), v.refreshed_at IS NULL, v.follows_date AND v.as_of IS DISTINCT FROM rivulet.today(),
        v.rows, v.groups, array_to_string(\(list(queues)), ','), array_to_string(\(list(moved)), ', '), v.as_of,
        v.code IS DISTINCT FROM rivulet.view_code(rivulet.relation('rivulet.view_' || v.number))
      FROM rivulet.view v WHERE v.name = $1
      """, [.text(view.name)])[0]
    let marks = try connection.query(
      """
      SELECT DISTINCT source, release, partition, rivulet.relation(partition) IS NOT NULL,
        CASE WHEN partition IS NULL AND release IS NULL THEN reason END
      FROM rivulet.view_mark WHERE view = $1 ORDER BY 1, 2, 3
      """, [.text(view.name)])
    date = try state.value(0)
    rows = try state.optional(3)
    groups = try state.optional(4)
    queued = (state[5] ?? "").split(separator: ",").map(String.init)
    publications = try marks.rows.compactMap { row in
      guard let release = row[1] else { return nil }
      return Publication(
        source: try row.value(0), release: release, partition: row[2] ?? "", isThere: try row.value(3))
    }
    let published = publications.compactMap { publication in
      view.sources.first { $0.name == publication.source }?.queue
    }
    types = try Set(published).reduce(into: [:]) { types, queue in
      types[queue] = try ColumnType.columns(of: Quote.qualified(queue), on: connection)
    }
    hasOtherCode = try state.value(8)
    isUntracked = view.sources.contains { $0.change == "untracked" }
    if try state.value(1) {
      rebuild = "it was never filled"
    } else if try state.value(2) {
      rebuild = "the date has changed from \(state[7] ?? "none") to \(date)"
    } else if hasOtherCode {
      rebuild = "a function or a plain view that it is computed with has changed"
    } else if let mark = marks.rows.first(where: { $0[4] != nil }) {
      rebuild = "\(mark[0] ?? "") was \(mark[4] ?? "")"
    } else if let tables = state[6], !tables.isEmpty {
      rebuild = "tables came or went under \(tables)"
    } else if let lost = Self.unresolvable(publications, view) {
      rebuild = "release \(lost.release) of \(lost.source) went, and its rows with it"
    } else {
      rebuild = nil
    }
  }

  /// A publication whose rows cannot be looked at any more, though their values are needed.
  private static func unresolvable(_ publications: [Publication], _ view: RegisteredView) -> Publication? {
    publications.first { publication in
      let source = view.sources.first { $0.name == publication.source }
      return source?.capture != ["release"] && !publication.isThere
    }
  }

  /// The SELECT of what changed rows of a source held in the captured columns; nil where nothing changed.
  func changed(_ source: RegisteredView.Source) -> String? {
    guard let queue = source.queue else { return nil }
    let columns = KeysQuery.list(source.capture)
    let types = types[queue] ?? [:]
    let distinct = source.capture.allSatisfy { types[$0]?.isExact == true } ? "DISTINCT " : ""
    var parts = queued.contains(source.name) ? ["SELECT \(columns) FROM \(Quote.qualified(queue))"] : []
    for publication in publications where publication.source == source.name {
      parts.append(
        source.capture == ["release"]
          ? "SELECT \(Quote.literal(publication.release))::\(types["release"]?.name ?? "text") AS release"
          : "SELECT \(distinct)\(columns) FROM \(Quote.qualified(publication.partition))")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " UNION ALL ")
  }
}
