/// Two texts that differ, shown so that the difference is seen: of long ones only the first line that
/// differs.
struct ChangedText: CustomStringConvertible {
  private let was: [Substring]
  private let now: [Substring]

  init(_ was: String, _ now: String) {
    self.was = was.split(separator: "\n", omittingEmptySubsequences: false)
    self.now = now.split(separator: "\n", omittingEmptySubsequences: false)
  }

  var description: String {
    guard max(was.count, now.count) > 1 else { return "was \(was[0]), now \(now[0])" }
    let line = zip(was, now).prefix { $0 == $1 }.count
    return "line \(line + 1) was \(ChangedText.shown(was, line)), now \(ChangedText.shown(now, line))"
  }

  private static func shown(_ lines: [Substring], _ line: Int) -> String {
    guard line < lines.count else { return "the end" }
    return "'" + String(lines[line]).trimmingBlanks + "'"
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
