/// What a refresh of one stored view has to do, decided from what is waiting for it.
struct PendingChanges {
  /// Rows of a source that came or went with a release.
  struct Publication: Hashable {
    let source: String
    let rows: ViewBacklog.Publication
  }

  /// Why every group must be computed, in words; nil where that is not so.
  let rebuild: String?
  /// What it is computed with is not what it was: functions, plain views, names or columns of tables.
  let hasOtherCode: Bool
  /// A queue is gone, so that the view is not whole.
  let hasLostQueue: Bool
  /// The sources whose queues are not empty.
  let queued: [String]
  /// Publications since the last refresh, in order.
  let publications: [Publication]
  /// The view is computed again each time, since nobody learns of changes of what it reads.
  let isUntracked: Bool
  /// The triggers are there by which changes of the sources are seen.
  let isWatched: Bool

  /// Nothing is waiting.
  var isEmpty: Bool { rebuild == nil && queued.isEmpty && publications.isEmpty && !isUntracked }

  /// Decides what is to be done for some reasons, of which the first that asks for all groups is the one that
  /// is given.
  init(_ reasons: [ViewBacklog.Reason], of view: RegisteredView) {
    var (all, queued) = ([String](), [String]())
    var publications: Set<Publication> = []
    var (hasOtherCode, hasLostQueue, isUntracked, isWatched) = (false, false, false, true)
    for reason in reasons {
      switch reason {
      case .marked(let source, _, .some(let rows)):
        publications.insert(Publication(source: source, rows: rows))
      case .neverFilled, .date, .partitions, .marked: all.append(reason.description)
      case .code:
        hasOtherCode = true
        all.append(reason.description)
      case .changedRows(let source, _): queued.append(source)
      case .unwatched: isWatched = false
      case .lostQueue: hasLostQueue = true
      case .untracked: isUntracked = true
      // It is refreshed first.
      case .reads: break
      }
    }
    self.queued = queued
    self.hasOtherCode = hasOtherCode
    self.hasLostQueue = hasLostQueue
    self.isUntracked = isUntracked
    self.isWatched = isWatched
    self.publications = publications.sorted {
      ($0.source, $0.rows.release, $0.rows.table ?? "") < ($1.source, $1.rows.release, $1.rows.table ?? "")
    }
    // Its values are needed, and cannot be looked at any more.
    let lost = self.publications.first { publication in
      publication.rows.table == nil
        && view.sources.first { $0.name == publication.source }?.capture != ["release"]
    }
    rebuild =
      all.first ?? lost.map { "release \($0.rows.release) of \($0.source) went, and its rows with it" }
  }
}
