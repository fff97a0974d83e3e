extension Migration {
  /// The migration as a file in our own format, whatever format it was read from.
  public var text: String {
    var parts: [String] = []
    if let require { parts.append(Migration.part("require", require)) }
    parts.append(Migration.part("up", up))
    switch down {
    case .sql(let section): parts.append(Migration.part("down", section))
    case .irreversible(let reason): parts.append("-- rivulet:down irreversible \"\(reason)\"\n")
    case .missing: break
    }
    if let verify { parts.append(Migration.part("verify", verify)) }
    return parts.joined()
  }

  private static func part(_ name: String, _ section: Section) -> String {
    let options = section.options.text
    let head = "-- rivulet:" + name + (options.isEmpty ? "" : " " + options) + "\n"
    return head + section.sql + (section.sql.hasSuffix("\n") ? "" : "\n")
  }
}

extension Migration.Options {
  /// As they are on a section line.
  var text: String {
    var words: [String] = []
    if let transaction { words.append("transaction=" + (transaction ? "on" : "off")) }
    if let lockTimeout { words.append("lock_timeout=" + lockTimeout) }
    if let statementTimeout { words.append("statement_timeout=" + statementTimeout) }
    return words.joined(separator: " ")
  }
}
