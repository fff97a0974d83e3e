import Foundation
import TestSupport
import Testing

/// A clean machine on which the package was built by the first commands of README's section "Install": once for
/// all tests that need what came of it.
struct CleanBuild {
  private static let shared = Result { try CleanBuild() }

  /// Built by the first test that asks; minutes, in which others have its thread.
  static func made() async throws -> CleanBuild { try await aside { try shared.get() } }

  /// The machine.
  let root: CleanRoot
  /// The commands, and what became of each.
  let steps: [(command: DocumentedStep, outcome: CleanRoot.Printed)]

  /// The built program, on this machine.
  var program: String { "\(root.path)/home/user/rivulet/.build/release/rivulet" }

  private init() throws {
    let page = try DocumentedStep.all(of: "README.md").filter { $0.heading == "Install" }
    let last = try #require(page.firstIndex { $0.text == "make deb" })
    root = try CleanRoot(hasSwift: true)
    atexit {
      guard let build = try? CleanBuild.shared.get() else { return }
      try? FileManager.default.removeItem(atPath: build.root.path)
    }
    try root.checkOut(to: "/home/user/rivulet", owner: "1000:1000")
    let commands = ["cd ~/rivulet"] + page[...last].map(\.text)
    // Beside other tests, which take most of the machine.
    let printed = try root.boot(as: "user", commands, seconds: 7_200)
    for (command, outcome) in zip(commands, printed) {
      try #require(outcome.status == 0, "\(command): \(outcome.text.suffix(3_000))")
    }
    steps = Array(zip(page, printed.dropFirst()))
  }
}
