/// Two texts line by line, as people read a change.
public struct LineDifference: Sendable, Equatable {
  /// One line, and whether it went or came.
  public enum Line: Sendable, Equatable {
    /// In both.
    case same(String)
    /// In the old one only.
    case removed(String)
    /// In the new one only.
    case added(String)
  }

  /// All lines of both, in order; of a change what went comes before what came.
  public let lines: [Line]

  /// Compares two texts.
  public init(from old: String, to new: String) {
    let before = LineDifference.split(old)
    let after = LineDifference.split(new)
    let change = after.difference(from: before)
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for step in change {
      switch step {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var lines: [Line] = []
    var (left, right) = (0, 0)
    while left < before.count || right < after.count {
      if removed.contains(left) {
        lines.append(.removed(before[left]))
        left += 1
      } else if added.contains(right) {
        lines.append(.added(after[right]))
        right += 1
      } else {
        lines.append(.same(after[right]))
        left += 1
        right += 1
      }
    }
    self.lines = lines
  }

  private static func split(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// `- old` and `+ new` with up to two lines around each change; empty where nothing differs.
  public var text: String {
    let near = lines.indices.filter { index in
      lines[max(0, index - 2)...min(lines.count - 1, index + 2)].contains {
        if case .same = $0 { false } else { true }
      }
    }
    var text = ""
    var last = -1
    for index in near {
      if last >= 0 && index > last + 1 { text += "  ...\n" }
      switch lines[index] {
      case .same(let line): text += "  \(line)\n"
      case .removed(let line): text += "- \(line)\n"
      case .added(let line): text += "+ \(line)\n"
      }
      last = index
    }
    return text
  }
}
