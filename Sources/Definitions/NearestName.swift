/// The name somebody probably meant.
public enum NearestName {
  /// The known name with the fewest changed letters, if it is near enough to be meant.
  ///
  /// Near enough is at most a third of the longer name, and never less than one letter.
  public static func to(_ name: String, among known: some Sequence<String>) -> String? {
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = distance(name.lowercased(), candidate.lowercased())
      let allowed = max(1, max(name.count, candidate.count) / 3)
      if distance <= allowed, distance < (best?.distance ?? .max) {
        best = (candidate, distance)
      }
    }
    return best?.name
  }

  /// The known names that need the fewest changed letters, the nearest first; of equal ones in their order.
  ///
  /// A name that holds the other, as `mart.payment` holds `payment`, comes before all that do not.
  public static func nearest(_ count: Int, to name: String, among known: some Sequence<String>) -> [String] {
    let name = name.lowercased()
    let ranked = known.enumerated().map { place, candidate in
      let other = candidate.lowercased()
      let isApart = !(other.contains(name) || name.contains(other))
      return (name: candidate, rank: [isApart ? 1 : 0, distance(name, other), place])
    }
    return ranked.sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.prefix(count).map(\.name)
  }

  /// So many names are listed; of more than that only the nearest are.
  private static let mostListed = 12
  /// So many of them.
  private static let nearestListed = 3

  /// `did you mean 'x'?`; when none is near the list of known names, of many the nearest three and how many
  /// others there are; nil when none is known.
  public static func hint(_ name: String, among known: some Sequence<String>, called what: String) -> String?
  {
    if let near = to(name, among: known) { return "did you mean '\(near)'?" }
    let all = Array(known)
    guard all.count > mostListed else {
      return all.isEmpty ? nil : "\(what): \(all.map { "'\($0)'" }.joined(separator: ", "))"
    }
    let shown = nearest(nearestListed, to: name, among: all).map { "'\($0)'" }.joined(separator: ", ")
    return "\(what): \(shown) and \(all.count - nearestListed) others"
  }

  /// How many letters must be put in, left out, changed or swapped with the next to make one text from
  /// the other.
  static func distance(_ one: String, _ other: String) -> Int {
    let one = Array(one)
    let other = Array(other)
    var last: [Int] = []
    var row = Array(0...other.count)
    for index in one.indices {
      let above = row
      row[0] = index + 1
      for place in other.indices {
        let changed = above[place] + (one[index] == other[place] ? 0 : 1)
        row[place + 1] = min(changed, above[place + 1] + 1, row[place] + 1)
        if index > 0, place > 0, one[index] == other[place - 1], one[index - 1] == other[place] {
          row[place + 1] = min(row[place + 1], last[place - 1] + 1)
        }
      }
      last = above
    }
    return row[other.count]
  }
}
