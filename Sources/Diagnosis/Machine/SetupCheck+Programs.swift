import Host
import PostgreSQL

extension SetupCheck {
  /// Whether the programs are there that some commands start.
  static let programs = SetupCheck(
    "programs", .machine, because: "'db' runs a server of its own, 'db shell' psql, and long answers a pager"
  ) { subject in [server(isNeeded: subject.isEmbedded), psql, pager] }

  private static func server(isNeeded: Bool) -> Finding {
    do {
      let newest = try EmbeddedCluster.servers()[0]
      return .ok("PostgreSQL \(newest.version) for the embedded database, in \(newest.folder)")
    } catch {
      // The first command of what the hint offers.
      let fix = error.hint.split(separator: ",").first.map(String.init)
      return isNeeded ? .error(error.message, fix: fix) : .note(error.message, fix: fix)
    }
  }

  private static var psql: Finding {
    let installed = (try? ConnectionTarget("")).map { EmbeddedCluster.shellCommand(to: $0)[0] } ?? "psql"
    let path = installed.contains("/") ? installed : Programs.find(installed)
    return path.map { .ok("psql is \($0)") }
      ?? .note("there is no psql", fix: "apt-get install postgresql-client")
  }

  private static var pager: Finding {
    let name = Machine.environment("PAGER")
    if let name, Programs.find(name.split(separator: " ").first.map(String.init) ?? name) == nil,
      !Files.isExecutable(name)
    {
      return .note("PAGER names '\(name)', which is not there", fix: "unset PAGER")
    }
    let usual = name ?? ["less", "more"].first { Programs.find($0) != nil }
    return usual.map { .ok("long answers are shown by \($0)") }
      ?? .note("there is no pager", fix: "apt-get install less")
  }
}
