import Foundation
import TestSupport
import Testing

/// The way of a stranger, from a clean machine to a nightly job, by README's section "Install" alone.
@Suite("A clean machine")
struct CleanMachineTests {
  @Test("comes to a loaded release, its report and a nightly job by README alone", .needsCleanRoot)
  func readme() async throws {
    let build = try await CleanBuild.made()
    let page = Array(
      try DocumentedStep.all(of: "README.md").filter { $0.heading == "Install" }.dropFirst(build.steps.count))
    try #require(page.contains { $0.text.contains("systemctl") })
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
    let manual = try DocumentedStep.all(of: "Install.md").filter { !$0.text.hasPrefix("podman ") }
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
    let printed = try await aside { try build.root.boot(as: "user", all, seconds: 2_400) }
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
