import SQLText

/// Finds roles that a migration drops.
struct DropRole: LintRule {
  let name = "drop-role"
  let severity = LintSeverity.error
  let looksAtDown = true
  let reason =
    "Roles belong to the whole cluster: other databases use them, and DROP ROLE fails there or locks people out. Also "
    + "looked for inside DO blocks and in the section `down`."
  let fix = "leave the role; revoke what this database gave it"

  func remarks(on subject: LintSubject) -> [LintRemark] {
    subject.statement.words.indices.compactMap { place in
      if let body = subject.statement.dollarBody(place) {
        return holds(body) ? LintRemark(place, "this block drops a role of the whole cluster") : nil
      }
      return place == 0 && drops(subject.statement.words, at: 0)
        ? LintRemark(0, "the role belongs to the whole cluster") : nil
    }
  }

  private func drops(_ words: [String], at place: Int) -> Bool {
    words[place] == "DROP" && place + 1 < words.count && ["ROLE", "USER", "GROUP"].contains(words[place + 1])
      && !(words[place + 1] == "USER" && place + 2 < words.count && words[place + 2] == "MAPPING")
  }

  private func holds(_ body: String) -> Bool {
    let words = ((try? SQLScript(body))?.statements ?? []).flatMap(\.words)
    return words.indices.contains { drops(words, at: $0) }
  }
}
