/// What has to be known of a statement to find its end, gathered token by token.
struct SQLOutline {
  /// Rows follow it in the script.
  private(set) var readsStandardInput = false
  private var parentheses = 0
  /// Bodies between `BEGIN ATOMIC` and their `END`.
  private var bodies = 0
  private var head: [String] = []
  private var previous = ""

  /// Whether a semicolon would be part of the statement.
  var isOpen: Bool { parentheses > 0 || bodies > 0 }

  mutating func take(_ token: SQLToken, _ lexer: SQLLexer) {
    if lexer.isMark("(", token) { parentheses += 1 }
    if lexer.isMark(")", token) { parentheses = max(0, parentheses - 1) }
    let isHead = head.count < 4
    guard isHead || isRoutine || head[0] == "COPY" else { return }
    let word = token.kind == .quote ? "" : lexer.word(token)
    if isHead { head.append(word) }
    if parentheses == 0 { takeOutside(word) }
    previous = word
  }

  /// A word that is not in parentheses, where names and expressions may be anything.
  private mutating func takeOutside(_ word: String) {
    switch word {
    case "ATOMIC" where previous == "BEGIN" && isRoutine: bodies += 1
    // Each statement of a body ends with a semicolon: any other END belongs to a CASE, or is a name.
    case "END" where bodies > 0 && (previous == ";" || previous == "ATOMIC"): bodies -= 1
    // To the server both names are one here.
    case "STDIN", "STDOUT": readsStandardInput = readsStandardInput || head[0] == "COPY" && previous == "FROM"
    default: break
    }
  }

  private var isRoutine: Bool {
    guard head.first == "CREATE" else { return false }
    let kind =
      head.starts(with: ["CREATE", "OR", "REPLACE"]) ? head.dropFirst(3).first : head.dropFirst().first
    return kind == "FUNCTION" || kind == "PROCEDURE"
  }
}
