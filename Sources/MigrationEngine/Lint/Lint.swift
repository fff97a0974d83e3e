import SQLText

/// Looks for trouble in migrations before they meet a live database; needs no server.
///
/// ```swift
/// let lint = Lint(folder: try MigrationFolder("Migrations"))
/// for finding in try lint.findings() { print(finding.file, finding.line, finding.message) }
/// ```
public struct Lint {
  private let folder: MigrationFolder
  private let views: [(name: String, sql: String)]
  private let rules: [any LintRule]

  /// A lint of a folder.
  ///
  /// `views` are views that are kept outside the migrations, with their queries. `forCitus` asks also what
  /// Citus would refuse.
  public init(folder: MigrationFolder, views: [(name: String, sql: String)] = [], forCitus: Bool = false) {
    self.folder = folder
    self.views = views
    rules = LintManual.rules.filter { forCitus || !$0.isForCitus }
  }

  /// What is found in the migrations of these versions, or in all, in order of version and place.
  ///
  /// Those before them are read too, so that it is known what they made. Throws ``MigrationError`` where a
  /// file cannot be read, or a version is not there.
  public func findings(in versions: [String] = []) throws(MigrationError) -> [LintFinding] {
    let chosen = try files(versions)
    var model = SchemaModel()
    let context = try context()
    var found: [LintFinding] = []
    for (number, migration) in (folder.migrations + folder.repeatables).enumerated() {
      model.current = number
      model.searchPath = nil
      var reader = LintReader(rules: rules, folder: context, model: model)
      if case .sql(let down) = migration.down {
        try reader.read(LintSection(down, of: migration, isDown: true))
        reader.model = model
      }
      try reader.read(LintSection(migration.up, of: migration, isDown: false))
      model = reader.model
      if chosen.contains(migration.file) { found += reader.findings.sorted(by: Lint.precedes) }
    }
    return found
  }

  private static func precedes(_ left: LintFinding, _ right: LintFinding) -> Bool {
    (left.file, left.line, left.column, left.rule) < (right.file, right.line, right.column, right.rule)
  }

  private func files(_ versions: [String]) throws(MigrationError) -> Set<String> {
    let all = folder.migrations + folder.repeatables
    if versions.isEmpty { return Set(all.map(\.file)) }
    var files: Set<String> = []
    for version in versions {
      let found = folder.migration(version) ?? folder.repeatables.first { $0.name == version }
      guard let found else { throw .unknownVersion(version, known: all.map(\.version)) }
      files.insert(found.file)
    }
    return files
  }

  private func context() throws(MigrationError) -> LintFolder {
    var context = LintFolder()
    context.views = views.map { SchemaModel.View(name: $0.name, words: Lint.words(of: $0.sql), madeIn: -1) }
    let callbacks = folder.callbacks
    let sections =
      (folder.migrations + folder.repeatables).map(\.up) + callbacks.beforeMigrate
      + callbacks.beforeEachMigrate
      + callbacks.afterEachMigrate + callbacks.afterMigrate
    for section in sections {
      for statement in try section.script().statements {
        for target in statement.targets { context.qualifiedNames += target.name.schema == nil ? -1 : 1 }
        context.placement.read(statement)
      }
    }
    return context
  }

  /// A view whose text cannot be taken apart is for the view engine to complain of.
  private static func words(of sql: String) -> [String] {
    ((try? SQLScript(sql))?.statements ?? []).flatMap { SchemaModel.folded($0, 0..<$0.words.count) }
  }
}
