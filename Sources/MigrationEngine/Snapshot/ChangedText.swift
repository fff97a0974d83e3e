/// Two texts that differ, shown so that the difference is seen: of long ones only the first lines that
/// differ.
struct ChangedText: CustomStringConvertible {
  private let was: String
  private let now: String

  init(_ was: String, _ now: String) {
    self.was = was
    self.now = now
  }

  var description: String {
    let (old, new) = (ChangedText.lines(was), ChangedText.lines(now))
    if max(old.count, new.count) == 1 { return "was \(was), now \(now)" }
    if old == new { return blanks }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let change = new.difference(from: old)
    let (gone, come) = (change.removals.map(\.line), change.insertions.map(\.line))
    let whole = [old, new].map { $0.joined(separator: " ") }
    // Where a line came or went, those around it tell where.
    if gone.count != 1 || come.count != 1, whole[0] != whole[1], whole.allSatisfy({ $0.count <= 200 }) {
      return "was \(whole[0]), now \(whole[1])"
    }
    var shown = [gone, come].map { lines in
      lines.first { $0.number == start }.map { "'\($0.text)'" } ?? "nothing"
    }
    // Of equal lines another one may be said to have come or gone.
    if shown[0] == shown[1] {
      shown = [old, new].map { $0.indices.contains(start) ? "'\($0[start])'" : "nothing" }
    }
    let others = max(gone.count, come.count) - 1
    return "line \(start + 1) was \(shown[0]), now \(shown[1])" + (others > 0 ? ", and \(others) more" : "")
  }

  /// The first of lines that differ in the blanks around them alone.
  private var blanks: String {
    let (old, new) = (
      was.split(separator: "\n", omittingEmptySubsequences: false),
      now.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let start = zip(old, new).prefix { $0 == $1 }.count
    guard start < min(old.count, new.count) else { return "was \(was), now \(now)" }
    return "line \(start + 1) has other blanks: was '\(old[start])', now '\(new[start])'"
  }

  /// The lines without the blanks around them.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let start = line.drop { $0 == " " || $0 == "\t" }
      return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
  }
}

extension CollectionDifference<String>.Change {
  /// The line that went or came, and where it was or is.
  fileprivate var line: (number: Int, text: String) {
    switch self {
    case .remove(let offset, let text, _), .insert(let offset, let text, _): (offset, text)
    }
  }
}
