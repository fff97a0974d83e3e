/// In which order tables are moved.
enum PlacementOrder {
  /// Each table after the one that its mark says `with`, else in the order in which they are given; those that wait
  /// for each other last.
  static func sorted(_ marks: [PlacementMark]) -> [PlacementMark] {
    var (waiting, sorted) = (marks, [PlacementMark]())
    while !waiting.isEmpty {
      let names = waiting.map(\.name)
      let next = waiting.firstIndex { $0.companion.map { !names.contains($0) } ?? true } ?? 0
      sorted.append(waiting.remove(at: next))
    }
    return sorted
  }
}
