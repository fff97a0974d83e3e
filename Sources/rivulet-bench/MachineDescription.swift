import Glibc
import Host
import PostgreSQL
import Values

/// On what, with what and when something was measured.
struct MachineDescription {
  let processor: String
  let cores: Int
  let kernel: String
  let postgreSQL: String
  /// The project's commit, with `-dirty` where files differ from it.
  let commit: String
  /// The moment in UTC, ISO 8601.
  let date: String

  init(_ workbench: Workbench) throws {
    processor = MachineDescription.processorName ?? "unknown"
    cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var system = utsname()
    uname(&system)
    kernel = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    postgreSQL = try workbench.connect().query("SHOW server_version")[0].value(0)
    commit = MachineDescription.commit(of: workbench.project) ?? "unknown"
    date = MachineDescription.now
  }

  var json: JSON {
    .object([
      ("cpu", .string(processor)), ("cores", .integer(cores)), ("kernel", .string(kernel)),
      ("postgresql", .string(postgreSQL)), ("commit", .string(commit)), ("date", .string(date)),
    ])
  }

  var text: String {
    "\(processor), \(cores) cores, Linux \(kernel), PostgreSQL \(postgreSQL)\ncommit \(commit), \(date)\n"
  }

  private static var processorName: String? {
    let lines = (try? Files.readText("/proc/cpuinfo"))?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix("model name") }), let colon = line.firstIndex(of: ":")
    else { return nil }
    return String(line[line.index(after: colon)...].drop { $0 == " " })
  }

  private static func commit(of project: String) -> String? {
    guard let head = git(["rev-parse", "--short=12", "HEAD"], in: project),
      let changes = git(["status", "--porcelain"], in: project)
    else { return nil }
    return head.prefix { !$0.isNewline } + (changes.isEmpty ? "" : "-dirty")
  }

  private static func git(_ arguments: [String], in folder: String) -> String? {
    guard let outcome = try? Subprocess(["git", "-C", folder] + arguments).run(), outcome.status == 0 else {
      return nil
    }
    return outcome.output
  }

  private static var now: String {
    var moment = time(nil)
    var parts = tm()
    gmtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
