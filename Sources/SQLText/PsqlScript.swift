/// A script of psql as the SQL that psql would send: files it includes in their places, `\if` decided, its own
/// variables replaced, and `\gexec` as a `DO` block.
///
/// ```swift
/// let script = try PsqlScript("\\set t fee\nCREATE TABLE :t (n int);", file: "a.sql", given: { _ in nil })
/// script.sql   // "\nCREATE TABLE fee (n int);"
/// ```
///
/// A variable that somebody gives stays as it is written, `:name`, since its value may be a secret; every other
/// line stays on its line, so that places are those of the files.
public struct PsqlScript {
  /// Lines that are those of another file than the lines before them.
  public struct Inclusion: Sendable {
    /// The first of them in ``sql``, from 1.
    public let line: Int
    /// The file.
    public let file: String
    /// The same line in it, from 1.
    public let fileLine: Int
  }

  /// What psql would do and this does not, or what is wrong in a script.
  public struct Problem: Error {
    /// The file that it is in.
    public let file: String
    /// Where, and what, and how to go on.
    public let error: SQLScriptError
  }

  /// The text of a file that is included, and its path: `name` as the script has it, and the path of the file
  /// that names it where it is to be found from there; nil where there is none.
  public typealias Include = (_ name: String, _ including: String?) -> (path: String, text: String)?

  /// The SQL.
  public private(set) var sql = ""
  /// Where its lines come from, in order; those before the first are the script's own.
  public private(set) var inclusions: [Inclusion] = []

  private let given: (String) -> String?
  private let include: Include
  private var variables: [String: PsqlVariable] = [:]
  private var output: [UInt8] = []
  private var line = 1
  /// Where in the output the statement begins that is being read; nil between two.
  private var statementStart: Int?
  private var outline = SQLOutline()
  private var hasQuit = false

  /// Reads a script.
  ///
  /// `given` are the values of variables from outside, for what is decided while reading.
  ///
  /// - Throws: ``Problem`` at the first command that cannot be done.
  public init(
    _ text: String, file: String, given: @escaping (String) -> String?,
    include: @escaping Include = { _, _ in nil }
  ) throws(Problem) {
    self.given = given
    self.include = include
    try read(text, file, depth: 0)
    sql = String(decoding: output, as: UTF8.self)
  }

  private mutating func read(_ text: String, _ file: String, depth: Int) throws(Problem) {
    let bytes = Array(text.utf8)
    var lexer = SQLLexer(bytes, firstLine: 1)
    var conditions = PsqlConditions()
    var colon: SQLToken?
    while !hasQuit, let token = lexer.next() {
      if lexer.isMark("\\", token) {
        colon = nil
        let rest = lexer.text(lexer.skipLine())
        let command = try PsqlCommand(rest, at: token.place, in: file)
        if try conditions.take(command, value: { value($0) }) || !conditions.isActive { continue }
        try run(command, depth)
        continue
      }
      guard conditions.isActive else {
        write(bytes[token.range].filter { $0 == 0x0a })
        continue
      }
      if let mark = colon, mark.range.upperBound == token.range.lowerBound,
        let replaced = replacement(of: token, lexer)
      {
        output.removeLast()
        write(Array(replaced.utf8))
      } else {
        take(token, bytes, &lexer)
      }
      colon = lexer.isMark(":", token) && colon?.range.upperBound != token.range.lowerBound ? token : nil
    }
    if let open = conditions.open { throw open.problem("this \\if has no \\endif", "end it with \\endif") }
  }

  /// Copies a token, and the rows behind a COPY.
  private mutating func take(_ token: SQLToken, _ bytes: [UInt8], _ lexer: inout SQLLexer) {
    let isNoise = token.kind == .blank || token.kind == .comment
    if token.kind == .semicolon && !outline.isOpen {
      statementStart = nil
      let readsRows = outline.readsStandardInput
      outline = SQLOutline()
      write(bytes[token.range])
      guard readsRows else { return }
      let start = lexer.offset
      _ = lexer.skipLine()
      _ = lexer.skipRows()
      return write(bytes[start..<lexer.offset])
    }
    if !isNoise {
      if statementStart == nil { statementStart = output.count }
      outline.take(token, lexer)
    }
    write(bytes[token.range])
  }

  private mutating func write(_ bytes: some Collection<UInt8>) {
    output += bytes
    line += bytes.count { $0 == 0x0a }
  }

  // MARK: Variables

  /// What stands for a token right behind a colon; nil where the script has set no such variable.
  private func replacement(of token: SQLToken, _ lexer: SQLLexer) -> String? {
    let word = lexer.text(token.range)
    switch (token.kind, word.first) {
    case (.word, _): return variables[word]?.text(quote: nil)
    case (.quote, "'"?), (.quote, "\""?):
      return variables[String(word.dropFirst().dropLast())]?.text(quote: word.first)
    default: return nil
    }
  }

  /// The value of a variable of the script or from outside.
  private func value(_ name: String) -> String? {
    switch variables[name] {
    case .text(let text): text
    case .given(let name): given(name)
    case nil: given(name)
    }
  }

  // MARK: Commands

  private mutating func run(_ command: PsqlCommand, _ depth: Int) throws(Problem) {
    switch command.name {
    case "set": try set(command)
    case "unset": variables[command.words.first ?? ""] = nil
    case "i", "include": try include(command, isRelative: false, depth)
    case "ir", "include_relative": try include(command, isRelative: true, depth)
    case "gexec": try execute(command)
    case "g" where command.words.isEmpty:
      write([UInt8(ascii: ";")])
      (statementStart, outline) = (nil, SQLOutline())
    case "q", "quit": hasQuit = true
    // What is shown, and how.
    case "echo", "qecho", "warn", "timing", "pset", "x", "t", "a", "f", "H", "T", "C", "o", "out", "r",
      "reset",
      "p", "print", "errverbose", "restrict", "unrestrict", "conninfo":
      break
    case "encoding" where ["", "UTF8", "UTF-8", "UNICODE"].contains(command.words.first?.uppercased() ?? ""):
      break
    default: throw Problem(file: command.file, error: .psqlCommand(command.name, command.place))
    }
  }

  private mutating func set(_ command: PsqlCommand) throws(Problem) {
    guard let name = command.words.first else { return }
    let parts = command.arguments.dropFirst().joined()
    if parts.count == 1, case .variable(let given, quote: nil)? = parts.first, variables[given] == nil {
      variables[name] = .given(given)
      return
    }
    var text = ""
    for part in parts {
      switch part {
      case .text(let piece): text += piece
      case .variable(let other, let quote):
        guard case .text? = variables[other], let piece = variables[other]?.text(quote: quote) else {
          throw command.problem(
            ":\(other) is not set in the script", "set it there, or give \\set nothing but :\(other)")
        }
        text += piece
      }
    }
    variables[name] = .text(text)
  }

  private mutating func include(_ command: PsqlCommand, isRelative: Bool, _ depth: Int) throws(Problem) {
    let name = command.words.first ?? ""
    guard let found = include(name, isRelative ? command.file : nil) else {
      throw command.problem(
        "there is no file '\(name)' to include in the project's folder",
        "put it there, or correct its name; files outside of the folder are not read")
    }
    guard depth < 50 else {
      throw command.problem("'\(name)' includes itself", "take the \\\(command.name) out")
    }
    inclusions.append(Inclusion(line: line, file: found.path, fileLine: 1))
    try read(found.text, found.path, depth: depth + 1)
    inclusions.append(
      Inclusion(line: line + 1, file: command.file, fileLine: command.place.line + 1))
  }

  /// Whether a variable is in a query whose value is known only when it is run.
  private func hasGivenVariable(_ query: String) -> Bool {
    var lexer = SQLLexer(query)
    var colon: SQLToken?
    while let token = lexer.next() {
      let isBehindColon = colon?.range.upperBound == token.range.lowerBound
      let word = lexer.text(token.range)
      if isBehindColon, token.kind == .quote || token.kind == .word && given(word) != nil { return true }
      colon = lexer.isMark(":", token) && !isBehindColon ? token : nil
    }
    return false
  }

  /// Has each value that the query before it gives run as a statement.
  private mutating func execute(_ command: PsqlCommand) throws(Problem) {
    guard let start = statementStart else {
      throw command.problem("\\gexec has no query before it", "take out the semicolon before \\gexec")
    }
    let query = output[start...]
    if hasGivenVariable(String(decoding: query, as: UTF8.self)) {
      throw command.problem(
        "\\gexec after a query with a value that is given from outside",
        "\\set it in the script, or decide in DO")
    }
    let tag = "$rivulet_gexec$"
    output.replaceSubrange(
      start...,
      with: Array("DO \(tag) DECLARE r record; s text; BEGIN FOR r IN ".utf8) + query
        + Array(
          (" LOOP FOR s IN SELECT value FROM json_each_text(row_to_json(r)) WHERE value IS NOT NULL "
            + "LOOP EXECUTE s; END LOOP; END LOOP; END \(tag);").utf8))
    (statementStart, outline) = (nil, SQLOutline())
  }
}

private enum PsqlVariable {
  case text(String)
  /// What somebody gives from outside for another name.
  case given(String)

  func text(quote: Character?) -> String {
    switch (self, quote) {
    case (.text(let text), "'"?): "'" + text.replacing("'", with: "''") + "'"
    case (.text(let text), "\""?): "\"" + text.replacing("\"", with: "\"\"") + "\""
    case (.text(let text), _): text
    case (.given(let name), let quote?): ":\(quote)\(name)\(quote)"
    case (.given(let name), nil): ":" + name
    }
  }
}
