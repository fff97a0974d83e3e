import PostgreSQL

/// What is waiting to be computed, of the stored views of a database as one moment sees them.
///
/// A view is behind for what happened to its own sources, and for a view that it reads being behind. It is stale when
/// it is behind for longer than its definition bears.
struct ViewBacklog {
  /// Why a view is not what its SELECT gives now, or may not be.
  enum Reason: Equatable {
    /// Nothing was ever computed.
    case neverFilled
    /// Rows of a source have changed: how many are in its queue.
    case changedRows(source: String, count: Int)
    /// What no row of a source tells, in words that can stand behind "was": a release that came, a TRUNCATE.
    case marked(source: String, String)
    /// Tables came under a source, or went, by no publishing.
    case partitions(source: String)
    /// Triggers of a source are dropped or switched off: what changed is not known.
    case unwatched(source: String)
    /// The queue of a source is not there: what changed is not known.
    case lostQueue(source: String)
    /// It was computed for another date than the one now, or the one asked for.
    case date(shown: String?, wanted: String)
    /// A function or a plain view that it is computed with is not what it was.
    case code
    /// Nothing can tell whether the source has changed.
    case untracked(source: String)
    /// A view that it reads is behind.
    case reads(String)
  }

  /// A stored view and what is waiting for it.
  struct Entry {
    /// Its last refresh is no longer ago than its definition bears; false where it bears nothing.
    fileprivate(set) var isFresh: Bool
    /// Empty where the view is exact.
    fileprivate(set) var reasons: [Reason] = []
    /// The stored views that it reads.
    fileprivate(set) var reads: [String] = []

    /// There is something to compute.
    var isBehind: Bool { !reasons.isEmpty }
    /// There is, and for longer than it may be.
    var isStale: Bool { isBehind && !isFresh }
    /// Rows waiting in its queues.
    var pending: Int { pendingBySource.values.reduce(0, +) }
    /// The same by source.
    var pendingBySource: [String: Int] {
      reasons.reduce(into: [:]) {
        if case .changedRows(let source, let count) = $1 { $0[source, default: 0] += count }
      }
    }
  }

  /// By the view's name.
  private(set) var entries: [String: Entry] = [:]

  /// Reads what is waiting, in two queries at most.
  ///
  /// - Parameters:
  ///   - view: only this one, and what it reads; all stored ones when nil.
  ///   - date: the date that a view shall show, ISO; the date now in the project's time zone when nil.
  ///   - limit: how many rows of a queue are counted; all when nil. One is enough to tell whether there is any.
  init(of view: String? = nil, date: String? = nil, limit: Int? = nil, on connection: Connection) throws {
    var queues: [Queue] = []
    for row in try connection.query(Self.findings, [Parameter(view), Parameter(date)]).rows {
      let name: String = try row.value(0)
      let (subject, about) = (row[2] ?? "", row[3] ?? "")
      switch try row.value(1, String.self) {
      case "view": entries[name] = Entry(isFresh: about == "fresh")
      case "unfilled": add(.neverFilled, to: name)
      case "date": add(.date(shown: row[2], wanted: about), to: name)
      case "mark": add(.marked(source: subject, about), to: name)
      case "partitions": add(.partitions(source: subject), to: name)
      case "unwatched": add(.unwatched(source: subject), to: name)
      case "lost": add(.lostQueue(source: subject), to: name)
      case "code": add(.code, to: name)
      case "untracked": add(.untracked(source: subject), to: name)
      case "reads": entries[name]?.reads.append(subject)
      default: queues.append(Queue(view: name, source: subject, table: about))
      }
    }
    try count(queues, limit, on: connection)
    spread()
  }

  /// What is waiting for a view; nil where it is not a stored one.
  subscript(view: String) -> Entry? { entries[view] }

  private struct Queue {
    let view: String
    let source: String
    let table: String
  }

  private mutating func add(_ reason: Reason, to view: String) { entries[view]?.reasons.append(reason) }

  private mutating func count(_ queues: [Queue], _ limit: Int?, on connection: Connection) throws {
    if queues.isEmpty { return }
    let rows = limit.map { "(SELECT FROM %s LIMIT \($0)) q" } ?? "%s"
    let counts = queues.enumerated().map { index, queue in
      "SELECT \(index), count(*) FROM " + rows.replacing("%s", with: Quote.qualified(queue.table))
    }
    for row in try connection.execute(counts.joined(separator: " UNION ALL ") + " ORDER BY 1").rows {
      let (index, count) = (try row.value(0, Int.self), try row.value(1, Int.self))
      if count > 0 { add(.changedRows(source: queues[index].source, count: count), to: queues[index].view) }
    }
  }

  /// A view that reads one that is behind is behind as well. Where only nobody can tell, as of a foreign table, that
  /// counts once the view is stale: until then what is stored there is what is to be read.
  private mutating func spread() {
    func isCertain(_ entry: Entry) -> Bool {
      entry.isStale
        || entry.reasons.contains { if case .untracked = $0 { false } else { true } }
    }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for (name, entry) in entries {
        for read in entry.reads where !entry.reasons.contains(.reads(read)) {
          guard let other = entries[read], isCertain(other) else { continue }
          add(.reads(read), to: name)
          hasChanged = true
        }
      }
    }
  }
}

extension ViewBacklog.Reason: CustomStringConvertible {
  /// For people: a clause that can stand after a view's name.
  var description: String {
    switch self {
    case .neverFilled: "it was never filled"
    case .changedRows(let source, let count): "\(count) changed row\(count == 1 ? "" : "s") of \(source)"
    case .marked(let source, let reason): "\(source) was \(reason)"
    case .partitions(let source): "tables were attached to \(source) or detached from it"
    case .unwatched(let source):
      "what changed in \(source) is not known: triggers of it are dropped or switched off"
    case .lostQueue(let source): "what changed in \(source) is not known: its queue is gone"
    case .date(let shown, let wanted): "it shows \(shown ?? "no date"), not \(wanted)"
    case .code: "a function or a plain view that it is computed with has changed"
    case .untracked(let source): "\(source) may have changed: nothing tells of its changes"
    case .reads(let view): "\(view), which it reads, is behind"
    }
  }
}
