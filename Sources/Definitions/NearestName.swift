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

  /// `did you mean 'x'?`, or the list of known names when none is near, or nil when none is known.
  public static func hint(_ name: String, among known: some Sequence<String>, called what: String) -> String?
  {
    if let near = to(name, among: known) { return "did you mean '\(near)'?" }
    let all = known.map { "'\($0)'" }
    return all.isEmpty ? nil : "\(what): \(all.joined(separator: ", "))"
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
