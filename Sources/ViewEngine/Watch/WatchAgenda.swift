/// What is to be refreshed now, decided from what waits and from what failed before.
struct WatchAgenda {
  /// The views to refresh.
  let due: Set<String>
  /// In how many seconds there may be something to do although nothing changes until then.
  let pause: Double

  /// The longest pause, in seconds: the date may be another one afterwards.
  static let longestPause = 60.0

  /// Decides what is to be done.
  ///
  /// A view that may lag behind is left alone for so long, unless one that reads it may not. One that failed,
  /// and what reads it, has a pause. Of sources that nobody watches it is not known whether they have changed,
  /// so that what reads them is due as often as its definition says, or now and then.
  /// - Parameters:
  ///   - backlog: what waits.
  ///   - names: the views that are wanted, with what they read; all where there is none.
  ///   - tries: what failed before.
  ///   - now: seconds of the clock of `tries`.
  init(_ backlog: ViewBacklog, of names: [String] = [], after tries: WatchTries, at now: Double) {
    let entries = backlog.entries
    func read(by name: String) -> [String] { entries[name]?.reads ?? [] }
    let wanted = names.isEmpty ? Set(entries.keys) : Self.closure(of: names, read)
    var pauses = [Self.longestPause]
    var working: Set<String> = []
    var resting: Set<String> = []
    for name in wanted {
      guard let entry = entries[name] else { continue }
      let own = entry.reasons.filter { if case .reads = $0 { false } else { true } }
      if own.isEmpty { continue }
      let isUntracked = own.allSatisfy { if case .untracked = $0 { true } else { false } }
      if isUntracked, entry.freshLeft == nil {
        let pause = tries.untrackedPause(of: name, at: now)
        if pause > 0 {
          pauses.append(pause)
          continue
        }
      }
      working.insert(name)
      let pause = tries.pause(of: name, waiting: own, at: now)
      guard pause > 0 else { continue }
      pauses.append(pause)
      resting.insert(name)
    }
    func spread(_ names: inout Set<String>) {
      var found = 0
      repeat {
        found = names.count
        for name in wanted where read(by: name).contains(where: names.contains) { names.insert(name) }
      } while names.count > found
    }
    spread(&working)
    spread(&resting)
    let ready = working.subtracting(resting)
    let stale = ready.filter { entries[$0]?.isStale == true }
    due = Self.closure(of: Array(stale)) { read(by: $0).filter(ready.contains) }
    pauses += ready.subtracting(due).compactMap { entries[$0]?.freshLeft }
    pause = max(Self.leastPause, pauses.min() ?? Self.longestPause)
  }

  /// The shortest pause, in seconds.
  private static let leastPause = 0.05

  private static func closure(of names: [String], _ next: (String) -> [String]) -> Set<String> {
    var found: Set<String> = []
    var waiting = names
    while let name = waiting.popLast() {
      if found.insert(name).inserted { waiting += next(name) }
    }
    return found
  }
}
