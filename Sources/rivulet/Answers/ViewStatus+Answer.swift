import Reporting
public import Values
public import ViewEngine

extension ViewStatus: JSONConvertible {
  /// As lists have it.
  public var json: JSON {
    [
      "view": name, "strategy": strategy, "file": file, "rows": rows, "refreshed_at": refreshedAt,
      "age_seconds": age.map(JSON.seconds), "as_of": asOf, "fresh_for_seconds": freshFor.map(JSON.seconds),
      "stale": isStale, "behind": behind, "pending": pending,
      "queue_bytes": strategy == "live" ? nil : queueBytes,
      "last_seconds": refreshes.first.map { JSON.seconds($0.seconds) }, "warnings": warnings,
    ]
  }

  /// With its definition, what it reads, what reads it, and its last refreshes.
  var fullJSON: JSON {
    json + [
      "definition": definition, "adds": adds, "adds_no_sums_since": sumsReason,
      "sources": JSON.array(of: sources) {
        ["source": $0.name, "change": $0.change, "capture": $0.capture, "pending": $0.pending]
      },
      "read_by": readBy, "indexes": indexes,
      "refreshes": JSON.array(of: refreshes) {
        [
          "at": $0.at, "kind": $0.kind, "groups": $0.groups, "rows_changed": $0.rowsChanged,
          "seconds": JSON.seconds($0.seconds),
        ]
      },
    ]
  }

  /// What to say where its queues take more space than they may; nil where they do not.
  func queueWarning(over limit: Int) -> String? {
    guard queueBytes > limit else { return nil }
    return
      "\(name): \(ProgressUnits.bytes(queueBytes)) of changes wait; 'rivulet refresh \(name)' takes them in"
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
  var text: ConsoleText {
    var facts = TextTable(["what", .prose("value")])
    facts.add(["strategy", strategy])
    if let adds {
      let what = adds == "sums" ? "what statements have changed of each group" : "the rows that have changed"
      facts.add([
        "a refresh", "adds \(what) to what is stored" + (sumsReason.map { "; by row: \($0)" } ?? ""),
      ])
    } else if let sumsReason {
      facts.add(["a refresh", "computes the changed groups from their rows: \(sumsReason)"])
    }
    facts.add(["file", file])
    facts.add(["state", state])
    if strategy != "live" {
      facts.add(["rows", rows?.grouped])
      facts.add(["refreshed at", refreshedAt.map { "\($0), \(ageText ?? "") ago" } ?? "never"])
      if let asOf { facts.add(["shows the day", asOf]) }
      facts.add(["queue", ProgressUnits.bytes(queueBytes)])
      if let freshFor { facts.add(["may lag behind", "\(Int(freshFor).grouped) s"]) }
    }
    if !readBy.isEmpty { facts.add(["read by", readBy.joined(separator: ", ")]) }
    let parts: [ConsoleText] = [
      "\(name)\n\n" + facts.text, list("behind", behind), list("warnings", warnings), sourceText, refreshText,
      list("indexes", indexes), definition.isEmpty ? "" : "definition\n\(definition.trimmedLines)\n",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func list(_ title: String, _ lines: [String]) -> ConsoleText {
    ConsoleText(lines.isEmpty ? "" : "\(title)\n" + lines.map { "  \($0)\n" }.joined())
  }

  private var sourceText: ConsoleText {
    TextTable(
      ["reads", "a change means", "captured", .right("pending")],
      sources.map {
        [$0.name, $0.change, $0.capture.joined(separator: ", "), $0.change == nil ? nil : $0.pending.grouped]
      }
    ).text(orIfEmpty: "")
  }

  private var refreshText: ConsoleText {
    TextTable(
      ["refresh", "computed", .right("rows changed"), .right("seconds")],
      refreshes.map {
        [
          $0.at, $0.groups.map { "\($0.grouped) groups" } ?? "all", $0.rowsChanged.grouped,
          JSON.seconds($0.seconds).text,
        ]
      }
    ).text(orIfEmpty: "")
  }
}
