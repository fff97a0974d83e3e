public import Host

/// Migrations that get other numbers: where two files claim one, or one comes before others that are applied.
///
/// ```swift
/// let renumbering = try Renumbering(of: ["Migrations"], applied: try AppliedName.all(on: connection))
/// for step in renumbering.steps { print(step.version, step.newVersion) }
/// try renumbering.perform()
/// ```
public struct Renumbering: Sendable {
  /// One migration, and all of its files.
  public struct Step: Sendable {
    /// The version it has.
    public let version: String
    /// The version it gets.
    public let newVersion: String
    /// Its name, which stays.
    public let name: String
    /// Why.
    public let reason: String
    /// The paths of its files, as they are and as they will be.
    public let files: [(from: String, to: String)]
  }

  /// What is done, in the order of the new versions.
  public let steps: [Step]

  /// Decides what gets which number: the numbers after the last of all files, and of all that is applied.
  ///
  /// What any history has applied keeps its number. Of files of one version, none of which is applied, the first
  /// by name does.
  ///
  /// - Parameters:
  ///   - folders: the folders' paths, which are read as one.
  ///   - applied: what all histories of the database have; none where it is not asked.
  ///   - histories: the names of the folders' own histories.
  ///   - late: the versions that come before applied ones.
  ///   - chosen: paths of files that are to be renumbered, in place of those that clash or are late.
  /// - Throws: `MigrationError.malformed` where it cannot be said which file keeps its number, or none can be
  ///   changed; `.unknownFormat` and `FileError`.
  public init(
    of folders: [String], applied: [AppliedName] = [], histories: Set<String> = [""], late: [String] = [],
    chosen: [String] = []
  ) throws {
    let files = try folders.flatMap { folder in
      guard let format = try MigrationFormat.of(folder, names: Files.list(folder)) else {
        throw MigrationError.unknownFormat(path: folder, names: try Files.list(folder))
      }
      return try NumberedFile.all(in: folder, format)
    }
    let all = try NumberedMigration.all(files)
    let choice = RenumberingChoice(
      all: all, applied: applied, own: applied.filter { histories.contains($0.history) })
    let moved = try chosen.isEmpty ? choice.usual(late: late) : choice.named(chosen)
    let versions = files.map(\.version) + choice.own.map(\.version)
    var last = (versions.max(by: VersionOrder.numeric.precedes) ?? "0").replacing("_", with: ".")
    steps = moved.map { migration, reason in
      last = VersionOrder.next(after: last)
      return Step(
        version: migration.version, newVersion: last, name: migration.name, reason: reason,
        files: migration.files.map { [last] file in (file.path, file.path(as: last)) })
    }
  }

  /// Renames the files.
  ///
  /// - Throws: `FileError`; what was renamed before stays so, and the rest can be done again.
  public func perform() throws(FileError) {
    for step in steps {
      for file in step.files { try Files.move(file.from, to: file.to) }
    }
  }
}

/// Which of a folder's migrations get other numbers, and why.
struct RenumberingChoice {
  typealias Chosen = [(migration: NumberedMigration, reason: String)]

  let all: [NumberedMigration]
  /// What any history has.
  let applied: [AppliedName]
  /// What the folder's own have.
  let own: [AppliedName]

  /// Those that clash; the late ones where none does.
  func usual(late: [String]) throws(MigrationError) -> Chosen {
    var chosen: Chosen = []
    let groups = Dictionary(grouping: all, by: \.key).values.filter { $0.count > 1 }
    for group in groups.sorted(by: { $0[0].key < $1[0].key }) { chosen += try clashing(group) }
    if !chosen.isEmpty { return chosen }
    return all.filter { migration in
      !isApplied(migration) && late.contains { VersionOrder.numeric.isSame($0, migration.version) }
    }.map { ($0, "it comes before migrations that are applied") }
  }

  /// Those of some files.
  func named(_ paths: [String]) throws(MigrationError) -> Chosen {
    let wanted = try paths.map { path throws(MigrationError) in
      let place = Path.canonical(path)
      guard let migration = all.first(where: { $0.files.contains { Path.canonical($0.path) == place } })
      else {
        throw .unfit(path, "this is no migration with a number of the folder", "name a file of the folder")
      }
      if isApplied(migration) {
        throw .unfit(
          path, "\(migration.label) is applied, and keeps its number", "name the file that is not applied")
      }
      return migration.label
    }
    return all.filter { wanted.contains($0.label) }.map { ($0, "it was named") }
  }

  private func isApplied(_ migration: NumberedMigration) -> Bool { applied.contains { $0.isOf(migration) } }

  /// Those of one version that do not keep it.
  private func clashing(_ group: [NumberedMigration]) throws(MigrationError) -> Chosen {
    let fixed = group.filter(isApplied)
    let file = group[1].files[0].path
    if fixed.count > 1 {
      throw .unfit(
        file,
        "\(fixed.map(\.label).joined(separator: " and ")) are both applied, so neither can get another number",
        "write the one that fewer databases have as a new migration")
    }
    let order = VersionOrder.numeric
    if fixed.isEmpty, let row = own.first(where: { order.isSame($0.version, group[0].version) }) {
      throw .unfit(
        file,
        "version \(row.version) is applied as \(Migration.Kind.versioned.label(row.version, row.name)), "
          + "and no file has that name", "give the file that was applied its name again")
    }
    let keeper = fixed.first ?? group[0]
    let reason = fixed.isEmpty ? "comes first by name" : "is applied"
    return group.filter { $0.name != keeper.name }.map {
      ($0, "\(keeper.label) \(reason) and keeps the number")
    }
  }
}
