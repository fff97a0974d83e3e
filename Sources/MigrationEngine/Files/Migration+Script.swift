import SQLText

extension Migration.Section {
  /// The text with a value in the place of each placeholder.
  ///
  /// `isForReading` takes the name for a value that is not known: what is only read needs no secrets.
  ///
  /// - Throws: `MigrationError.malformed` at the first that has no value, with the names of all.
  func filled(isForReading: Bool = false) throws(MigrationError) -> FilledText {
    guard let syntax = options.placeholders else { return FilledText(sql) }
    var missing: [(name: String, place: SQLPlace)] = []
    let filled = try FilledText(sql, syntax) { name, place throws(MigrationError) in
      if let value = values[name] { return value }
      if syntax == .psql { return nil }
      if !isForReading { missing.append((name, place)) }
      return name
    }
    guard let (name, place) = missing.first else { return filled }
    let names = Set(missing.map { "${\($0.name)}" }).sorted()
    throw unfit(
      SQLPlace(line: place.line + line - 1, column: place.column),
      names.count == 1
        ? "the placeholder \(names[0]) has no value"
        : "the placeholders \(names.joined(separator: ", ")) have no values", hint(name))
  }

  /// Its statements, their places counted in the file.
  ///
  /// - Throws: `MigrationError.malformed`.
  func script(isForReading: Bool = false) throws(MigrationError) -> SQLScript {
    try script(of: try filled(isForReading: isForReading))
  }

  /// The statements of the text as it is filled.
  func script(of filled: FilledText) throws(MigrationError) -> SQLScript {
    try parsed { () throws(SQLScriptError) in try SQLScript(filled.text, firstLine: line) }
  }

  /// The first statement that is so, with its placeholders in it.
  func firstStatement(where matches: (SQLStatement) -> Bool) throws(MigrationError) -> SQLStatement? {
    try parsed { () throws(SQLScriptError) in
      try SQLScript.firstStatement(of: sql, firstLine: line, where: matches)
    }
  }

  private func parsed<Value>(_ parse: () throws(SQLScriptError) -> Value) throws(MigrationError) -> Value {
    if let fault { throw fault }
    do throws(SQLScriptError) {
      return try parse()
    } catch {
      throw unfit(error.place, error.message, error.hint)
    }
  }

  /// That something at a place of it cannot be taken as it is.
  func unfit(_ place: SQLPlace, _ message: String, _ hint: String) -> MigrationError {
    let (file, line) = origin(place.line)
    return .malformed(file: file, line: line, column: place.column, message: message, hint: hint)
  }

  /// The file and line that a line comes from, which is counted as those of ``file`` are.
  func origin(_ line: Int) -> (file: String, line: Int) {
    let own = line - self.line + 1
    guard let inclusion = inclusions.last(where: { $0.line <= own }) else { return (file, line) }
    return (inclusion.file, inclusion.fileLine + own - inclusion.line)
  }

  private func hint(_ name: String) -> String {
    "give it with --set \(name)=VALUE, or with --set-file; what is meant literally needs "
      + "placeholderReplacement=false in a file of the script's name and .conf (Flyway), or no placeholders=on"
  }
}
