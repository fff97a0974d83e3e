import SQLText

/// Something that a rule found in a migration.
public struct LintFinding: Sendable, Equatable {
  /// The rule's name.
  public let rule: String
  /// How much it weighs.
  public let severity: LintSeverity
  /// The migration's version; of a repeatable one its name.
  public let version: String
  /// The path of the file.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in characters.
  public let column: Int
  /// What is wrong.
  public let message: String
  /// What to do instead.
  public let fix: String
}

/// Looks for trouble in migrations before they meet a live database; needs no server.
///
/// ```swift
/// let lint = Lint(folder: try MigrationFolder("Migrations"))
/// for finding in try lint.findings() { print(finding.file, finding.line, finding.message) }
/// ```
public struct Lint {
  private let folder: MigrationFolder
  private let views: [SchemaModel.View]
  private let rules: [LintRule]

  /// A lint of a folder.
  ///
  /// `views` are views that are kept outside the migrations, with their queries. `forCitus` asks also what
  /// Citus would refuse.
  public init(folder: MigrationFolder, views: [(name: String, sql: String)] = [], forCitus: Bool = false) {
    self.folder = folder
    // A view whose text cannot be taken apart is for the view engine to complain of.
    self.views = views.map { name, sql in
      let statements = (try? SQLScript(sql))?.statements ?? []
      return SchemaModel.View(
        name: name, words: statements.flatMap { SchemaModel.folded($0, 0..<$0.words.count) }, madeIn: -1)
    }
    rules = LintRule.all.filter { forCitus || !$0.isForCitus }
  }

  /// What is found in the migrations of these versions, or in all, in order of version and place.
  ///
  /// Those before them are read too, so that it is known what they made.
  ///
  /// - Throws: `MigrationError.malformed` where a file cannot be read, and `MigrationError.unknownVersion`.
  public func findings(in versions: [String] = []) throws(MigrationError) -> [LintFinding] {
    try folder.requireRunnable()
    let all = folder.migrations + folder.repeatables
    let chosen = try labels(versions, of: all)
    let context = try context(all)
    var model = SchemaModel()
    var found: [LintFinding] = []
    for (number, migration) in all.enumerated() {
      model.current = number
      model.searchPath = nil
      var reader = LintReader(rules: rules, folder: context, model: model)
      if case .sql(let down) = migration.down {
        try reader.read(LintSection(down, of: migration, isDown: true))
        reader.model = model
      }
      try reader.read(LintSection(migration.up, of: migration, isDown: false))
      model = reader.model
      guard chosen.contains(migration.label) else { continue }
      found += reader.findings.sorted {
        ($0.file, $0.line, $0.column, $0.rule) < ($1.file, $1.line, $1.column, $1.rule)
      }
    }
    return found
  }

  private func labels(_ versions: [String], of all: [Migration]) throws(MigrationError) -> Set<String> {
    if versions.isEmpty { return Set(all.map(\.label)) }
    var labels: Set<String> = []
    for version in versions {
      let found = folder.migration(version) ?? folder.repeatables.first { $0.name == version }
      guard let found else { throw .unknownVersion(version, known: all.map(\.version)) }
      labels.insert(found.label)
    }
    return labels
  }

  private func context(_ all: [Migration]) throws(MigrationError) -> LintFolder {
    var context = LintFolder(views: views, isOwnFormat: folder.isOwnFormat)
    for migration in all {
      try read(migration.up, into: &context)
      try readPlacements(migration.up, into: &context)
    }
    context.placedInTurn = context.placement.references.union(context.placement.distributed.keys)
    for section in folder.callbacks.values.joined() { try read(section, into: &context) }
    return context
  }

  private func read(_ section: Migration.Section, into context: inout LintFolder) throws(MigrationError) {
    for statement in try section.script(isForReading: true).statements {
      for target in statement.targets { context.qualifiedNames += target.name.schema == nil ? -1 : 1 }
      context.placement.read(statement)
    }
  }

  private func readPlacements(_ section: Migration.Section, into context: inout LintFolder)
    throws(MigrationError)
  {
    guard section.hasPlacements else { return }
    let filled = try section.filled(isForReading: true)
    for (_, mark) in try section.placements(of: try section.script(of: filled), in: filled) {
      switch mark.place {
      case .distributed(let key, let other):
        context.placement.distribute(mark.table, by: key, with: other?.description, isDeclared: true)
      case .reference: context.placement.copyEverywhere(mark.table, isDeclared: true)
      case .local: break
      }
    }
  }
}

/// Reads sections statement by statement, asks the rules, and keeps up with what the schema has become.
struct LintReader {
  let rules: [LintRule]
  let folder: LintFolder
  var model: SchemaModel
  private(set) var findings: [LintFinding] = []

  mutating func read(_ section: LintSection) {
    let asked = rules.filter { $0.looksAtDown || !section.isDown }
    var allowances = LintAllowances(section, asked: asked)
    var held: [(name: SQLName, line: Int)] = []
    var said = LintMemory()
    for (index, statement) in section.statements.enumerated() {
      let meaning = SchemaStatement(statement)
      let subject = LintSubject(
        statement: statement, meaning: meaning, model: model, section: section, index: index, held: held,
        said: said, folder: folder)
      let tokens = statement.tokens
      for rule in asked {
        for remark in rule.remarks(subject) where !allowances.silence(rule.name, at: index) {
          add(rule, remark.message, remark.fix, at: tokens[remark.place].place, in: section)
        }
      }
      if section.isTransactional {
        held += subject.lockedTables.map { ($0, statement.place.line) }
      }
      said.take(subject)
      model.replay(statement, meaning)
    }
    for complaint in allowances.complaints {
      add(.unusedAllow, complaint.message, complaint.fix, at: complaint.place, in: section)
    }
  }

  private mutating func add(
    _ rule: LintRule, _ message: String, _ fix: String?, at place: SQLPlace, in section: LintSection
  ) {
    findings.append(
      LintFinding(
        rule: rule.name, severity: rule.severity, version: section.migration.version,
        file: section.source.file, line: place.line, column: place.column, message: message,
        fix: fix ?? rule.fix))
  }
}
