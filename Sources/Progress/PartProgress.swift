import Host
import Synchronization

/// How far one part of a task has come, such as a source that is loaded.
///
/// To say so costs about as much as a row: it is to be said for every few hundred of them.
public final class PartProgress: Sendable {
  /// What was counted; nil for what nobody knows.
  private struct Counts {
    var bytes: Int?
    var rows: Int?
    var rejects: Int?
  }

  private struct Content {
    var phase = PartState.Phase.waiting
    var total: Int?
    /// How many bytes were there when it began.
    var first = 0
    /// The same of rows, where these are what is counted.
    var totalRows: Int?
    var firstRow = 0
    var counts = Counts()
    /// What was counted of the pieces before the one at work.
    var before = Counts()
    var activity = ""
    /// When it began, and when its bytes were through.
    var began = 0.0
    var loaded: Double?
    var activityBegan = 0.0
    var processes: [Int] = []
  }

  private let name: String
  private let content: Mutex<Content>

  /// A part that waits.
  ///
  /// `total`: how many bytes it has; nil where nobody knows.
  init(_ name: String, of total: Int?) {
    self.name = name
    content = Mutex(Content(total: total))
  }

  /// Begins it, from its start: it may have been tried before.
  ///
  /// `first`: how many of its bytes are there already.
  public func begin(at first: Int = 0) {
    let now = Machine.seconds
    content.withLock {
      $0 = Content(phase: .working, total: $0.total, first: first, began: now, activityBegan: now)
    }
  }

  /// Begins one that is counted in rows alone.
  ///
  /// `first`: how many are done already; `total`: how many there are, nil where nobody knows.
  public func begin(atRow first: Int, of total: Int?) {
    begin()
    content.withLock { ($0.firstRow, $0.totalRows, $0.counts.rows) = (first, total, first) }
  }

  /// Says how many bytes it has, as soon as that is known; nil where nobody knows.
  public func expect(_ total: Int?) { content.withLock { $0.total = total } }

  /// Begins its next piece, such as another file: what is said from now on is of that alone.
  public func beginPiece() { content.withLock { $0.before = $0.counts } }

  /// Says how far the piece at work has come.
  ///
  /// `bytes`: of those that the total counts; nil where nobody knows. `rows`: nil where nobody counts them.
  /// `rejects`: nil where nothing can be rejected.
  public func note(bytes: Int?, rows: Int? = nil, rejects: Int? = nil) {
    content.withLock { content in
      let before = content.before
      content.counts = Counts(
        bytes: bytes.map { $0 + (before.bytes ?? 0) }, rows: rows.map { $0 + (before.rows ?? 0) },
        rejects: rejects.map { $0 + (before.rejects ?? 0) })
    }
  }

  /// Begins something that is done when the bytes are through: `keys`.
  ///
  /// `processes`: those of the server that do it, whose statements tell how far they have come.
  public func enter(_ activity: String, asking processes: [Int] = []) {
    let now = Machine.seconds
    content.withLock {
      $0.loaded = $0.loaded ?? now
      ($0.activity, $0.activityBegan, $0.processes) = (activity, now, processes)
    }
  }

  /// It is done.
  public func end() {
    let now = Machine.seconds
    content.withLock {
      $0.loaded = $0.loaded ?? now
      ($0.phase, $0.activity, $0.processes) = (.ended, "", [])
    }
  }

  func state(at now: Double) -> PartState {
    let content = content.withLock { $0 }
    return PartState(
      name: name, phase: content.phase, activity: content.activity, bytes: content.counts.bytes,
      total: content.total, first: content.first, totalRows: content.totalRows, firstRow: content.firstRow,
      rows: content.counts.rows, rejects: content.counts.rejects,
      seconds: content.phase == .waiting ? 0 : (content.loaded ?? now) - content.began,
      activitySeconds: now - content.activityBegan, processes: content.processes)
  }
}
