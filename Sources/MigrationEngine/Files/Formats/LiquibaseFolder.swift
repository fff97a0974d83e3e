import Host

/// Reads changesets of Liquibase that are written as SQL: files that begin with `--liquibase formatted sql`, and
/// others that a changelog names.
struct LiquibaseFolder {
  let path: String
  let values: PlaceholderValues

  func read() throws -> MigrationFolder {
    var migrations: [Migration] = []
    var counts: [String: Int] = [:]
    let files = try LiquibaseOrder(path, values)
    var strays = files.strays
    for file in files.scripts {
      do throws(MigrationError) {
        for migration in try changesets(file) {
          // The file is part of what a changeset is called.
          let count = counts[migration.version, default: 0] + 1
          counts[migration.version] = count
          migrations.append(count == 1 ? migration : migration.named("\(migration.version)#\(count)"))
        }
      } catch {
        strays.append(error)
      }
    }
    let places = zip(migrations.map(\.version), 0...)
    var folder = try MigrationFolder(
      path: path, migrations: migrations,
      order: .listed(Dictionary(places, uniquingKeysWith: { first, _ in first })), values: values)
    folder.strays = strays
    return folder
  }

  static let head = "liquibase formatted sql"

  /// Whether a file's first line says that it holds changesets.
  static func isFormatted(_ path: String) throws(FileError) -> Bool {
    let text = String(decoding: try Files.read(path, atMost: 200), as: UTF8.self)
    return SectionedText.lines(text).first.flatMap(comment)?.lowercased().hasPrefix(head) == true
  }

  /// What a line of a comment says; nil where it is none.
  private static func comment(_ line: Substring) -> String? {
    guard line.hasPrefix("--") else { return nil }
    return String(line.dropFirst(2).trimmingBlanks)
  }

  // MARK: Changesets

  private func changesets(_ file: MigrationFile) throws(MigrationError) -> [Migration] {
    let (text, fault, isFormatted): (String, MigrationError?, Bool)
    do throws(FileError) {
      (text, fault) = try file.textOrFault()
      isFormatted = try LiquibaseFolder.isFormatted(file.path)
    } catch {
      throw .unfit(file.path, "\(error)", "make it readable")
    }
    if let fault { throw fault }
    guard isFormatted else {
      // So Liquibase calls a file of SQL alone in its history.
      let section = Migration.Section(sql: text, file: file.path)
      return [
        Migration(
          version: "includeAll:raw", name: String(file.name.dropLast(".sql".count)),
          up: section.finished(values), down: .missing)
      ]
    }
    takeProperties(text)
    let parts = SectionedText(text) { line in
      guard let words = LiquibaseFolder.comment(line), words.lowercased().hasPrefix("changeset ") else {
        return nil
      }
      return line.dropFirst(line.count - words.count + "changeset ".count)
    }
    var migrations: [Migration] = []
    for (mark, line, sql) in parts.sections {
      let changeset = Changeset(path: file.path, line: line, values: values)
      if let migration = try changeset.migration(mark, sql) { migrations.append(migration) }
    }
    return migrations
  }

  /// `--property name=x value=y`, which stand for `${x}`.
  private func takeProperties(_ text: String) {
    for line in SectionedText.lines(text) {
      guard let words = LiquibaseFolder.comment(line), words.lowercased().hasPrefix("property ") else {
        continue
      }
      let parts = Changeset.attributes(words.dropFirst("property ".count))
      if let name = parts["name"], let value = parts["value"] { values.add(name, value) }
    }
  }
}

/// One changeset: its line, and what follows up to the next.
private struct Changeset {
  let path: String
  let line: Int
  let values: PlaceholderValues

  private func unfit(_ message: String, _ hint: String) -> MigrationError {
    .unfit(path, line: line, message, hint)
  }

  /// The migration; nil where it is for other databases than PostgreSQL.
  func migration(_ mark: Substring, _ sql: String) throws(MigrationError) -> Migration? {
    let mark = mark.trimmingBlanks
    // An author may have blanks.
    let author = mark.prefix { $0 != ":" }
    let rest = mark.dropFirst(author.count + 1).drop(while: \.isWhitespace)
    let id = String(rest.prefix { !$0.isWhitespace })
    if author.isEmpty || id.isEmpty {
      throw unfit("a changeset without author and id", "write: --changeset author:id")
    }
    let attributes = Changeset.attributes(rest.dropFirst(id.count))
    if attributes["ignore"]?.lowercased() == "true" { return nil }
    let systems = (attributes["dbms"] ?? "").split(separator: ",").map { $0.trimmingBlanks.lowercased() }
    let others = systems.filter { $0.hasPrefix("!") }
    let isMeant =
      systems.isEmpty || !others.isEmpty || ["postgresql", "all"].contains(where: systems.contains)
    if !isMeant || others.contains("!postgresql") { return nil }
    var up = Migration.Section(sql: sql, file: path, line: line + 1)
    up.fault = fault(attributes) ?? faultOfLines(sql)
    if attributes["runInTransaction"]?.lowercased() == "false" { up.options.transaction = false }
    let back = rollback(in: sql)
    return Migration(
      version: "\(author.trimmingBlanks):\(id)", name: id, up: up.finished(values),
      down: back.map { .sql($0.finished(values)) } ?? .missing)
  }

  /// What it asks for that cannot be had here.
  private func fault(_ attributes: [String: String]) -> MigrationError? {
    if attributes["runAlways"]?.lowercased() == "true" {
      return unfit("rivulet does not know runAlways", "make it a repeatable file of our own, R_name.sql")
    }
    if let mark = attributes["endDelimiter"], mark != ";" {
      return unfit("rivulet does not know endDelimiter:\(mark)", "end statements with semicolons")
    }
    return nil
  }

  /// What its comments ask for that cannot be had here.
  private func faultOfLines(_ sql: String) -> MigrationError? {
    for (index, text) in SectionedText.lines(sql).enumerated() where text.hasPrefix("--") {
      let words = text.dropFirst(2).trimmingBlanks.lowercased()
      guard let name = ["precondition", "ignore"].first(where: words.hasPrefix) else { continue }
      return .unfit(
        path, line: line + 1 + index,
        "rivulet does not know \(name == "ignore" ? "ignoreLines" : "preconditions")",
        name == "ignore"
          ? "take the lines out"
          : "make it a file of our own, with what must be true behind '-- rivulet:require'")
    }
    return nil
  }

  /// The lines `--rollback`, and those of a comment `liquibase rollback`, on their own lines, all others blank; nil where there are none.
  private func rollback(in sql: String) -> Migration.Section? {
    var isThere = false
    var isInBlock = false
    let lines = SectionedText.lines(sql).map { line -> Substring in
      let text = line.trimmingBlanks.lowercased()
      if text.hasPrefix("/*"), text.contains("liquibase rollback") {
        (isThere, isInBlock) = (true, true)
        return ""
      }
      if isInBlock {
        isInBlock = !text.hasSuffix("*/")
        return isInBlock ? line : line.trimmingBlanks.dropLast(2)
      }
      guard line.hasPrefix("--") else { return "" }
      let words = line.dropFirst(2).drop(while: \.isWhitespace)
      guard words.lowercased().hasPrefix("rollback") else { return "" }
      isThere = true
      let rest = words.dropFirst("rollback".count)
      return ["empty", "not required"].contains(rest.trimmingBlanks.lowercased()) ? "" : rest
    }
    guard isThere else { return nil }
    return Migration.Section(sql: lines.joined(separator: "\n"), file: path, line: line + 1)
  }

  /// `name:value` or `name=value` words, a value in double quotes as it is.
  static func attributes(_ text: Substring) -> [String: String] {
    var found: [String: String] = [:]
    var rest = text.trimmingBlanks
    while let end = rest.firstIndex(where: { $0 == ":" || $0 == "=" }) {
      let name = String(rest[..<end].split(whereSeparator: \.isWhitespace).last ?? "")
      rest = rest[rest.index(after: end)...]
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace }
      rest = rest.dropFirst(value.count + (isQuoted ? 1 : 0))
      found[name] = String(value)
    }
    return found
  }
}

extension Migration.Section {
  /// With its placeholders and its own transactions found.
  fileprivate func finished(_ values: PlaceholderValues) -> Migration.Section {
    var section = self
    if section.sql.contains("${") {
      section.options.placeholders = .braces
      section.values = values
    }
    return ScriptTransactions.adapted(section)
  }
}

extension Migration {
  /// The same with another version.
  fileprivate func named(_ version: String) -> Migration {
    Migration(version: version, name: name, up: up, down: down)
  }
}
