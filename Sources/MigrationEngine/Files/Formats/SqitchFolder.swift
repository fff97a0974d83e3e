import Host

/// Reads a sqitch project: its plan, and the scripts of each change.
struct SqitchFolder {
  private let path: String
  private let settings: SqitchSettings

  /// A project by the folder that holds `sqitch.conf`, or `sqitch.plan` where there is no other.
  init(_ path: String) throws {
    self.path = path
    let file = MigrationFile(name: "sqitch.conf", path: Path.join(path, "sqitch.conf"))
    settings = Files.exists(file.path) ? try SqitchSettings(file) : SqitchSettings(folder: path)
  }

  func read() throws -> MigrationFolder {
    let file = MigrationFile(name: Path.name(settings.plan), path: settings.plan)
    let plan = try SqitchPlan(try file.text(), file: file.path)
    let migrations = try plan.changes.map { try migration($0, plan: file.path) }
    try refuseUnplanned(plan)
    let places = zip(migrations.map(\.version), 0...)
    var folder = try MigrationFolder(
      path: path, migrations: migrations, order: .listed(Dictionary(uniqueKeysWithValues: places)))
    folder.project = plan.project
    return folder
  }

  private func migration(_ change: SqitchPlan.Change, plan: String) throws -> Migration {
    let suffix = suffix(change)
    func section(_ kind: String) throws -> Migration.Section? {
      let script = script(kind, change, suffix)
      return Files.exists(script.path) ? try script.section() : nil
    }
    guard let up = try section("deploy") else {
      throw MigrationError.malformed(
        file: plan, line: change.line, column: nil,
        message: "change '\(change.name)' has no script '\(script("deploy", change, suffix).path)'",
        hint: "write it, or take the change out of the plan")
    }
    let down = try section("revert").map { Migration.Down.sql($0) } ?? .missing
    var migration = Migration(version: change.version, name: change.name, up: up, down: down)
    migration.verify = try section("verify")
    return migration
  }

  private func script(_ kind: String, _ change: SqitchPlan.Change, _ suffix: String) -> MigrationFile {
    let name = change.name + suffix + "." + settings.ending
    let folder = settings.scripts(kind, isReworked: !suffix.isEmpty)
    return MigrationFile(name: name, path: Path.join(folder, name))
  }

  /// What a change's scripts have behind its name: those of a reworked one have the tag after which it was
  /// reworked.
  private func suffix(_ change: SqitchPlan.Change) -> String {
    let suffixes = change.reworkTags.map { "@" + $0 }
    return suffixes.first { Files.exists(script("deploy", change, $0).path) } ?? suffixes.first ?? ""
  }

  /// A script that no change names would never run.
  private func refuseUnplanned(_ plan: SqitchPlan) throws {
    let folder = settings.scripts("deploy", isReworked: false)
    let planned = Set(plan.changes.map { script("deploy", $0, suffix($0)).path })
    for file in try MigrationFile.tree(folder)
    where file.name.hasSuffix("." + settings.ending) && !planned.contains(file.path) {
      throw MigrationError.unfit(
        file: file.path, message: "no change of the plan has this script",
        hint: "add the change to the plan, or take the file away")
    }
  }
}
