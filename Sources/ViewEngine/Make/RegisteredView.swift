import Definitions
import PostgreSQL
import Values

/// A view as the database knows it.
struct RegisteredView: Equatable {
  /// Whether it is still as it was made.
  enum State: String {
    /// It is.
    case whole
    /// A stored view's rows and queues are there; the plain view that ties it to its sources is not.
    case untied
    /// Something of it is gone, or it reads tables that have another name now, and another table theirs.
    case broken
  }

  /// What it is computed from.
  struct Source: Equatable {
    let name: String
    let position: Int
    /// groups, rebuild or untracked.
    let change: String
    let capture: [String]
    let queue: String?
    /// What its queue holds where its changes are added up; nil where they are not.
    var adds: AddedChanges? = nil
    /// Where its rows lie.
    var placed: SourcePlacement? = nil
  }

  let name: String
  let number: Int
  let strategy: String
  let hash: String
  let state: State
  let followsDate: Bool
  /// In the order of their positions.
  var sources: [Source]

  /// The source whose changes are added up: ``StoredSums``; nil where groups are computed from their rows.
  var added: Source? { sources.first { $0.adds != nil } }
  /// Citus keeps its rows, and what they are computed from, on several servers.
  var isOnShards: Bool { sources.contains { $0.placed == .shards } }
  /// A table holds its rows.
  var isStored: Bool { strategy != "live" }
  /// Whether it is there as a definition of this hash has it.
  func isMade(by hash: String?) -> Bool { state == .whole && self.hash == hash }

  /// The plain view that holds the whole SELECT of a stored one.
  static func twin(_ number: Int) -> String { "rivulet.view_\(number)" }
  /// The plain view that holds the whole SELECT.
  var twin: String { Self.twin(number) }

  /// The name of the lock that lets one refresh of a view at a time be at work, and none while it is made
  /// again.
  static func lock(_ view: String) -> String { "rivulet view \(view)" }

  /// SQL over a row `v` of `rivulet.view`: a digest of the functions, plain views, names and columns of tables
  /// that it is computed with, which the row of this name has.
  static func code(of row: String) -> String {
    "rivulet.view_code(rivulet.relation('rivulet.view_' || v.number), \(row).functions, \(row).relations)"
  }

  /// The capture of the changes of each source that is captured.
  var captures: [ChangeCapture] {
    sources.filter { $0.change != "untracked" && $0.placed != .marks && $0.name != SourceTable.releases }.map
    {
      ChangeCapture(
        view: name, number: number, source: $0.name, position: $0.position, capture: $0.capture,
        isOnShards: $0.placed == .shards)
    }
  }

  /// The views that were made, by name, whether or not somebody has dropped one since.
  ///
  /// `lookingAtState`: false takes each for whole, for who finds out by using it.
  /// - Throws: `PostgreSQLError`.
  static func all(
    on connection: Connection, lookingAtState: Bool = true
  ) throws -> [String: RegisteredView] {
    let views = try read(nil, on: connection, lookingAtState: lookingAtState)
    return Dictionary(uniqueKeysWithValues: views.map { ($0.name, $0) })
  }

  /// The view of a name; nil where none was made.
  /// - Throws: `PostgreSQLError`.
  static func find(_ name: String, on connection: Connection) throws -> RegisteredView? {
    try read(name, on: connection).first
  }

  private static func read(
    _ name: String?, on connection: Connection, lookingAtState: Bool = true
  ) throws -> [RegisteredView] {
    // One statement, and so one snapshot: a view that is made again has another number, and other sources.
    let found = try connection.query(
      """
      WITH made AS MATERIALIZED (SELECT v.*, CASE
        WHEN NOT $2::boolean THEN 'whole'
        -- What the role may not look at is taken for whole: who refreshes it meets the missing right.
        WHEN EXISTS (SELECT FROM pg_namespace n WHERE NOT has_schema_privilege(n.oid, 'USAGE') AND n.nspname IN (
          SELECT split_part(v.name, '.', 1) UNION ALL
          SELECT split_part(s.source, '.', 1) FROM rivulet.view_source s WHERE s.view = v.name)) THEN 'whole'
        WHEN rivulet.relation(v.name) IS NULL OR EXISTS (SELECT FROM rivulet.view_source s
          WHERE s.view = v.name AND s.queue IS NOT NULL AND rivulet.relation(s.queue) IS NULL) THEN 'broken'
        WHEN EXISTS (SELECT FROM rivulet.view_source s WHERE s.view = v.name AND s.adds IS NOT NULL)
          AND (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'rivulet'
            WHERE c.relkind = 'r' AND (c.relname = 'sums_' || v.number OR c.relname ~ ('^values_' || v.number || '_[0-9]+$')))
          IS DISTINCT FROM (SELECT 1 + count(*) FROM pg_attribute a WHERE a.attname ~ '^d[0-9]+$'
            AND a.attrelid = rivulet.relation('rivulet.sums_' || v.number) AND NOT a.attisdropped) THEN 'broken'
        WHEN v.strategy = 'live' THEN 'whole'
        -- Renamed or dropped: the trigger would fail every writer.
        WHEN EXISTS (SELECT FROM rivulet.view_source s CROSS JOIN LATERAL unnest(s.capture || s.uses) c(name)
          WHERE s.view = v.name AND NOT EXISTS (SELECT FROM pg_attribute a
            WHERE a.attrelid = rivulet.relation(s.source) AND a.attname = c.name AND NOT a.attisdropped))
              THEN 'broken'
        WHEN rivulet.relation(twin) IS NULL THEN 'untied'
        WHEN EXISTS (SELECT FROM rivulet.view_uses(rivulet.relation(twin)) u
          JOIN pg_class c ON u.class = 'pg_class'::regclass AND c.oid = u.id
            AND c.relkind IN ('r', 'p', 'f', 'm')
          JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname <> 'rivulet'
          WHERE n.nspname || '.' || c.relname NOT IN (SELECT source FROM rivulet.view_source s WHERE s.view = v.name))
            THEN 'broken'
        ELSE 'whole' END AS state
        FROM rivulet.view v CROSS JOIN LATERAL (SELECT 'rivulet.view_' || v.number) t(twin)
        WHERE $1::text IS NULL OR v.name = $1)
      SELECT v.name, v.number, v.strategy, v.definition_hash, v.state, v.follows_date,
        s.source, s.position, s.change, s.capture, s.queue, s.adds, s.placed
      FROM made v LEFT JOIN rivulet.view_source s ON s.view = v.name ORDER BY v.name, s.position
      """, [Parameter(name), .boolean(lookingAtState)])
    var views: [RegisteredView] = []
    for row in found.rows {
      let name: String = try row.value(0)
      if views.last?.name != name {
        views.append(
          RegisteredView(
            name: name, number: try row.value(1), strategy: try row.value(2), hash: try row.value(3),
            state: State(rawValue: try row.value(4)) ?? .broken, followsDate: try row.value(5),
            sources: []))
      }
      guard let source = row[6] else { continue }
      views[views.count - 1].sources.append(
        Source(
          name: source, position: try row.value(7), change: try row.value(8), capture: try row.value(9),
          queue: row[10], adds: row[11].flatMap(AddedChanges.init),
          placed: row[12].flatMap(SourcePlacement.init)))
    }
    return views
  }
}

extension ViewDefinition {
  /// What tells this definition from another, as it is recorded of the view that is made by it.
  var digest: String {
    var texts = [strategy.rawValue, description, sql(keys: "{keys}")]
    if !readers.isEmpty { texts.append("grants \(readers.map(\.value))") }
    if isStored {
      texts += [
        "key \(key.map(\.value)) unique \(unique.map(\.value))",
        "indexes \(indexes.map { $0.map(\.value) }) owner \(ownerColumn?.value ?? "")",
        "fresh_for \(freshFor.map { "\($0)" } ?? "")",
      ]
      texts += sources.map { source in
        switch source.change {
        case .rebuild: "\(source.name.value) rebuild"
        case .groups(let capture, let keys): "\(source.name.value) \(capture.map(\.value)) \(keys.sql)"
        }
      }
    }
    return SHA256.hex(of: texts.joined(separator: "\n"))
  }
}

/// Which stored view reads which.
struct ViewGraph {
  private let views: [String: RegisteredView]
  /// All views, each after those that it reads.
  let order: [String]

  init(_ views: [String: RegisteredView]) {
    self.views = views
    var order: [String] = []
    var seen: Set<String> = []
    // A view is made after those that it reads, so that there is no circle.
    func add(_ name: String) {
      guard let view = views[name], seen.insert(name).inserted else { return }
      for source in view.sources { add(source.name) }
      order.append(name)
    }
    for name in views.keys.sorted() { add(name) }
    self.order = order
  }

  /// The stored views that a view reads, directly or through live ones.
  func read(by name: String) -> [String] {
    (views[name]?.sources ?? []).map(\.name).filter { views[$0] != nil }
  }

  /// The stored views that read a table or a view.
  func readers(of name: String) -> [String] {
    order.filter { reader in views[reader]?.sources.contains { $0.name == name } == true }
  }

  /// The stored views that read one of some tables, or a view that does.
  func readers(of tables: [String]) -> Set<String> {
    closure(of: tables.flatMap(readers(of:)), readers(of:))
  }

  /// Views, and all that are reached from them.
  func closure(of names: [String], _ next: (String) -> [String]) -> Set<String> {
    var found: Set<String> = []
    var waiting = names
    while let name = waiting.popLast() {
      if found.insert(name).inserted { waiting += next(name) }
    }
    return found
  }
}
