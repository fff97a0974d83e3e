/// Two texts line by line, as people read a change.
enum LineDifference {
  /// `- old` and `+ new` with up to two lines around each change; empty where nothing differs.
  static func text(from old: String, to new: String) -> String {
    let lines = lines(from: old, to: new)
    var text = ""
    var last = -1
    for index in lines.indices {
      let near = lines[max(0, index - 2)...min(lines.count - 1, index + 2)]
      guard near.contains(where: { $0.mark != " " }) else { continue }
      if last >= 0 && index > last + 1 { text += "  ...\n" }
      text += "\(lines[index].mark) \(lines[index].line)\n"
      last = index
    }
    return text
  }

  /// All lines of both, in order: those of the old one alone with `-`, those of the new one alone with `+`. Of a
  /// change what went comes before what came.
  private static func lines(from old: String, to new: String) -> [(mark: Character, line: String)] {
    let (before, after) = (split(old), split(new))
    let change = after.difference(from: before)
    let removed = Set(change.removals.map(offset))
    let added = Set(change.insertions.map(offset))
    var lines: [(mark: Character, line: String)] = []
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      let isRemoved = removed.contains(left)
      let isAdded = !isRemoved && added.contains(right)
      lines.append(isRemoved ? ("-", before[left]) : (isAdded ? "+" : " ", after[right]))
      if !isAdded { left += 1 }
      if !isRemoved { right += 1 }
    }
    return lines
  }

  private static func offset(_ step: CollectionDifference<String>.Change) -> Int {
    switch step {
    case .remove(let offset, _, _), .insert(let offset, _, _): offset
    }
  }

  private static func split(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
