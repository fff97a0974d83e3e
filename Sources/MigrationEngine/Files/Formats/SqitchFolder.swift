import Host
import SQLText

/// Reads a sqitch project: its plan, and the scripts of each change.
struct SqitchFolder {
  private let path: String
  private let values: PlaceholderValues
  private let settings: SqitchSettings

  /// A project by the folder that holds `sqitch.conf`, or `sqitch.plan` where there is no other.
  init(_ path: String, _ values: PlaceholderValues) throws {
    self.path = path
    self.values = values
    let file = MigrationFile(Path.join(path, "sqitch.conf"))
    settings = Files.exists(file.path) ? try SqitchSettings(file) : SqitchSettings(folder: path)
  }

  func read() throws -> MigrationFolder {
    let plan = try SqitchPlan(try MigrationFile(settings.plan).text(), file: settings.plan)
    let migrations = try plan.changes.map(migration)
    let places = zip(migrations.map(\.version), 0...)
    var folder = try MigrationFolder(
      path: path, migrations: migrations, order: .listed(Dictionary(uniqueKeysWithValues: places)),
      values: values)
    folder.project = plan.project
    let sections = migrations.flatMap { [$0.up, $0.down.section, $0.verify] }
    let included = Set(sections.flatMap { $0?.inclusions ?? [] }.map(\.file))
    folder.strays = try unplanned(plan, included)
    return folder
  }

  private func migration(_ change: SqitchPlan.Change) throws -> Migration {
    let suffix = suffix(change)
    func section(_ kind: String) throws -> Migration.Section? {
      let script = script(kind, change, suffix)
      guard Files.exists(script.path) else { return nil }
      return ScriptTransactions.adapted(try read(script), isCheck: kind == "verify")
    }
    var missing = Migration.Section(sql: "", file: settings.plan)
    missing.fault = .unfit(
      settings.plan, line: change.line,
      "change '\(change.name)' has no script '\(script("deploy", change, suffix).path)'",
      "write it, or take the change out of the plan")
    let up = try section("deploy") ?? missing
    let down = try section("revert").map { Migration.Down.sql($0) } ?? .missing
    return Migration(
      version: change.version, name: change.name, up: up, down: down, verify: try section("verify"))
  }

  private func script(_ kind: String, _ change: SqitchPlan.Change, _ suffix: String) -> MigrationFile {
    let name = change.name + suffix + "." + settings.ending
    let folder = settings.scripts(kind, isReworked: !suffix.isEmpty)
    return MigrationFile(Path.join(folder, name))
  }

  /// What a change's scripts have behind its name: those of a reworked one have the tag after which it was
  /// reworked.
  private func suffix(_ change: SqitchPlan.Change) -> String {
    let suffixes = change.reworkTags.map { "@" + $0 }
    return suffixes.first { Files.exists(script("deploy", change, $0).path) } ?? suffixes.first ?? ""
  }

  /// A script as psql, which sqitch runs, would read it.
  private func read(_ script: MigrationFile) throws -> Migration.Section {
    var section = try Migration.Section(script)
    if section.fault != nil { return section }
    do throws(PsqlScript.Problem) {
      let read = try PsqlScript(section.sql, file: script.path, given: { values[$0] }, include: included)
      section.sql = read.sql
      section.inclusions = read.inclusions.map {
        Migration.Inclusion(line: $0.line, file: $0.file, fileLine: $0.fileLine)
      }
    } catch {
      let place = error.error.place
      section.fault = .malformed(
        file: error.file, line: place.line, column: place.column, message: error.error.message,
        hint: error.error.hint)
    }
    if !PlaceholderSyntax.psql.placeholders(in: section.sql).isEmpty {
      section.options.placeholders = .psql
      section.values = values
    }
    return section
  }

  /// A file that a script includes; sqitch runs psql in the project's folder. What is outside of that is not read:
  /// a script could bring what its user alone may read into the database.
  private func included(_ name: String, _ including: String?) -> (path: String, text: String)? {
    let file = MigrationFile(
      name.hasPrefix("/") ? name : Path.join(including.map { Path.parent($0) } ?? path, name))
    guard let root = Path.resolved(path), Path.resolved(file.path)?.hasPrefix(root + "/") == true else {
      return nil
    }
    return (try? file.text()).map { (file.path, $0) }
  }

  /// Scripts that no change names and no script includes, which would never run.
  private func unplanned(_ plan: SqitchPlan, _ included: Set<String>) throws -> [MigrationError] {
    let folder = settings.scripts("deploy", isReworked: false)
    let planned = Set(plan.changes.map { script("deploy", $0, suffix($0)).path })
    let files = try MigrationFile.tree(folder).filter {
      $0.name.hasSuffix("." + settings.ending) && !planned.contains($0.path)
        && !included.contains($0.path)
    }
    return files.map { file in
      .unfit(
        file.path, "no change of the plan has this script",
        "add the change to the plan, or take the file away")
    }
  }
}

/// Where a sqitch project has its plan and its scripts, as `sqitch.conf` says.
private struct SqitchSettings {
  /// Values by `section.name` and `section.subsection.name`, all but the subsection in small letters.
  private var values: [String: String] = [:]
  private let folder: String

  /// What holds in a folder without `sqitch.conf`.
  init(folder: String) { self.folder = folder }

  /// Reads a file of git's form: `[section "subsection"]`, then `name = value` lines.
  init(_ file: MigrationFile) throws {
    self.init(folder: Path.parent(file.path))
    var section = ""
    for line in try file.text().split(separator: "\n") {
      let line = line.prefix { $0 != "#" && $0 != ";" }.trimmingBlanks
      if line.hasPrefix("[") {
        section = SqitchSettings.section(line)
      } else if let mark = line.firstIndex(of: "=") {
        let name = line[..<mark].trimmingBlanks.lowercased()
        values[section + "." + name] = String(
          line[line.index(after: mark)...].trimmingBlanks.drop { $0 == "\"" }.prefix { $0 != "\"" })
      }
    }
    guard let engine = values["core.engine"], engine != "pg" else { return }
    throw MigrationError.unfit(
      file.path, "this project is for '\(engine)', and rivulet is for PostgreSQL",
      "name a folder of PostgreSQL's with --dir")
  }

  var plan: String { value("plan_file").map { Path.join(folder, $0) } ?? Path.join(top, "sqitch.plan") }

  /// The ending of scripts.
  var ending: String { value("extension") ?? "sql" }

  /// The folder of the scripts of a kind: `deploy`, `revert` or `verify`; those of reworked changes may have
  /// one of their own.
  func scripts(_ kind: String, isReworked: Bool) -> String {
    guard isReworked else {
      return value(kind + "_dir").map { Path.join(folder, $0) } ?? Path.join(top, kind)
    }
    if let own = value("reworked_\(kind)_dir") { return Path.join(folder, own) }
    if let all = value("reworked_dir") { return Path.join(Path.join(folder, all), kind) }
    return scripts(kind, isReworked: false)
  }

  private var top: String {
    guard let top = value("top_dir"), top != "." else { return folder }
    return Path.join(folder, top)
  }

  private func value(_ name: String) -> String? { values["engine.pg." + name] ?? values["core." + name] }

  private static func section(_ line: Substring) -> String {
    let inside = line.dropFirst().prefix { $0 != "]" }
    let parts = inside.split(separator: "\"").map { $0.trimmingBlanks }
    return parts.enumerated().map { $0.offset == 0 ? $0.element.lowercased() : String($0.element) }
      .joined(separator: ".")
  }
}
