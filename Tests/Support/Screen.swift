import Foundation
import Host
public import Testing

/// A terminal of a test's own, which is tmux's: what is on it is read as a user sees it. It ends with the
/// object, and what runs in it with it.
///
/// As a user's it is full already, of lines that are left out here: a terminal that becomes narrower pushes what
/// is at the top of an empty one out where no program can reach it.
public final class Screen {
  /// Why there can be none here; nil where there can.
  public static let missing: String? =
    FileManager.default.isExecutableFile(atPath: program)
    ? nil : "tmux is missing: install the package 'tmux'"

  private static let program = "/usr/bin/tmux"
  private static let filler = "~"
  private let scratch: Scratch

  /// Starts the built program in a terminal of some size. When it has ended, `ended` and its exit code are on
  /// the screen.
  /// - Throws: where there is no tmux, or it cannot start.
  public init(_ program: Program, _ arguments: [String], columns: Int = 80, rows: Int = 24) throws {
    scratch = try Scratch()
    let words = ([Program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    try tmux(
      [
        "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", SharedData.project,
        "for i in $(seq 200); do echo \(Self.filler); done; \(words); echo ended $?; exec sleep 600",
      ], for: program)
  }

  deinit { _ = try? tmux(["kill-server"]) }

  /// The lines on the screen, from the top; the blank ones below the last are left out.
  public func lines() throws -> [String] {
    var lines = try tmux(["capture-pane", "-p"]).components(separatedBy: "\n")
    while lines.last?.isEmpty == true { lines.removeLast() }
    return Array(lines.drop { $0 == Self.filler })
  }

  /// Gives it another size.
  public func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Waits until something is so on the screen, and gives its lines; fails where it is not within a minute.
  @discardableResult
  public func wait(
    for what: String, at place: SourceLocation = #_sourceLocation, _ isSo: ([String]) -> Bool
  ) throws -> [String] {
    var lines: [String] = []
    for _ in 0..<3_000 {
      lines = try self.lines()
      if isSo(lines) { return lines }
      usleep(20_000)
    }
    let text = lines.joined(separator: "\n")
    try #require(Bool(false), "\(what): not on the screen:\n\(text)", sourceLocation: place)
    return lines
  }

  @discardableResult
  private func tmux(_ arguments: [String], for program: Program? = nil) throws -> String {
    var tmux = Subprocess([Self.program, "-u", "-S", scratch.path + "/socket"] + arguments)
    if let program {
      tmux.environment = program.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
      tmux.withheldPrefixes = ["PG", "DATABASE_URL", "RIVULET_DATABASE"]
    }
    let outcome = try tmux.run()
    try #require(outcome.status == 0, "tmux \(arguments.first ?? ""): \(outcome.output)")
    return outcome.output
  }
}
