import Drafting
import Host

/// What a draft cannot tell for certain, asked of the user: by options, and at a terminal by questions.
struct DraftQuestions {
  private let invocation: Invocation
  private let session: Session
  private var answers = DraftAnswers()
  /// Whether somebody can answer.
  private let asks: Bool

  init(_ invocation: Invocation, _ session: Session) throws {
    (self.invocation, self.session) = (invocation, session)
    asks = Terminal.has(.input) && !invocation.has("--yes") && !session.log.isJSON
    answers.subject = invocation["--records"].flatMap(RecordSubject.init)
    answers.folds = invocation.has("--no-fold") ? false : nil
    for text in invocation.lists["--column"] ?? [] {
      guard let equals = text.lastIndex(of: "="), equals > text.startIndex, text.last != "=" else {
        throw invocation.usage("--column needs a header and a meaning, as 'Nm=last name', not '\(text)'")
      }
      answers.columns[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
  }

  /// The draft, made again as long as an answer changes it.
  func settled(_ draft: (DraftAnswers) throws -> LayoutDraft) throws -> LayoutDraft {
    var questions = self
    var asked: [DraftDoubt.Matter] = []
    while true {
      let made: LayoutDraft
      do {
        made = try draft(questions.answers)
      } catch let error as DraftError {
        guard asks, case .nameless(_, _, let columns) = error, questions.askForNames(columns) else {
          throw error
        }
        continue
      }
      guard asks, let doubt = made.doubts.first(where: { !asked.contains($0.matter) }) else { return made }
      asked.append(doubt.matter)
      questions.ask(doubt)
    }
  }

  /// Asks which column has the names; false where the user names none.
  private mutating func askForNames(_ columns: [String]) -> Bool {
    Output.err("No column is known to have names. The columns are:\n")
    for (number, name) in columns.enumerated() { Output.err("  \(number + 1)  \(name)\n") }
    Output.err("Which of them has the names of those whom the list is about? [number, or Enter for none] ")
    guard let line = readLine(), let number = Int(line), columns.indices.contains(number - 1) else {
      return false
    }
    answers.columns[columns[number - 1]] = "provider name"
    return true
  }

  private mutating func ask(_ doubt: DraftDoubt) {
    Output.err("\(doubt.remark).\n\(doubt.question) ")
    switch doubt.matter {
    case .subject:
      if let answer = choice(doubt.choices) { answers.subject = RecordSubject(rawValue: answer) }
    case .folding:
      if let answer = choice(doubt.choices) { answers.folds = answer == "yes" }
    case .column(let header):
      Output.err("[as 'last name'; 'none' leaves it out; Enter if that is right] ")
      let line = readLine() ?? ""
      if !line.allSatisfy(\.isWhitespace) { answers.columns[header] = line }
    }
  }

  /// One of some answers, by the beginning of its word; nil for Enter, and for what is none of them.
  private func choice(_ choices: [String]) -> String? {
    Output.err("[\(choices.joined(separator: "/")); Enter: \(choices.first ?? "")] ")
    guard let line = readLine()?.lowercased(), !line.isEmpty else { return nil }
    return choices.first { $0.hasPrefix(line) }
  }
}
