import Foundation
import TestSupport
import Testing

/// The way of a stranger, from a clean machine to a nightly job, by README's section "Install" alone.
@Suite("A clean machine")
struct CleanMachineTests {
  /// A command of the page.
  private struct Command {
    /// What the page says of it; nil in a block without what is printed.
    let step: Story.Step?
    let text: String
  }

  /// The commands of README's section, in their order.
  private func commands() throws -> [Command] {
    let page = try String(contentsOfFile: SharedData.project + "/README.md", encoding: .utf8)
    var (heading, block) = ("", "")
    var console: [(Int, String)] = []
    var found: [Command] = []
    for (index, line) in page.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        found += Story.steps(of: console).map { Command(step: $0, text: $0.command) }
        (block, console) = (block.isEmpty ? line : "", [])
      } else if block.isEmpty, line.hasPrefix("## ") {
        heading = line
      } else if heading == "## Install", block == "```sh" {
        found.append(Command(step: nil, text: line))
      } else if heading == "## Install", block == "```console" {
        console.append((index + 1, line))
      }
    }
    return found
  }

  @Test("comes to a loaded release, its report and a nightly job by README alone", .needsCleanRoot)
  func readme() throws {
    let page = try commands()
    try #require(page.contains { $0.text == "make deb" } && page.contains { $0.text.contains("systemctl") })
    let root = try CleanRoot(hasSwift: true)
    try root.checkOut(to: "/home/user/rivulet", owner: "1000:1000")
    // What the page says in words, or a night later.
    let later = [
      "head -c 15 report.html; grep -c 2025D report.html",
      "cp -p RVU25D.zip /srv/rvu && touch -d '2 minutes ago' /srv/rvu/RVU25D.zip",
      "sudo systemctl start rivulet-nightly && sudo journalctl -u rivulet-nightly",
      "sudo -u rivulet rivulet -q --database postgresql:///rivulet releases list",
      "systemctl is-active rivulet-nightly.timer",
    ]
    // A shell at a terminal says who its user is.
    let before = ["cd ~/rivulet; export USER=$(id -un)"]
    let printed = try root.boot(as: "user", before + page.map(\.text) + later, seconds: 1_500)
    for (command, outcome) in zip(page, printed.dropFirst(before.count)) {
      try #require(outcome.status == 0, "\(command.text): \(outcome.text.suffix(3_000))")
      if let difference = command.step?.difference(from: outcome.lines) {
        Issue.record("README.md:\(difference)")
      }
    }
    let expected = ["<!doctype html>", "", "\"exit_code\":0", "2025D", "active"]
    for (command, (outcome, words)) in zip(later, zip(printed.suffix(later.count), expected)) {
      #expect(outcome.status == 0 && outcome.text.contains(words), "\(command): \(outcome.text)")
    }
  }
}
