import SQLText

extension LintRule {
  /// Finds roles that a migration makes without looking whether they are there.
  static let createRole = LintRule(
    name: "create-role",
    reason:
      "Roles belong to the whole cluster: CREATE ROLE fails in the second database of a cluster, and when the "
      + "migration is applied again after it was reverted.",
    fix:
      "make it if it is missing: DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'name') THEN CREATE "
      + "ROLE name; END IF; END $$"
  ) { subject in
    isRole("CREATE", subject.statement.words, at: 0)
      ? [LintRemark(0, "this fails where the cluster has the role already")] : []
  }

  /// Finds roles that a migration drops.
  static let dropRole = LintRule(
    name: "drop-role", looksAtDown: true,
    reason:
      "Roles belong to the whole cluster: other databases use them, and DROP ROLE fails there or locks people out. "
      + "Also looked for inside DO blocks and in the section `down`.",
    fix: "leave the role; revoke what this database gave it"
  ) { subject in
    let words = subject.statement.words
    return words.indices.compactMap { place in
      if let body = subject.statement.dollarBody(place) {
        let inner = ((try? SQLScript(body))?.statements ?? []).flatMap(\.words)
        return inner.indices.contains { isRole("DROP", inner, at: $0) }
          ? LintRemark(place, "this block drops a role of the whole cluster") : nil
      }
      return place == 0 && isRole("DROP", words, at: 0)
        ? LintRemark(0, "the role belongs to the whole cluster") : nil
    }
  }

  /// Whether a command on a role is here, under any of the names that roles have.
  private static func isRole(_ command: String, _ words: [String], at place: Int) -> Bool {
    let rest = words[place...]
    return rest.first == command && ["ROLE", "USER", "GROUP"].contains(rest.dropFirst().first)
      && !rest.starts(with: [command, "USER", "MAPPING"])
  }

  /// Finds new values of an enum that are used before they are committed.
  static let enumValueInTransaction = LintRule(
    name: "enum-value-in-transaction",
    reason:
      "A value that ALTER TYPE ... ADD VALUE adds cannot be used before the transaction ends: the statement fails "
      + "with \"unsafe use of new value\".",
    fix: "use the value in a later migration"
  ) { subject in
    let values = subject.said.enumValues
    guard !values.isEmpty, subject.section.isTransactional else { return [] }
    let words = subject.statement.words
    guard let place = words.firstIndex(where: values.contains) else { return [] }
    return [LintRemark(place, "the value \(words[place]) is not yet committed, so this fails")]
  }

  /// Finds migrations without a way back.
  static let missingDown = LintRule(
    name: "missing-down", severity: .notice,
    reason:
      "A migration without a section `down` cannot be reverted, and nobody knows whether that is intended.",
    fix: "write the section `-- rivulet:down`, or `-- rivulet:down irreversible \"reason\"`"
  ) { subject in
    let migration = subject.section.migration
    guard subject.folder.isOwnFormat, subject.index == 0, migration.kind == .versioned,
      migration.down == .missing
    else { return [] }
    return [LintRemark(0, "\(migration.label) has no way back and does not say why")]
  }

  /// Finds names whose schema the search path decides.
  static let unqualifiedName = LintRule(
    name: "unqualified-name", severity: .notice, looksAtDown: true,
    reason:
      "Without a schema, the search path of the role that runs the migration decides which object is meant. Looked "
      + "for only in folders where most names have one, and not after SET search_path in the same file.",
    fix: "write schema.name"
  ) { subject in
    guard subject.folder.qualifiedNames > 0, !subject.said.namesSearchPath else { return [] }
    let model = subject.model
    return subject.statement.targets.compactMap { name, place in
      let isTemporary = model.table(name)?.isTemporary == true || model.views["pg_temp." + name.name] != nil
      guard name.schema == nil, !isTemporary else { return nil }
      return LintRemark(place, "\(name) is looked for along the search path")
    }
  }

  /// Finds allowances that allow nothing; the reader itself asks after them once it knows what they silenced.
  static let unusedAllow = LintRule(
    name: "unused-allow", severity: .notice, looksAtDown: true,
    reason:
      "A comment `-- rivulet:allow` that silences nothing, names a rule that there is not, or gives no reason. "
      + "Left standing, it would silence what comes there later.",
    fix: "take the comment out, or put it on the statement or the line above it"
  ) { _ in [] }
}
