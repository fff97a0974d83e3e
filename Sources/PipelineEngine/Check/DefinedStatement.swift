import Definitions
import PipelineCore
import PostgreSQL

/// SQL of a definition as it is sent, and the way back from a place in it to the place in its file.
struct DefinedStatement: Sendable {
  /// What is sent.
  let text: String
  private let name: String
  private let file: String
  /// The server's words may be shown: no layout of the pipeline has a sensitive column, whose values they
  /// might quote.
  private let showsWords: Bool
  private let mark: @Sendable (_ character: Int) -> Mark
  /// The place where the server names none; nil where that is anywhere in the file.
  private let start: Mark?
  /// The characters that are the definition's own, and what is wrong with it where the server refuses others.
  private let own: (range: ClosedRange<Int>, elseLacks: String)?

  /// The query of a check, within what it is asked for.
  ///
  /// `lacking`: what is wrong with the query where the words around it do not fit what it returns.
  init(
    _ check: Check, of pipeline: Pipeline, tables: [String: StagedTable], before: String = "",
    after: String = "",
    lacking: String? = nil
  ) {
    let names = tables.mapValues { Quote.qualified($0.name) }
    let query = check.template.filled { names[$0] ?? Quote.qualified($0) }
    text = before + query + after
    name = check.rule
    file = check.file
    showsWords = pipeline.showsValues
    let (first, last) = (before.unicodeScalars.count, query.unicodeScalars.count)
    start = check.condition?.mark
    own = lacking.map { (first + 1...first + max(1, last), $0) }
    mark = { character in
      // What is wrong with the words around it is wrong with the query as a whole.
      let own = min(max(1, character - first), last)
      return check.template.place(of: own) { names[$0] ?? Quote.qualified($0) }
    }
  }

  /// What a source does to the other tables of its release.
  init(_ amendment: Amendment, of pipeline: Pipeline, tables: [String: StagedTable]) {
    let names = tables.mapValues { Quote.qualified($0.name) }
    text = amendment.template.filled { names[$0] ?? Quote.qualified($0) }
    name = amendment.name
    file = amendment.file
    showsWords = pipeline.showsValues
    own = nil
    start = nil
    mark = { character in amendment.template.place(of: character) { names[$0] ?? Quote.qualified($0) } }
  }

  /// The SQLSTATE of what changes something in a transaction that must only read.
  private static let writes = "25006"

  /// Whether the SQL is what the server refuses.
  static func isToBlame(for error: PostgreSQLError) -> Bool {
    error.isAboutStatement || error.sqlState == writes
  }

  /// Says whose SQL it was that the server refused. What has nothing to do with the SQL, such as a full disk
  /// or a right that the role lacks, stays what it is.
  func explaining<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError where Self.isToBlame(for: error) {
      guard case .server(let server) = error else { throw error }
      if let own, let position = server.position, !own.range.contains(position) {
        throw wrong(own.elseLacks, sqlState: server.sqlState)
      }
      throw RunError.checkFailed(
        rule: name, file: file, mark: server.position.map(mark) ?? start, sqlState: server.sqlState,
        reason: showsWords
          ? server.discreetMessage
          : "the server refuses it (\(server.sqlState)) in words that may quote a value, and are withheld")
    }
  }

  /// What is wrong with the SQL as a whole.
  func wrong(_ reason: String, sqlState: String = "") -> RunError {
    RunError.checkFailed(rule: name, file: file, mark: nil, sqlState: sqlState, reason: reason)
  }
}
