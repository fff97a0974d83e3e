import Foundation
import Host
import TestSupport
import Testing

/// The units of systemd that the documentation has.
@Suite("The units for systemd")
struct UnitFileTests {
  private static let analyze = "/usr/bin/systemd-analyze"
  private static let isThere: Bool = {
    (try? Subprocess([analyze, "--version"]).run())?.status == 0
  }()

  /// The units in a folder of their own, with the built program in the place of the installed one.
  private func units(_ scratch: Scratch) throws -> [String] {
    try ["rivulet-nightly.service", "rivulet-nightly.timer", "rivulet-watch.service"].map { name in
      let text = try String(
        contentsOfFile: SharedData.project + "/Documentation/systemd/" + name, encoding: .utf8)
      return try scratch.write(
        name, text.replacingOccurrences(of: "/usr/local/bin/rivulet", with: Program.path))
    }
  }

  @Test(
    "are without fault for systemd-analyze",
    .enabled(if: isThere, "systemd-analyze cannot run here: install the package 'systemd'"))
  func verify() throws {
    let scratch = try Scratch()
    // Their manual is there where they are installed: PackageTests looks at it.
    let outcome = try Subprocess([Self.analyze, "verify", "--man=no"] + units(scratch)).run()
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
  }

  /// What a unit calls.
  private func start(_ unit: String) throws -> String {
    let service = try String(contentsOfFile: unit, encoding: .utf8)
    return String(
      try #require(
        service.split(separator: "\n").first { $0.hasPrefix("ExecStart=") }?.dropFirst("ExecStart=".count)))
  }

  @Test("call the program as it can be called, and so does the line for cron")
  func command() throws {
    let scratch = try Scratch()
    let start = try start(units(scratch)[0])
    let manual = try String(contentsOfFile: SharedData.project + "/Documentation/Nightly.md", encoding: .utf8)
    let cron = try #require(manual.split(separator: "\n").first { $0.hasPrefix("30 2 * * * ") })
    let night = try Night()
    try night.put("ITEM_25a_.csv", Night.item("a001"))
    try night.scratch.write("nightly.env", "RIVULET_DATABASE_URL='\(night.database.url)'\n")
    for line in [start, String(cron.dropFirst("30 2 * * * rivulet ".count))] {
      var line = line.replacingOccurrences(of: "/usr/local/share/rivulet", with: night.scratch.path)
      line = line.replacingOccurrences(of: "/usr/local/bin/rivulet", with: Program.path)
      line = line.replacingOccurrences(
        of: "/etc/rivulet/nightly.env", with: night.scratch.path + "/nightly.env")
      line = line.replacingOccurrences(of: "/var/log/rivulet", with: night.scratch.path)
      var shell = Subprocess(["sh", "-c", line])
      shell.environment = ["RIVULET_DATABASE_URL": night.database.url]
      let outcome = try shell.run()
      #expect(outcome.status == 0, "\(line): \(outcome.output)")
    }
    #expect(try night.value("SELECT count(*) FROM own.item") == "1")
  }

  @Test("keep views up to date as the one that watches them is started and stopped")
  func watching() throws {
    let scratch = try Scratch()
    let line = try start(units(scratch)[2])
    let prefix = "\(Program.path) refresh --watch --project /usr/local/share/rivulet "
    try #require(line.hasPrefix(prefix), "\(line)")
    let watched = try Watched()
    let program = try watched.watch(line.dropFirst(prefix.count).split(separator: " ").map(String.init))
    try watched.expectExact()
    try watched.end(program)
  }
}
