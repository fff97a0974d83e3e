import Foundation
import TestSupport
import Testing

/// The Debian package of the program as it is shipped, built once for all tests.
struct BuiltPackage {
  /// Built by the first test that asks.
  static let shared = Result { try BuiltPackage() }

  /// What `make build` builds.
  static let program = SharedData.project + "/.build/release/rivulet"

  private let scratch: Scratch
  /// The `.deb`.
  let path: String

  private init() throws {
    scratch = try Scratch()
    try CleanRoot.copyProject(to: scratch.path)
    let release = scratch.path + "/.build/release"
    try FileManager.default.createDirectory(atPath: release, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: release + "/rivulet", withDestinationPath: BuiltPackage.program)
    // The program is built already; a second build would wait for the one that runs the tests.
    try Shell.run("sh", "-c", "umask 077; make --no-print-directory --old-file=build deb", in: scratch.path)
    let dist = scratch.path + "/dist"
    let built = try FileManager.default.contentsOfDirectory(atPath: dist)
    path = dist + "/" + (try #require(built.first))
    try #require(built.count == 1)
  }
}

extension Trait where Self == ConditionTrait {
  /// The test runs where `make build` has built the program.
  static var needsRelease: Self {
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: BuiltPackage.program),
      "\(BuiltPackage.program) is missing: 'make build' builds it")
  }
}
