import Definitions
import PostgreSQL

/// SQL of a definition as it is sent, and the way back from a place in it to the place in its file.
struct DefinedStatement: Sendable {
  /// What is sent.
  let text: String
  private let name: String
  private let file: String
  private let mark: @Sendable (_ character: Int) -> Mark

  /// The query of a check, within what it is asked for.
  init(_ check: Check, tables: [String: StagedTable], before: String = "", after: String = "") {
    let names = tables.mapValues { Quote.qualified($0.name) }
    let query = check.sql { names[$0] ?? Quote.qualified($0) }
    text = before + query + after
    name = check.rule
    file = check.file
    let (first, last) = (before.unicodeScalars.count, query.unicodeScalars.count)
    mark = { character in
      // What is wrong with the words around it is wrong with the query as a whole.
      let own = min(max(1, character - first), last)
      return check.place(of: own) { names[$0] ?? Quote.qualified($0) }
    }
  }

  /// What a source does to the other tables of its release.
  init(_ amendment: Amendment, tables: [String: StagedTable]) {
    let names = tables.mapValues { Quote.qualified($0.name) }
    text = amendment.sql { names[$0] ?? Quote.qualified($0) }
    name = amendment.name
    file = amendment.file
    mark = { character in amendment.place(of: character) { names[$0] ?? Quote.qualified($0) } }
  }

  /// Says whose SQL it was that the server refused. What has nothing to do with the SQL, such as a full disk or a right
  /// that the role lacks, stays what it is.
  func explaining<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as PostgreSQLError where error.isAboutStatement {
      guard case .server(let server) = error else { throw error }
      throw RunError.checkFailed(
        rule: name, file: file, mark: server.position.map(mark), sqlState: server.sqlState,
        reason: server.discreetMessage)
    }
  }
}
