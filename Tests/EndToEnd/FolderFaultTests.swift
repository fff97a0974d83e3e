import Foundation
import Host
import TestSupport
import Testing

/// Folders that are full, or that nobody may write to: of the state, the cache, what is temporary, the output.
@Suite(
  "A folder that takes nothing",
  .enabled(if: SmallDevice.isPossible, "needs root and the right to mount a tmpfs"))
struct FolderFaultTests {
  private let scratch: Scratch
  private let folder: String
  private let device: SmallDevice

  init() throws {
    scratch = try Scratch()
    // The server's user has to enter it.
    chmod(scratch.path, 0o755)
    folder = scratch.path + "/device"
    device = try SmallDevice(at: folder, megabytes: 24)
  }

  @Test(
    "of the embedded database fails with 1 and says which, and the same command works when it takes something"
  )
  func state() throws {
    let folder = scratch.path + "/large"
    let device = try SmallDevice(at: folder, megabytes: 160)
    let state = folder + "/state"
    let program = Program(environment: ["RIVULET_STATE_DIR": state])
    func run(_ words: String...) throws -> Program.Outcome {
      try program.run(words + ["--database", "embedded"])
    }
    defer { _ = try? program.run("db", "destroy", "--yes", "--database", "embedded") }
    try device.set(readOnly: true)
    try run("migrate", "up").failed(1, saying: folder, "Read-only file system", "RIVULET_STATE_DIR")
    try device.set(readOnly: false)
    let ballast = try device.fill(leaving: 8)
    try run("migrate", "up").failed(1, saying: state, "RIVULET_STATE_DIR")
    try Files.remove(ballast)
    try run("migrate", "up").succeeded()
    try run("run", "cms-rvu", Sample.path).succeeded()
    try run("db", "down").succeeded()
    // With data in it.
    try device.set(readOnly: true)
    try run("releases", "list").failed(1, saying: "Read-only file system")
    try device.set(readOnly: false)
    let again = try device.fill(leaving: 0)
    try run("releases", "list").failed(1, saying: "RIVULET_STATE_DIR")
    try Files.remove(again)
    let found = try run("query", "mart.rvu_by_status", "--as", "csv").succeeded().output
    let expected = try Loaded.sample().1.run("query", "mart.rvu_by_status", "--as", "csv").output
    #expect(found == expected)
    for fault in [Reliability.Fault.readOnly, .full] {
      Reliability.record(
        fault, "state folder, new and with a database", times: 2, lost: found == expected ? 0 : 1)
    }
  }

  @Test("of the output fails with 1, names the file, and leaves none", arguments: ["readOnly", "full"])
  func output(which: String) throws {
    let own = try OwnViews().own
    let records = (0..<2_000).map { Night.item("\($0)") } + [Night.bad("b")]
    try own.write("items25a", ["ITEM.csv": records.joined(separator: "\n")])
    try own.run("items25a", options: ["--max-rejects", "1"]).succeeded()
    if which == "full" {
      _ = try device.fill(leaving: 0)
      // What is left of the last page.
      _ = try Subprocess(["sh", "-c", "cat /dev/zero > \"$0\"", folder + "/rest"]).run()
    } else {
      try device.set(readOnly: true)
    }
    let before = try Files.list(folder)
    let place = folder + "/made"
    let commands = [
      ["query", "own.now", "--as", "csv", "-o", place], ["report", "-o", place],
      ["docs", "-o", place + "-pages"],
      ["rejects", "export", "1", "-o", place], ["migrate", "dump", "-o", place],
    ]
    var lost = 0
    for words in commands {
      let outcome = try own.program.run(words + own.project)
      #expect(outcome.status == 1, "\(words): \(outcome.errors)")
      let reason = which == "full" ? "No space left on device" : "Read-only file system"
      #expect(
        outcome.errors.contains(folder) && outcome.errors.contains(reason), "\(words): \(outcome.errors)")
      // An empty folder is no file that somebody could take for whole.
      let left = try Files.list(folder).filter {
        !before.contains($0) && !Files.isDirectory(folder + "/" + $0)
      }
      #expect(left == [], "\(words)")
      lost += left.count
    }
    // The metrics of a run are no reason for it to fail.
    try own.write("items25b", ["ITEM.csv": Night.item("b001")])
    let run = try own.run("items25b", options: ["--metrics", place]).succeeded(saying: "--metrics")
    #expect(run.output.contains("is published"))
    Reliability.record(
      which == "full" ? .full : .readOnly, "output of five commands", times: commands.count, lost: lost)
  }

  @Test("of what is temporary, or of sources and definitions, is said or does not matter")
  func sources() throws {
    let own = try OwnDataset()
    try own.write("items25a", ["ITEM.csv": Night.item("a001")])
    try Archive.zip(own.path("items25a"), to: own.path("items25a.zip"))
    try Shell.run("cp", "-a", own.scratch.path, folder + "/project")
    try device.set(readOnly: true)
    let program = Program(database: own.database.url, environment: ["TMPDIR": folder])
    let project = ["--project", folder + "/project"]
    try program.run(["run", "items", folder + "/project/items25a.zip"] + project).succeeded()
    try program.run(["migrate", "new", "more"] + project).failed(1, saying: folder, "Read-only file system")
    let found = try own.value("SELECT count(*) FROM own.item")
    #expect(found == "1")
    Reliability.record(.readOnly, "sources and definitions", times: 2, lost: found == "1" ? 0 : 1)
  }

  @Test("of the cache fails with 1 and says which, and the download goes on when it takes something")
  func cache() throws {
    let archive = try Files.read(Sample.path)
    let site = try LoopbackServer { request in
      request.target.hasSuffix(".zip") ? .file(archive, for: request) : .init(404)
    }
    let database = try Loaded.migrated().0
    let program = Program(
      database: database.url, environment: ["RIVULET_CACHE": folder + "/cache", "no_proxy": "*"])
    let words = ["run", "cms-rvu", site.address + "/RVU25D.zip"]
    try device.set(readOnly: true)
    try program.run(words).failed(1, saying: folder, "Read-only file system")
    try device.set(readOnly: false)
    let ballast = try device.fill(leaving: 0)
    _ = try Subprocess(["sh", "-c", "cat /dev/zero > \"$0\"", folder + "/rest"]).run()
    try program.run(words).failed(1, saying: folder, "No space left on device")
    #expect(try database.value("SELECT count(*) FROM rivulet.run") == "0")
    try Files.remove(ballast)
    try program.run(words).succeeded()
    // But for the name of the file.
    let lost = Set(try PublishedContent.digest(of: database))
      .subtracting(try PublishedContent.digest(of: Loaded.sample().0))
    #expect(lost == [], "\(lost)")
    for fault in [Reliability.Fault.readOnly, .full] {
      Reliability.record(fault, "cache of downloads", lost: lost.count)
    }
  }
}
