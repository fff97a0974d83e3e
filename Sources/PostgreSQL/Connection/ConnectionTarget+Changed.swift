import CLibPQ

extension ConnectionTarget {
  /// Another database of the same server, reached as the same user with the same options.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func database(_ name: String) throws(PostgreSQLError) -> ConnectionTarget {
    try changed("dbname", to: name)
  }

  /// The same database as another user.
  /// - Throws: ``PostgreSQLError`` of the server, or of a connection that is lost.
  public func user(_ name: String) throws(PostgreSQLError) -> ConnectionTarget {
    try changed("user", to: name)
  }

  private func changed(_ keyword: String, to value: String) throws(PostgreSQLError) -> ConnectionTarget {
    var words: [String] = []
    if let given = PQconninfoParse(specification, nil) {
      var option = given
      while let word = option.pointee.keyword.map({ String(cString: $0) }) {
        if word != keyword, let value = option.pointee.val {
          words.append("\(word)=\(ConnectionTarget.quoted(String(cString: value)))")
        }
        option += 1
      }
      PQconninfoFree(given)
    }
    words.append("\(keyword)=\(ConnectionTarget.quoted(value))")
    return try ConnectionTarget(words.joined(separator: " "))
  }

  private static func quoted(_ value: String) -> String {
    var text = "'"
    for scalar in value.unicodeScalars {
      if scalar == "'" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text + "'"
  }
}
