import Host

/// Where a sqitch project has its plan and its scripts, as `sqitch.conf` says.
struct SqitchSettings {
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
      file: file.path, message: "this project is for '\(engine)', and rivulet is for PostgreSQL",
      hint: "name a folder of PostgreSQL's with --dir")
  }

  /// The plan.
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
