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
    let start = zip(old, new).prefix { $0 == $1 }.count
    let change = new.difference(from: old)
    let (gone, come) = (change.removals.map(\.line), change.insertions.map(\.line))
    let whole = [old, new].map { $0.joined(separator: " ") }
    // Where a line came or went, those around it tell where.
    if gone.count != 1 || come.count != 1, whole[0] != whole[1], whole.allSatisfy({ $0.count <= 200 }) {
      return "was \(whole[0]), now \(whole[1])"
    }
    let shown = [gone, come].map { lines in
      lines.first { $0.number == start }.map { "'\($0.text)'" } ?? "nothing"
    }
    let others = max(gone.count, come.count) - 1
    return "line \(start + 1) was \(shown[0]), now \(shown[1])" + (others > 0 ? ", and \(others) more" : "")
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
