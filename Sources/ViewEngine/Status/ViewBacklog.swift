/// What is waiting to be computed of the stored views of a database, decided from what one moment saw of
/// them.
///
/// A view is behind for what happened to its own sources, and for a view that it reads being behind. It is
/// stale when it is behind for longer than its definition allows.
struct ViewBacklog {
  /// Why a view is not what its SELECT gives now, or may not be.
  enum Reason: Equatable {
    /// Nothing was ever computed.
    case neverFilled
    /// Rows of a source have changed: how many are in its queue.
    case changedRows(source: String, count: Int)
    /// What no row of a source says, in words that can follow "was": a release that came, a TRUNCATE. The
    /// rows of a release that came or went are named where they are all that is meant.
    case marked(source: String, String, rows: Publication? = nil)
    /// Tables came under a source, or went, by no publishing.
    case partitions(source: String)
    /// Triggers of a source are dropped or switched off: what changed is not known.
    case unwatched(source: String)
    /// A subscription fills a source, whose changes fire no trigger of a statement.
    case subscribed(source: String)
    /// The queue of a source is not there: what changed is not known.
    case lostQueue(source: String)
    /// It was computed for another date than the one now, or the one asked for.
    case date(shown: String?, wanted: String)
    /// A function or a plain view that it is computed with is not what it was.
    case code
    /// Nothing can say whether the source has changed.
    case untracked(source: String)
    /// A view that it reads is behind.
    case reads(String)
  }

  /// Rows of a release that came or went by publishing.
  struct Publication: Equatable {
    let source: String
    let release: String
    /// The table of the revision; nil where it is gone, or the role may not read it.
    let table: String?
  }

  /// A stored view and what is waiting for it.
  struct Entry {
    /// How much longer it may lag behind by its definition, in seconds; less than 0 where its last refresh is
    /// longer ago than that, nil where it may not at all.
    var freshLeft: Double?
    /// Empty where the view is exact.
    var reasons: [Reason] = []
    /// The stored views that it reads.
    var reads: [String] = []

    /// Its last refresh is no longer ago than its definition allows; false where it allows nothing.
    var isFresh: Bool { freshLeft.map { $0 >= 0 } ?? false }
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
    /// The reasons in words, each once. A table that came under a source is not watched yet, which needs no
    /// saying.
    var sentences: [String] {
      let came = reasons.compactMap { if case .partitions(let source) = $0 { source } else { nil } }
      let shown = reasons.filter {
        if case .unwatched(let source) = $0 { !came.contains(source) } else { true }
      }
      return shown.map(\.description).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
  }

  /// By the view's name.
  private(set) var entries: [String: Entry] = [:]

  /// Decides from what was seen of the stored views, with reasons in the order in which they are to be given.
  init(_ entries: [String: Entry]) {
    self.entries = entries
    spread()
  }

  /// What is waiting for a view; nil where it is not a stored one.
  subscript(view: String) -> Entry? { entries[view] }

  /// A view that reads one that is behind is behind as well. Where only nobody can say, as of a foreign
  /// table, that counts once the view is stale: until then what is stored there is what is to be read.
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
          entries[name]?.reasons.append(.reads(read))
          hasChanged = true
        }
      }
    }
  }
}

extension ViewBacklog.Reason: CustomStringConvertible {
  /// What a view is marked for as long as a subscription fills a source, and until it is refreshed after that.
  static let subscribed = "filled by a subscription, past all triggers"

  /// For people: a clause that can follow a view's name.
  var description: String {
    switch self {
    case .neverFilled: "it was never filled"
    case .changedRows(let source, let count): "\(count) changed row\(count == 1 ? "" : "s") of \(source)"
    case .marked(let source, let reason, _): "\(source) was \(reason)"
    case .partitions(let source): "tables were attached to \(source) or detached from it"
    case .unwatched(let source):
      "what changed in \(source) is not known: triggers of it are dropped or switched off"
    case .subscribed(let source): "\(source) was \(Self.subscribed)"
    case .lostQueue(let source): "what changed in \(source) is not known: its queue is gone"
    case .date(let shown, let wanted): "it shows \(shown ?? "no date"), not \(wanted)"
    case .code: "a function or a plain view that it is computed with has changed"
    case .untracked(let source): "\(source) may have changed: nothing reports its changes"
    case .reads(let view): "\(view), which it reads, is behind"
    }
  }
}

/// What a refresh of one stored view has to do, decided from what is waiting for it.
struct PendingChanges {
  /// Why every group must be computed, in words; nil where that is not so.
  private(set) var rebuild: String?
  /// What it is computed with is not what it was: functions, plain views, names or columns of tables.
  private(set) var hasOtherCode = false
  /// A queue is gone, so that the view is not whole.
  private(set) var hasLostQueue = false
  /// The sources whose queues are not empty.
  private(set) var queued: [String] = []
  /// Publications since the last refresh, in order.
  private(set) var publications: [ViewBacklog.Publication] = []
  /// The view is computed again each time, since nobody learns of changes of what it reads.
  private(set) var isUntracked = false
  /// Sources that a subscription fills.
  private(set) var subscribed: [String] = []
  /// The triggers are there by which changes of the sources are seen.
  private(set) var isWatched = true

  /// Nothing is waiting.
  var isEmpty: Bool { rebuild == nil && queued.isEmpty && publications.isEmpty && !isUntracked }

  /// Decides what is to be done for some reasons, of which the first that asks for all groups is the one that
  /// is given.
  init(_ reasons: [ViewBacklog.Reason], of view: RegisteredView) {
    for reason in reasons {
      switch reason {
      case .marked(_, _, let rows?):
        if !publications.contains(rows) { publications.append(rows) }
      case .neverFilled, .date, .partitions, .marked, .code, .subscribed:
        rebuild = rebuild ?? reason.description
        if reason == .code { hasOtherCode = true }
        if case .subscribed(let source) = reason { subscribed.append(source) }
      case .changedRows(let source, _): queued.append(source)
      case .unwatched: isWatched = false
      case .lostQueue: hasLostQueue = true
      case .untracked: isUntracked = true
      // It is refreshed first.
      case .reads: break
      }
    }
    publications.sort {
      ($0.source, $0.release, $0.table ?? "") < ($1.source, $1.release, $1.table ?? "")
    }
    // Its values are needed, and cannot be looked at any more.
    let lost = publications.first { publication in
      publication.table == nil
        && view.sources.first { $0.name == publication.source }?.capture != ["release"]
    }
    rebuild = rebuild ?? lost.map { "the rows of release \($0.release) of \($0.source) cannot be looked at" }
  }
}
