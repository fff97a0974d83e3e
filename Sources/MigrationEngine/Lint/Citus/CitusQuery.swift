import SQLText

/// Finds views with queries that Citus cannot run over distributed tables.
struct CitusQuery: LintRule {
  let name = "citus-query"
  let severity = LintSeverity.error
  let isForCitus = true
  let reason = "Citus runs no ROLLUP, CUBE, GROUPING SETS and no recursive query over distributed tables."
  let fix =
    "UNION ALL of a query for each grouping; a table that is filled step by step instead of recursion"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    guard case .createView = subject.meaning else { return [] }
    let words = subject.statement.words
    return words.indices.compactMap { place in
      let next = place + 1 < words.count ? words[place + 1] : ""
      return switch words[place] {
      case "ROLLUP" where next == "(", "CUBE" where next == "(":
        LintRemark(place, "\(words[place]) is refused")
      case "GROUPING" where next == "SETS": LintRemark(place, "GROUPING SETS is refused")
      case "WITH" where next == "RECURSIVE": LintRemark(place, "a recursive query is refused")
      case "RECURSIVE" where next == "VIEW": LintRemark(place, "a recursive view is refused")
      default: nil
      }
    }
  }
}
