import Definitions
import Glibc
import Host
import PostgreSQL

/// Where a measurement takes place: a scratch folder and a server of its own, both gone afterwards.
final class Workbench {
  let options: BenchOptions
  /// The project whose pipelines and migrations are used.
  let project: String
  /// Everything that is written is in here.
  let folder: String
  /// The server's first database, by keywords.
  let target: ConnectionTarget
  /// The client program of the server's own version.
  let psql: String

  private init(
    _ options: BenchOptions, project: String, folder: String, cluster: EmbeddedCluster
  ) throws {
    self.options = options
    self.project = project
    self.folder = folder
    target = try cluster.ensureRunning()
    psql = try cluster.shellCommand()[0]
  }

  /// Runs `body` in a new workbench and clears it away, however `body` ends.
  static func whileOpen<Value>(
    _ options: BenchOptions, _ body: (Workbench) throws -> Value
  ) throws -> Value {
    guard Files.isExecutable(options.rivulet) else {
      throw BenchError.usage("there is no program '\(options.rivulet)': build it, or name it with --rivulet")
    }
    let program = Path.parent(Machine.program)
    guard let project = Project.folder(above: ".") ?? Project.folder(above: program) else {
      throw BenchError.usage("there is no \(Project.fileName) here or in a folder above")
    }
    let folder = try makeScratchFolder()
    defer { try? Files.remove(folder) }
    let cluster = try EmbeddedCluster(stateFolder: Path.join(folder, "state"))
    defer { _ = try? cluster.destroy() }
    return try body(
      Workbench(options, project: project, folder: folder, cluster: cluster))
  }

  /// Says something on standard error.
  func say(_ line: String) { Output.err(line + "\n") }

  /// Throws `Interrupted` where the user has asked for that.
  func checkInterruption() throws { try Interruption.shared.check() }

  /// A path in the scratch folder.
  func path(_ name: String) -> String { Path.join(folder, name) }

  /// The folder of real files, which may not be there.
  var data: String { options.data ?? Path.join(Path.parent(project), "shared/data") }

  /// A folder on a disk: what `/tmp` is on may be memory, which makes commits look cheap.
  private static func makeScratchFolder() throws -> String {
    let template = Path.join(Machine.environment("TMPDIR") ?? "/var/tmp", "rivulet-bench.XXXXXX")
    var name = Array(template.utf8CString)
    guard mkdtemp(&name) != nil else {
      throw BenchError.cannotWrite(path: template, reason: systemMessage(errno))
    }
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The server may run as another user, who has to come through.
    chmod(folder, 0o711)
    return folder
  }
}
