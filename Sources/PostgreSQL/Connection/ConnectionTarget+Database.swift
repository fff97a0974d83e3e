import CLibPQ

extension ConnectionTarget {
  /// Another database of the same server, reached as the same user with the same options.
  public func database(_ name: String) throws(PostgreSQLError) -> ConnectionTarget {
    var words: [String] = []
    if let given = PQconninfoParse(specification, nil) {
      var option = given
      while let keyword = option.pointee.keyword {
        let word = String(cString: keyword)
        if word != "dbname", let value = option.pointee.val {
          words.append("\(word)=\(ConnectionTarget.quoted(String(cString: value)))")
        }
        option += 1
      }
      PQconninfoFree(given)
    }
    return try ConnectionTarget((words + ["dbname=\(ConnectionTarget.quoted(name))"]).joined(separator: " "))
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
