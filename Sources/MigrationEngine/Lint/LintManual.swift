extension LintRule {
  /// The manual in Markdown; `Documentation/Lint.md` is this text.
  public static var manual: String {
    let (plain, citus) = (all.filter { !$0.isForCitus }, all.filter(\.isForCitus))
    return """
      # Lint

      `rivulet migrate lint` reads the folder of migrations and names what would hurt a live database: locks that
      stop traffic, statements that fail on tables with rows, changes that break what runs. It needs no server. This
      page is what `rivulet migrate lint --rules` prints.

      - [What counts](#what-counts)
      - [To allow a finding](#to-allow-a-finding)
      - [Rules](#rules)
      \(links(plain))
      - [Rules for Citus](#rules-for-citus)
      \(links(citus))

      ## What counts

      A table counts as live unless the same migration has made it before. Statements inside `DO` blocks and
      functions are not read. Short locks that only change the catalog are no finding: `migrate up` waits for them
      with a time-out. An **error** ends `migrate lint` with exit code 5, a **notice** does not.

      ## To allow a finding

      Say why on a line of the statement or in a comment right above it:

      ```sql
      -- rivulet:allow index-without-concurrently the table has forty rows
      CREATE INDEX state_name ON ref.state (name);
      ```

      Comments are no part of a migration's checksum, so applied migrations can be given one.

      ## Rules

      """ + sections(plain) + """

        ## Rules for Citus

        Asked with `--citus`. Where migrations or callbacks call `create_distributed_table('schema.table', 'key')` or
        `create_reference_table('schema.table')`, the rules look at those tables; where none does, at every table.
        Here the bodies of `DO` blocks and of functions in SQL and PL/pgSQL are read too.

        """ + sections(citus)
  }

  private static func links(_ rules: [LintRule]) -> String {
    rules.map { "  - [\($0.name) (\($0.severity.rawValue))](#\($0.name)-\($0.severity.rawValue))" }
      .joined(separator: "\n")
  }

  private static func sections(_ rules: [LintRule]) -> String {
    rules.map {
      "\n### \($0.name) (\($0.severity.rawValue))\n\n\(wrapped($0.reason))\n\n\(wrapped("Instead: \($0.fix)."))\n"
    }
    .joined()
  }

  /// A paragraph in lines of at most 110 characters.
  private static func wrapped(_ text: String) -> String {
    text.split(separator: " ").reduce(into: [""]) { lines, word in
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + word.count < 110 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    .joined(separator: "\n")
  }
}
