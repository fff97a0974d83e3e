import Foundation
import Testing

/// The program as a user runs it.
public struct Program: Sendable {
  /// How a run ended.
  public struct Outcome: Sendable {
    /// The exit code; 128 and the signal's number when a signal ended it.
    public let status: Int32
    /// What it wrote to standard output.
    public let output: String
    /// What it wrote to standard error.
    public let errors: String

    /// Standard output as one JSON document.
    public func json() throws -> Any {
      try JSONSerialization.jsonObject(with: Data(output.utf8), options: [.fragmentsAllowed])
    }

    /// Standard output as one JSON object.
    public func object() throws -> [String: Any] { try json() as? [String: Any] ?? [:] }
  }

  /// What the values of sensitive columns begin with in samples.
  public static let canary = "CANARY"

  /// What a command says that is sensitive; nil where there is nothing of that kind. None says it but those
  /// that are asked for rows, and those as their answer.
  public static func indiscretion(_ arguments: [String], _ output: String, _ errors: String) -> String? {
    let said = arguments.first == "query" ? errors : output + errors
    return said.range(of: canary).map {
      "\(arguments.prefix(2).joined(separator: " ")) says \(said[$0.lowerBound...].prefix(60))"
    }
  }

  let environment: [String: String]
  private let starter: [String]

  /// The program with a database, and without what the tests' own environment says of databases.
  ///
  /// `starter`: a program that takes the place of a shell, whose last words are the command, and becomes it; none
  /// where it is started as it is.
  public init(
    database: String? = nil, environment extra: [String: String] = [:], through starter: [String] = []
  ) {
    self.starter = starter
    var environment = ProcessInfo.processInfo.environment
    for name in environment.keys where name.hasPrefix("PG") || name.hasPrefix("RIVULET_DATABASE") {
      environment[name] = nil
    }
    environment["DATABASE_URL"] = nil
    environment["RIVULET_DATABASE_URL"] = database
    self.environment = environment.merging(extra) { $1 }
  }

  /// The built program, beside the tests.
  public static var path: String {
    let build = SharedData.project + "/.build/debug/rivulet"
    return ProcessInfo.processInfo.environment["RIVULET_PROGRAM"] ?? build
  }

  /// Runs it to its end.
  public func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  /// Runs it to its end.
  public func run(_ arguments: [String]) throws -> Outcome {
    let started = try start(arguments)
    return try started.wait()
  }

  /// Starts it and lets it go on, at a terminal of its own where something is typed there: all that it writes
  /// is its output then.
  ///
  /// `size`: of that terminal; nil for one that does not say.
  public func start(
    _ arguments: [String], typing text: String? = nil, size: (columns: Int, rows: Int)? = nil
  ) throws -> Started {
    let folder = FileManager.default.temporaryDirectory.appending(path: "rivulet-out-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let output = folder.appending(path: "out")
    let errors = folder.appending(path: "err")
    for file in [output, errors] { try Data().write(to: file) }
    let process = Process()
    let plain = starter.isEmpty ? Program.path : "/usr/bin/env"
    process.executableURL = URL(filePath: text == nil ? plain : "/usr/bin/script")
    let sizing = size.map { "stty cols \($0.columns) rows \($0.rows); " } ?? ""
    let words = starter + [Program.path] + arguments
    let quoted = sizing + words.map { "'\($0)'" }.joined(separator: " ")
    let direct = starter.isEmpty ? arguments : words
    process.arguments = text == nil ? direct : ["-qec", quoted, "/dev/null"]
    process.environment = environment
    process.currentDirectoryURL = URL(filePath: SharedData.project)
    let typed = folder.appending(path: "typed")
    try Data((text ?? "").utf8).write(to: typed)
    process.standardInput = try FileHandle(forReadingFrom: typed)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    return Started(process: process, arguments: arguments, output: output, errors: errors)
  }

  /// A run that goes on.
  public struct Started {
    let process: Process
    let arguments: [String]
    let output: URL
    let errors: URL

    /// The number of the process.
    public var identifier: Int32 { process.processIdentifier }

    /// Waits until it says something on standard error; false where it ends, or a minute passes, without.
    public func says(_ text: String) throws -> Bool {
      for _ in 0..<6_000 {
        let isRunning = process.isRunning
        if try String(decoding: Data(contentsOf: errors), as: UTF8.self).contains(text) { return true }
        guard isRunning else { break }
        usleep(10_000)
      }
      return false
    }

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end, and gives how many bytes the program had in memory at the most, as far as was
    /// looked: every few milliseconds.
    public func waitMeasuring() throws -> (outcome: Outcome, peak: Int) {
      var peak = 0
      while process.isRunning {
        let status = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        if let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        {
          peak = max(peak, kilobytes << 10)
        }
        usleep(3_000)
      }
      return (try wait(), peak)
    }

    /// Waits for the end.
    public func wait() throws -> Outcome {
      process.waitUntilExit()
      defer { try? FileManager.default.removeItem(at: output.deletingLastPathComponent()) }
      let status = process.terminationReason == .exit ? 0 : Int32(128)
      let outcome = Outcome(
        status: status + process.terminationStatus,
        output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
      if let said = Program.indiscretion(arguments, outcome.output, outcome.errors) {
        Issue.record("\(said)")
      }
      return outcome
    }
  }
}
