import Foundation
import Host
import TestSupport
import Testing

/// Debian as its installer leaves it, in a folder, to install things in: a copy of the root that `.ci/clean-root`
/// has made, without a network. Its user `user` may use sudo.
///
/// It is started by systemd-nspawn, with its own init where that is wanted. Nothing is left running.
final class CleanRoot: Sendable {
  /// What has become of a command.
  struct Printed {
    /// Its exit code.
    let status: Int
    /// What it wrote to standard output and standard error.
    let lines: [String]

    var text: String { lines.joined(separator: "\n") }
  }

  /// What `.ci/clean-root` has made; nil where that is missing, or what starts it.
  private static let made: String? = {
    guard Machine.isRoot, Programs.find("systemd-nspawn") != nil,
      let found = try? Subprocess([SharedData.project + "/.ci/clean-root", "--find"]).run(), found.status == 0
    else { return nil }
    return found.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }()

  private let scratch: Scratch
  /// The folder that is the root.
  let path: String
  /// The folder of this machine's Swift, which is shown there at the same place; nil where there is to be none.
  private let toolchain: String?

  /// Copies it. With `hasSwift`, the Swift that this machine has is there, too, on everybody's `PATH`.
  init(hasSwift: Bool = false) throws {
    let made = try #require(CleanRoot.made)
    scratch = try Scratch()
    path = scratch.path + "/clean-\(UUID().uuidString.prefix(8).lowercased())"
    try Shell.run("cp", "-a", "--reflink=auto", made + "/root", path)
    toolchain =
      hasSwift
      ? try #require(Programs.find("swift").flatMap(Path.resolved)).components(separatedBy: "/usr/bin/")[0]
      : nil
    if let toolchain {
      try write("etc/profile.d/swift.sh", "PATH=$PATH:\(toolchain)/usr/bin\n")
    }
    try FileManager.default.createDirectory(atPath: path + "/work", withIntermediateDirectories: true)
    chmod(path + "/work", 0o1777)
    guard hasSwift else { return }
    // What a Swift needs of a machine.
    let packages = try String(contentsOfFile: SharedData.project + "/.ci/packages-swift", encoding: .utf8)
    let words = packages.split(separator: "\n").joined(separator: " ")
    let installed = try run(["apt-get update", "apt-get install --yes --no-install-recommends \(words)"])
    try #require(installed[1].status == 0, "\(installed[1].text)")
  }

  deinit {
    // Left behind where /run is no file system of its own.
    try? FileManager.default.removeItem(
      atPath: "/run/systemd/nspawn/propagate/" + Path.name(path))
  }

  /// Writes a file, by its path without the first slash.
  func write(_ file: String, _ text: String) throws {
    let place = path + "/" + file
    try FileManager.default.createDirectory(
      atPath: Path.parent(place), withIntermediateDirectories: true)
    try text.write(toFile: place, atomically: false, encoding: .utf8)
    chmod(place, 0o644)
  }

  /// Copies the project's files, those that git knows or would, into a folder of it, for a user to own.
  func checkOut(to folder: String, owner: String = "0:0") throws {
    try CleanRoot.copyProject(to: path + folder)
    try Shell.run("chown", "-R", owner, path + folder)
  }

  /// Copies the project's files, those that git knows or would.
  static func copyProject(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Shell.run(
      "sh", "-c",
      "git -c safe.directory='*' ls-files -co --exclude-standard -z | xargs -0 cp --parents -t '\(folder)'",
      in: SharedData.project)
  }

  /// Starts its init and does commands, one after the other, in one shell, as of a login, of a user who has a
  /// terminal for standard input; then all ends. Longer than some seconds it may not take.
  func boot(as user: String = "root", _ commands: [String], seconds: Double = 2_400) throws -> [Printed] {
    try write("work/commands", CleanRoot.script(commands))
    try write(
      "etc/systemd/system/work.service",
      """
      [Unit]
      After=multi-user.target
      SuccessAction=exit-force
      FailureAction=exit-force
      [Service]
      Type=oneshot
      TimeoutStartSec=infinity
      ExecStart=/usr/sbin/runuser --login \(user) \
      --command 'script --quiet --command "bash /work/commands > /work/printed 2>&1" /dev/null'

      """)
    let wants = path + "/etc/systemd/system/graphical.target.wants"
    try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
    try Shell.run("ln", "-sf", "/etc/systemd/system/work.service", wants + "/work.service")
    let said = try start(["--boot"], seconds: seconds)
    return try CleanRoot.printed(path + "/work/printed", commands, said)
  }

  /// Does commands as root, one after the other, in one shell, without an init as where an image is built.
  func run(in folder: String = "/", _ commands: [String], seconds: Double = 2_400) throws -> [Printed] {
    try write("work/commands", CleanRoot.script(commands))
    let said = try start(
      ["--chdir", folder, "bash", "--login", "-c", "bash /work/commands > /work/printed 2>&1"],
      seconds: seconds)
    return try CleanRoot.printed(path + "/work/printed", commands, said)
  }

  /// Runs systemd-nspawn, and gives what it and the console said.
  private func start(_ words: [String], seconds: Double) throws -> String {
    try? FileManager.default.removeItem(atPath: path + "/work/printed")
    let packages = try #require(CleanRoot.made) + "/packages"
    var command = ["setpriv", "--pdeathsig", "KILL", "systemd-nspawn", "--quiet", "--directory", path]
    command += ["--private-network", "--register=no", "--console=pipe", "--link-journal=no", "--as-pid2"]
    if words.first == "--boot" { command.removeLast() }
    // Where this machine itself has no systemd that could be asked for a place for it.
    if !Files.isDirectory("/run/systemd/system") { command.append("--keep-unit") }
    command += ["--resolv-conf=off", "--timezone=off", "--bind-ro=\(packages):/packages"]
    if let toolchain { command.append("--bind-ro=\(toolchain)") }
    var process = Subprocess(command + words)
    // What is copied into its /tmp is to be there.
    process.environment = ["SYSTEMD_NSPAWN_TMPFS_TMP": "0"]
    process.timeLimit = seconds
    process.hasOwnSession = true
    let outcome = try process.run()
    try #require(!outcome.isLate, "not done in \(seconds) s: \(outcome.output.suffix(2_000))")
    return outcome.output
  }

  private static func script(_ commands: [String]) -> String {
    commands.map { "\($0)\nprintf '\\036%d\\n' $?\n" }.joined()
  }

  private static func printed(_ file: String, _ commands: [String], _ said: String) throws -> [Printed] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let parts = text.components(separatedBy: "\u{1e}")
    try #require(
      parts.count == commands.count + 1,
      "\(parts.count - 1) of \(commands.count) commands: \(text.suffix(3_000))\n\(said)")
    return zip(parts, parts.dropFirst()).enumerated().map { index, pair in
      // The code of the command before is the first line of each but the first.
      let shown = index == 0 ? Substring(pair.0) : pair.0.drop { $0 != "\n" }.dropFirst()
      var lines = shown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
      if lines.last?.isEmpty == true { lines.removeLast() }
      return Printed(status: Int(pair.1.prefix { $0 != "\n" }) ?? -1, lines: lines)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// The test runs where there is a clean root, and says that it was skipped where there is none.
  static var needsCleanRoot: Self {
    .enabled(
      if: CleanRoot.isThere,
      "no clean root: as root, install 'systemd-container' and 'mmdebstrap', and run '.ci/clean-root'")
  }
}

extension CleanRoot {
  /// Whether there is one on this machine.
  static var isThere: Bool { made != nil }
}
