import Reporting
public import Values
public import ViewEngine

/// What `refresh --check` has found, for scripts and for people.
struct CheckAnswer {
  /// The views that lag behind for longer than they may.
  let stale: [ViewStatus]
  /// Of each stored view what came of holding it beside its SELECT; nil where that was not asked for.
  var comparisons: [ViewComparison]?

  /// Nothing is wrong.
  var isGood: Bool {
    stale.isEmpty && (comparisons ?? []).allSatisfy { $0.outcome == .exact || $0.outcome == .behind }
  }

  /// That of the first view that could not be compared; nil where all could.
  var failure: Failure? {
    let failed = (comparisons ?? []).compactMap { comparison in
      comparison.error.map { (view: comparison.view, failure: Failure($0)) }
    }
    guard let first = failed.first else { return nil }
    var failure = first.failure
    if Set(failed.map(\.failure.code)).count > 1 { failure.code = ExitCode.failed }
    failure.message = "\(first.view) could not be compared: \(failure.message)"
    return failure
  }

  /// One document.
  var json: JSON {
    let stale: JSON = ["stale": self.stale]
    return comparisons.map { stale + ["views": $0] } ?? stale
  }

  /// A table of the comparisons, and a sentence for each view that is not exact.
  var text: ConsoleText {
    let compared = comparisons ?? []
    var table = TextTable([
      "view", .state("outcome"), .right("missing"), .right("too many"), .right("other values"),
      .right("groups"), .right("seconds"),
    ])
    for comparison in compared {
      let isCompared = [.exact, .different].contains(comparison.outcome)
      let counts = isCompared ? comparison.rows : nil
      table.add([
        comparison.view, comparison.outcome.rawValue, counts?.missing.grouped, counts?.surplus.grouped,
        counts?.changed.grouped, comparison.groups?.count.grouped, JSON.seconds(comparison.seconds).text,
      ])
    }
    let lines =
      (stale.isEmpty
        ? ["no view is stale"] : stale.map { "\($0.name): \($0.behind.joined(separator: "; "))" })
      + compared.compactMap(\.sentence)
    let sentences = ConsoleText(lines.map { "\($0)\n" }.joined())
    return table.isEmpty ? sentences : table.text + "\n" + sentences
  }
}

extension ViewComparison.Rows: JSONConvertible {
  /// How many rows differ, in whichever way.
  var count: Int { missing + surplus + changed }

  /// By the way in which they differ.
  public var json: JSON { ["missing": missing, "surplus": surplus, "changed": changed] }
}

extension ViewComparison: JSONConvertible {
  /// What was found of a view.
  public var json: JSON {
    [
      "view": view, "outcome": outcome.rawValue, "rows_missing": rows.missing, "rows_surplus": rows.surplus,
      "rows_changed": rows.changed, "groups": groups, "behind": reasons, "seconds": JSON.seconds(seconds),
      "hint": hint, "error": error.flatMap { Failure($0).json.members.first?.1 },
    ]
  }

  /// How to go on; nil where nothing is wrong with what is stored.
  private var hint: String? { outcome == .different ? "rivulet refresh --full \(view)" : nil }

  /// What is wrong and how to go on, or why it was not compared; nil where it is exact.
  fileprivate var sentence: String? {
    switch outcome {
    case .exact: return nil
    case .behind:
      let why = reasons.joined(separator: "; ")
      return "\(view) was not compared, since a refresh computes all of it: \(why)"
    case .failed: return "\(view) could not be compared"
    case .different:
      let parts = [
        rows.isEmpty ? nil : "it is not what its SELECT gives",
        groups?.isEmpty == false ? "what is stored of its groups is not what their rows add up to" : nil,
      ]
      let what = parts.compactMap(\.self).joined(separator: ", and ")
      return "\(view): \(what); '\(hint ?? "")' computes all of it"
    }
  }
}
