import Reporting
import Values
import ViewEngine

extension ViewStatus {
  /// The members that every list of views has.
  private var members: [(String, JSON)] {
    [
      ("view", .string(name)), ("strategy", .string(strategy)), ("file", JSON(file)), ("rows", JSON(rows)),
      ("refreshed_at", JSON(refreshedAt)), ("age_seconds", age.map(JSON.seconds) ?? .null),
      ("as_of", JSON(asOf)), ("fresh_for_seconds", freshFor.map(JSON.seconds) ?? .null),
      ("stale", .bool(isStale)), ("behind", .array(behind.map { .string($0) })),
      ("pending", .integer(pending)), ("last_seconds", refreshes.first.map { .seconds($0.seconds) } ?? .null),
      ("warnings", .array(warnings.map { .string($0) })),
    ]
  }

  /// As lists have it.
  var json: JSON { .object(members) }

  /// With its definition, what it reads, what reads it, and its last refreshes.
  var fullJSON: JSON {
    .object(
      members + [
        ("definition", .string(definition)),
        (
          "sources",
          .array(
            sources.map {
              .object([
                ("source", .string($0.name)), ("change", JSON($0.change)),
                ("capture", .array($0.capture.map { .string($0) })), ("pending", .integer($0.pending)),
              ])
            })
        ),
        ("read_by", .array(readBy.map { .string($0) })), ("indexes", .array(indexes.map { .string($0) })),
        (
          "refreshes",
          .array(
            refreshes.map {
              .object([
                ("at", .string($0.at)), ("kind", .string($0.kind)), ("groups", JSON($0.groups)),
                ("rows_changed", .integer($0.rowsChanged)), ("seconds", .seconds($0.seconds)),
              ])
            })
        ),
      ])
  }

  /// Its state, in a word or two.
  var state: String {
    if behind.isEmpty { return strategy == "live" ? "live" : "exact" }
    return isStale ? "stale" : "behind"
  }

  /// Since it was refreshed, in words.
  var ageText: String? {
    guard let age else { return nil }
    let units = [(86_400.0, "d"), (3_600, "h"), (60, "min")]
    let (size, unit) = units.first { age >= 2 * $0.0 } ?? (1, "s")
    return "\(Int(age / size)) \(unit)"
  }

  /// All there is to say, for people.
  var text: String {
    var facts = TextTable([("what", .left), ("value", .left)])
    facts.add(["strategy", strategy])
    facts.add(["file", file])
    facts.add(["state", state])
    if strategy != "live" {
      facts.add(["rows", rows?.grouped])
      facts.add(["refreshed at", refreshedAt.map { "\($0), \(ageText ?? "") ago" } ?? "never"])
      if let asOf { facts.add(["shows the day", asOf]) }
      if let freshFor { facts.add(["may lag behind", "\(Int(freshFor).grouped) s"]) }
    }
    if !readBy.isEmpty { facts.add(["read by", readBy.joined(separator: ", ")]) }
    let parts = [
      "\(name)\n\n" + facts.text, list("behind", behind), list("warnings", warnings), sourceText, refreshText,
      list("indexes", indexes), definition.isEmpty ? "" : "definition\n\(definition.trimmedLines)\n",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func list(_ title: String, _ lines: [String]) -> String {
    lines.isEmpty ? "" : "\(title)\n" + lines.map { "  \($0)\n" }.joined()
  }

  private var sourceText: String {
    var table = TextTable([
      ("reads", .left), ("a change means", .left), ("captured", .left), ("pending", .right),
    ])
    for source in sources {
      table.add([
        source.name, source.change, source.capture.joined(separator: ", "),
        source.change == nil ? nil : source.pending.grouped,
      ])
    }
    return table.isEmpty ? "" : table.text
  }

  private var refreshText: String {
    var table = TextTable([
      ("refresh", .left), ("computed", .left), ("rows changed", .right), ("seconds", .right),
    ])
    for refresh in refreshes {
      table.add([
        refresh.at, refresh.groups.map { "\($0.grouped) groups" } ?? "all", refresh.rowsChanged.grouped,
        JSON.seconds(refresh.seconds).text,
      ])
    }
    return table.isEmpty ? "" : table.text
  }
}

extension String {
  /// Without blank lines at both ends.
  fileprivate var trimmedLines: String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    let isBlank = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
    guard let first = lines.firstIndex(where: { !isBlank($0) }),
      let last = lines.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return lines[first...last].joined(separator: "\n")
  }
}
