import Foundation
import Testing

/// The targets of this package, as SwiftPM describes them, and their Swift files.
struct PackageGraph {
  /// One target.
  struct Target: Decodable {
    /// The name of the target and its module.
    let name: String
    /// Its folder, below the package's.
    let path: String
    /// Its Swift, C or header files, below its folder.
    let sources: [String]
    /// The targets of this package that it says it depends on; absent where there are none.
    let target_dependencies: [String]?

    /// The targets of this package that it says it depends on.
    var dependencies: Set<String> { Set(target_dependencies ?? []) }

    /// Its Swift files, scanned.
    func files() throws -> [SwiftFile] {
      try sources.filter { $0.hasSuffix(".swift") }.map {
        let text = try String(contentsOfFile: "\(PackageGraph.root)/\(path)/\($0)", encoding: .utf8)
        return SwiftFile(path: $0, text: text)
      }
    }
  }

  private struct Description: Decodable { let targets: [Target] }

  /// The package's folder.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// All targets.
  static let targets: Result<[Target], any Error> = Result {
    // `swift test` holds the lock of its build folder: this has a folder of its own, and asks for no lock.
    let scratch = FileManager.default.temporaryDirectory.appending(path: "rivulet-graph-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--ignore-lock", "--package-path", root, "--scratch-path", scratch.path, "describe",
      "--type", "json",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "swift package describe failed")
    return try JSONDecoder().decode(Description.self, from: output).targets
  }

  /// What is wrong between the dependencies that a target declares and the modules that it imports.
  ///
  /// `own`: the names of all modules of the package.
  static func mismatches(_ target: String, declared: Set<String>, imports: Set<String>, own: Set<String>)
    -> [String]
  {
    let used = imports.intersection(own)
    return used.subtracting(declared).sorted().map { "\(target) imports \($0) and does not declare it" }
      + declared.subtracting(used).sorted().map { "\(target) declares \($0) and does not import it" }
  }
}
