import PostgreSQL

/// What a database that others have migrated is taken over with.
public struct Baseline: Sendable {
  /// Migrations that count as applied, in order; repeatable ones last.
  public let taken: [Migration]
  /// Versioned ones that are left to be applied.
  public let pending: [Migration]
  /// Whether all that is taken counted as applied before.
  public let wasThere: Bool
}

/// How it is known what a database has been through.
public enum BaselineSource: Sendable {
  /// Somebody says: everything up to this version.
  case version(String)
  /// A tool's own history says; in another table than usual where one is named.
  case tool(MigrationTool, table: String?)
}

extension MigrationEngine {
  /// Takes over a database that other hands have brought to where it is: writes into the history what is
  /// applied, with the text of the files, and runs none of it.
  ///
  /// For a dry run nothing is written.
  ///
  /// - Throws: ``BaselineError`` where the database, the tool's history and the folder do not agree, and
  ///   `MigrationError.unknownVersion`, `.busy` and `.behindPooler`; then nothing is written.
  public func baseline(_ source: BaselineSource, isDry: Bool = false) throws -> Baseline {
    try locked(isDry: isDry) {
      let taken = try taken(source)
      let pending = folder.migrations.filter { file in !taken.contains { $0.label == file.label } }
      let there = try status().applied.filter { $0.kind == .versioned }
      let isSame =
        there.count == taken.count { $0.kind == .versioned }
        && there.allSatisfy { row in taken.contains { folder.order.isSame($0.version, row.version) } }
      guard there.isEmpty || isSame else { throw BaselineError.alreadyMigrated(there.map(\.label)) }
      if !isDry && there.isEmpty { try write(taken) }
      return Baseline(taken: taken, pending: pending, wasThere: !there.isEmpty)
    }
  }

  private func write(_ taken: [Migration]) throws {
    let rows = taken.map { history.addition(of: $0, using: folder.datasets, isBaseline: true) }
    try connection.transaction { _ = try connection.execute(rows.joined(separator: "\n")) }
  }

  private func taken(_ source: BaselineSource) throws -> [Migration] {
    switch source {
    case .version(let version):
      return try folder.migrations(upTo: version).filter(folder.uses)
    case .tool(let tool, let table):
      return try folder.taken(
        by: try ForeignHistoryReader.read(tool, table: table, for: folder, on: connection))
    }
  }
}

extension MigrationFolder {
  /// The migrations that a history of another tool is about, in order.
  ///
  /// - Throws: ``BaselineError`` unless they are all up to the last of them.
  func taken(by history: ForeignHistory) throws -> [Migration] {
    if history.entries.isEmpty && history.upTo == nil { throw BaselineError.nothingApplied(history.table) }
    let covered = history.upTo.map { upTo in migrations.filter { !order.precedes(upTo, $0.version) } } ?? []
    var versions = Set(covered.map(\.version))
    var matched: Set<String> = []
    var strangers: [String] = []
    var edited: [String] = []
    for entry in history.entries {
      guard
        let file = migrations.first(where: {
          entry.isAbout($0) && (entry.isShared || !matched.contains($0.version))
        })
      else {
        strangers.append(entry.label)
        continue
      }
      matched.insert(file.version)
      if try !entry.isUnchanged(file) { edited.append(file.label) }
    }
    if !strangers.isEmpty { throw BaselineError.withoutFile(strangers, table: history.table) }
    if !edited.isEmpty { throw BaselineError.edited(edited, table: history.table) }
    versions.formUnion(matched)
    let last = migrations.lastIndex { versions.contains($0.version) } ?? -1
    let skipped = migrations.prefix(last + 1).filter { !versions.contains($0.version) }
    if !skipped.isEmpty { throw BaselineError.skipped(skipped.map(\.label), table: history.table) }
    let same = try repeatables.filter { file in
      try history.repeatables.contains { try $0.isAbout(file) && $0.isUnchanged(file) }
    }
    return migrations.prefix(last + 1) + same
  }
}
