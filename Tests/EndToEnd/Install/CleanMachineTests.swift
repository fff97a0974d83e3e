import Foundation
import TestSupport
import Testing

/// The way of a stranger, from a clean machine to a nightly job, by README's section "Install" alone.
@Suite("A clean machine")
struct CleanMachineTests {
  /// A command of a page.
  private struct Command {
    /// The heading of its section.
    let heading: String
    let text: String
    /// What the page says that it prints; nil in a block of `sh`.
    let step: Story.Step?
  }

  /// The commands of a page, in their order: a line each in blocks of `sh`, and those of blocks of `console`.
  private func commands(of page: String) throws -> [Command] {
    let found = try #require(try DocumentationPage.all().first { $0.name == page }, "\(page) is missing")
    return found.blocks.flatMap { block -> [Command] in
      block.kind == "console"
        ? Story.steps(of: block.lines.map { ($0.number, $0.text) })
          .map { Command(heading: block.section, text: $0.command, step: $0) }
        : block.kind == "sh"
          ? block.lines.map { Command(heading: block.section, text: $0.text, step: nil) } : []
    }
  }

  @Test("comes to a loaded release, its report and a nightly job by README alone", .needsCleanRoot)
  func readme() throws {
    let page = try commands(of: "README.md").filter { $0.heading == "Install" }
    try #require(page.contains { $0.text == "make deb" } && page.contains { $0.text.contains("systemctl") })
    let root = try CleanRoot(hasSwift: true)
    try root.checkOut(to: "/home/user/rivulet", owner: "1000:1000")
    // What the page says in words, or a night later.
    let later = [
      "head -c 15 report.html; grep -c 2025D report.html",
      "cp -p RVU25D.zip /srv/rvu && touch -d '2 minutes ago' /srv/rvu/RVU25D.zip && ls /srv/rvu",
      "sudo systemctl start rivulet-nightly && sudo journalctl -u rivulet-nightly",
      "sudo -u rivulet rivulet -q --database postgresql:///rivulet releases list",
      "sudo systemctl is-active rivulet-nightly.timer",
    ]
    let expected = ["<!DOCTYPE html>", "RVU25D.zip", "\"exit_code\":0", "2025D", "active"]
    // The other ways to install; who has no podman has the tests of the Containerfile.
    let manual = try commands(of: "Install.md").filter { !$0.text.hasPrefix("podman ") }
    try #require(manual.contains { $0.text.hasPrefix("sudo make install ") })
    let others = manual.enumerated().flatMap { index, command in
      let isFirst = index == 0 || manual[index - 1].heading != command.heading
      return (isFirst ? [command.heading == "make install" ? "cd ~/rivulet" : "cd"] : []) + [command.text]
    }
    let last = [
      "/usr/local/bin/rivulet version && ls /tmp/image/opt/rivulet/bin/rivulet Pipelines/doctors/pipeline.yaml",
      "sudo make --directory ~/rivulet uninstall && ! ls /usr/local/bin/rivulet",
    ]
    let before = [
      "cd ~/rivulet; export USER=$(id -un)", "printf 'code,name\\n1,Ann\\n2,Bo\\n' > ~/doctors.csv",
    ]
    let all = before + page.map(\.text) + later + others + last
    let printed = try root.boot(as: "user", all, seconds: 1_500)
    for (command, outcome) in zip(all, printed) {
      try #require(outcome.status == 0, "\(command): \(outcome.text.suffix(3_000))")
    }
    for (command, outcome) in zip(page, printed.dropFirst(before.count)) {
      if let difference = command.step?.difference(from: outcome.lines) {
        Issue.record("README.md:\(difference)")
      }
    }
    for (outcome, words) in zip(printed.dropFirst(before.count + page.count), expected) {
      #expect(outcome.text.contains(words))
    }
  }
}
