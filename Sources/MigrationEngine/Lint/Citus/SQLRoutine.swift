import SQLText

/// A part of a migration that is a statement to the server when it runs.
struct SQLPart {
  let statement: SQLStatement
  let range: Range<Int>
  /// The token of the migration's own statement that it is, or that holds it.
  let place: Int

  var words: ArraySlice<String> { statement.words[range] }
}

/// A function, a procedure or a DO block, taken apart.
struct SQLRoutine {
  /// Its name; nil for a DO block.
  var name: SQLName?
  private(set) var parameters: Set<String> = []
  /// `sql`, `plpgsql`.
  private(set) var language: String
  /// The words that are neither its parameters nor its body.
  private(set) var options: [String] = []
  /// What its body consists of: in PL/pgSQL also the words between statements.
  private(set) var parts: [SQLPart] = []

  init?(_ statement: SQLStatement) {
    var cursor = SQLCursor(statement)
    if cursor.take("DO") {
      language = "plpgsql"
    } else {
      guard cursor.take("CREATE") else { return nil }
      cursor.take("OR", "REPLACE")
      guard cursor.take("FUNCTION") || cursor.take("PROCEDURE") else { return nil }
      language = "sql"
      name = cursor.qualifiedName()
      parameters = SQLRoutine.names(cursor.group(), statement)
    }
    while let word = cursor.word {
      options.append(word)
      if cursor.take("LANGUAGE") {
        language = (statement.string(cursor.place) ?? cursor.word ?? "").lowercased()
        cursor.place += 1
      } else if cursor.take("BEGIN", "ATOMIC") {
        readAtomic(statement, cursor.place..<cursor.end)
        return
      } else if cursor.take("RETURN") {
        parts.append(SQLPart(statement: statement, range: cursor.place..<cursor.end, place: cursor.place))
        return
      } else if let body = statement.string(cursor.place) {
        let place = cursor.place
        parts += ((try? SQLScript(body))?.statements ?? []).map {
          SQLPart(statement: $0, range: $0.words.indices, place: place)
        }
        cursor.place += 1
      } else {
        cursor.skipItem()
      }
    }
  }

  /// Whether the server puts its query into the one that calls it, in FROM.
  var isInlined: Bool {
    let isSet = options.contains("SETOF") || options.contains("RETURNS") && options.contains("TABLE")
    let isSteady = options.contains("STABLE") || options.contains("IMMUTABLE")
    let isStrict = options.contains("STRICT") || options.contains("NULL") && !options.contains("CALLED")
    let isOwn = isStrict || options.contains("DEFINER") || options.contains("SET")
    return language == "sql" && isSet && isSteady && !isOwn && parts.count == 1
      && ["SELECT", "WITH"].contains(parts[0].words.first)
  }

  private mutating func readAtomic(_ statement: SQLStatement, _ body: Range<Int>) {
    var start = body.lowerBound
    for place in body where statement.words[place] == ";" || place == body.upperBound - 1 {
      let range = start..<place
      if !range.isEmpty { parts.append(SQLPart(statement: statement, range: range, place: start)) }
      start = place + 1
    }
  }

  /// The names of parameters that a call gives; one without a name is `$1`.
  private static func names(_ group: Range<Int>?, _ statement: SQLStatement) -> Set<String> {
    guard let group else { return [] }
    return Set(
      SQLCursor(statement, group).pieces().compactMap { piece in
        var cursor = SQLCursor(statement, piece)
        if cursor.take("OUT") { return nil }
        cursor.skip(["IN", "INOUT", "VARIADIC"])
        let ends: [String?] = [nil, ".", "(", "[", "=", "DEFAULT", "PRECISION", "VARYING", "WITH", "WITHOUT"]
        return ends.contains(cursor.peek(1)) ? nil : cursor.name()
      })
  }

  /// Whether a part of it names a parameter.
  func usesParameter(_ part: SQLPart) -> Bool {
    part.range.contains { place in
      let words = part.statement.words
      let next = place + 1 < part.range.upperBound ? words[place + 1] : ""
      if words[place] == "$" { return next.first?.isNumber == true }
      guard let word = part.statement.name(at: place), parameters.contains(word) else { return false }
      let isQualified = place > part.range.lowerBound && words[place - 1] == "."
      return next != "(" && (!isQualified || place > 1 && part.statement.name(at: place - 2) == name?.name)
    }
  }
}
