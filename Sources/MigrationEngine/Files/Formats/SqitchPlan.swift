/// The changes of a `sqitch.plan`, in their order.
struct SqitchPlan {
  struct Change {
    /// As the plan names it.
    let name: String
    /// `name`; of one that reworks another `name#2`, so that what was deployed as `name` stays what it is.
    let version: String
    /// The line of the plan, from 1.
    let line: Int
    /// The tags between it and the change that reworks it, the latest first; empty where it is the last of
    /// its name.
    var reworkTags: [String] = []
  }

  let project: String
  private(set) var changes: [Change] = []

  private let file: String
  /// Tags by name, with how many changes come before each.
  private var tags: [(name: String, after: Int)] = []

  init(_ text: String, file: String) throws(MigrationError) {
    self.file = file
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    project = lines.lazy.compactMap { SqitchPlan.pragma("project", $0) }.first ?? ""
    for (index, line) in lines.enumerated() {
      let line = line.prefix { $0 != "#" }.trimmingBlanks
      if line.isEmpty || line.hasPrefix("%") { continue }
      if line.hasPrefix("@") {
        try takeTag(line.dropFirst(), index + 1)
      } else {
        try takeChange(line, index + 1)
      }
    }
  }

  private static func pragma(_ name: String, _ line: Substring) -> String? {
    guard line.trimmingBlanks.hasPrefix("%") else { return nil }
    let parts = line.trimmingBlanks.dropFirst().split(separator: "=", maxSplits: 1).map { $0.trimmingBlanks }
    return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
  }

  private mutating func takeTag(_ text: Substring, _ line: Int) throws(MigrationError) {
    let name = String(text.prefix { !$0.isWhitespace })
    if changes.isEmpty { throw malformed(line, "tag @\(name) comes before any change", "put it after one") }
    if tags.contains(where: { $0.name == name }) {
      throw malformed(line, "tag @\(name) is there already", "give it another name")
    }
    tags.append((name, changes.count))
  }

  private mutating func takeChange(_ text: Substring, _ line: Int) throws(MigrationError) {
    if text.hasPrefix("-") {
      throw malformed(
        line, "a change that is reverted in the plan", "take this line and the change's own out")
    }
    let text = text.drop { $0 == "+" }.trimmingBlanks
    let name = String(text.prefix { !$0.isWhitespace && $0 != "[" })
    guard !name.isEmpty, !name.contains(where: { "@:#\\".contains($0) }) else {
      throw malformed(line, "'\(name)' is not a change's name", "a name has none of @ : # \\ in it")
    }
    try checkPlanner(text, line)
    try checkDependencies(text, of: name, line)
    try rework(name, line)
    let count = changes.count { $0.name == name }
    changes.append(
      Change(name: name, version: count == 0 ? name : "\(name)#\(count + 1)", line: line))
  }

  /// The time and the planner are no business of ours, but a line without them is not what somebody planned.
  private func checkPlanner(_ text: Substring, _ line: Int) throws(MigrationError) {
    let rest = text[(text.lastIndex(of: "]") ?? text.startIndex)...]
    guard rest.contains("<"), rest.hasSuffix(">") else {
      throw malformed(
        line, "a change without time and planner",
        "write: name [dependencies] 2026-01-31T12:00:00Z Name <address> # note")
    }
  }

  /// Gives the last change of this name, if there is one, the tags that come between it and its rework.
  private mutating func rework(_ name: String, _ line: Int) throws(MigrationError) {
    guard let index = changes.lastIndex(where: { $0.name == name }) else { return }
    let between = tags.filter { $0.after > index }
    guard !between.isEmpty else {
      throw malformed(
        line, "change '\(name)' is there already, in line \(changes[index].line)",
        "give it another name; to rework a change, tag the plan first")
    }
    changes[index].reworkTags = between.reversed().map(\.name)
  }

  // MARK: Dependencies

  private func checkDependencies(_ text: Substring, of name: String, _ line: Int) throws(MigrationError) {
    guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") else { return }
    for word in text[open..<close].dropFirst().split(whereSeparator: \.isWhitespace) {
      let isConflict = word.hasPrefix("!")
      var wanted = word.drop { $0 == "!" }
      if let colon = wanted.firstIndex(of: ":") {
        guard wanted[..<colon] == project else {
          throw malformed(
            line, "'\(name)' depends on another project, '\(wanted)', of which rivulet knows nothing",
            "take the dependency out, and deploy that project first")
        }
        wanted = wanted[wanted.index(after: colon)...]
      }
      if isThere(wanted) == isConflict {
        throw malformed(
          line,
          isConflict
            ? "'\(name)' conflicts with '\(wanted)', which comes before it"
            : "'\(name)' needs '\(wanted)', which does not come before it",
          isConflict ? "take one of them out" : "put the line after the one that it needs")
      }
    }
  }

  /// Whether a change (`name`), a tag (`@tag`) or a change as of a tag (`name@tag`) is in the plan so far.
  private func isThere(_ wanted: Substring) -> Bool {
    let parts = wanted.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    // `@HEAD^` and its like count from the end, and are there if anything is.
    let tag = parts.count == 2 ? parts[1].prefix { $0 != "^" && $0 != "~" } : nil
    let isTag = tag.map { tag in ["HEAD", "ROOT"].contains(tag) || tags.contains { $0.name == tag } } ?? true
    return isTag && (parts[0].isEmpty || changes.contains { $0.name == parts[0] })
  }

  private func malformed(_ line: Int, _ message: String, _ hint: String) -> MigrationError {
    .unfit(file, line: line, message, hint)
  }
}
