import Foundation
import Host
import TestSupport
import Testing

/// The Debian package.
@Suite("The Debian package", .needsRelease)
struct PackageTests {
  private let package: BuiltPackage

  init() throws { package = try BuiltPackage.shared.get() }

  @Test("is without a fault or a warning for lintian, and has the program's version")
  func lintian() throws {
    let findings = try Subprocess(["lintian", "--allow-root", "--no-cfg", package.path]).run()
    #expect(findings.status == 0 && findings.output.isEmpty, "\(findings.output)")
    let version = try Shell.run("dpkg-deb", "--field", package.path, "Version")
    #expect("rivulet " + version == (try Shell.run(BuiltPackage.program, "version")))
    // The libraries, which another release of Debian may call otherwise.
    let needs = try Shell.run("dpkg-deb", "--field", package.path, "Depends")
    for library in ["libpq5", "libarchive13", "libcurl4", "libxml2", "libyaml-0-2", "libssl3", "zlib1g"] {
      #expect(needs.contains(library), "\(needs)")
    }
  }

  @Test("is installed, does all that is promised, and leaves nothing when it is purged", .needsCleanRoot)
  func whole() throws {
    let root = try CleanRoot()
    try Shell.run("cp", package.path, root.path + "/work/rivulet.deb")
    // Formatted pages of man's own cache are man's.
    let others = ["/work", "/proc", "/run", "/tmp", "/var/cache/man"].map { "-not -path '\($0)/*'" }
    let all = "find / -xdev \(others.joined(separator: " "))"
    let quiet = "--quiet --database postgresql:///rivulet"
    let steps: [(command: String, prints: [String])] = [
      ("apt-get update && apt-get install --yes man-db postgresql zip", []),
      ("cd / && \(all) | sort > /work/before", []),
      ("apt-get install --yes /work/rivulet.deb", []),
      // As anybody, in a folder without a project.
      ("runuser -u user -- rivulet version", ["rivulet 0.1.0"]),
      ("runuser -u user -- rivulet --help", ["Global options:", "nightly"]),
      ("runuser -u user -- rivulet pipelines list", ["cms-rvu", "nppes"]),
      ("man -P cat rivulet-migrate", ["MIGRATE UP"]),
      (
        ". /usr/share/bash-completion/bash_completion && _completion_loader rivulet; complete -p rivulet",
        ["_rivulet"]
      ),
      ("systemd-analyze verify rivulet-nightly.service rivulet-nightly.timer rivulet-watch.service", []),
      // Nobody has named a database: the night is passed over, and nothing has failed.
      (
        "systemctl start rivulet-nightly.service && systemctl is-failed rivulet-nightly.service", ["inactive"]
      ),
      ("systemctl is-enabled rivulet-nightly.timer rivulet-watch.service", ["disabled\ndisabled"]),
      // A release, loaded by the user of the nightly job.
      ("runuser -u postgres -- createuser --createrole rivulet", []),
      ("runuser -u postgres -- createdb --owner rivulet rivulet", []),
      ("install -d -o rivulet /srv/fees && cd /srv/fees", []),
      ("runuser -u rivulet -- rivulet \(quiet) migrate up", ["0 pending"]),
      ("runuser -u rivulet -- rivulet sample cms-rvu --release 2025A --rows 400 -o RVU25A.zip", []),
      ("runuser -u rivulet -- rivulet \(quiet) run cms-rvu RVU25A.zip", ["2025A revision 1 is published"]),
      ("runuser -u rivulet -- rivulet \(quiet) query mart.rvu_by_status", ["2025A"]),
      ("runuser -u rivulet -- rivulet \(quiet) report -o report.html && tail -c 8 report.html", ["</html>"]),
      // A night, as systemd has it.
      ("echo 'watch: [{pipeline: cms-rvu, folder: /srv/fees/new}]' >> /etc/rivulet/rivulet.yaml", []),
      ("echo RIVULET_DATABASE_URL=postgresql:///rivulet > /etc/rivulet/nightly.env", []),
      ("chmod 600 /etc/rivulet/nightly.env && mkdir new", []),
      ("rivulet sample cms-rvu --release 2025B --rows 400 -o new/RVU25B.zip", []),
      ("touch -d '2 minutes ago' new/RVU25B.zip", []),
      (
        "systemctl start rivulet-nightly.service && journalctl -u rivulet-nightly.service",
        ["\"exit_code\":0"]
      ),
      ("runuser -u rivulet -- rivulet \(quiet) releases list", ["2025B"]),
      // Views that are watched, as systemd has it.
      (
        "systemctl start rivulet-watch && until journalctl -u rivulet-watch | grep -q watching; do sleep 0.1; done",
        []
      ),
      ("runuser -u rivulet -- rivulet \(quiet) views list", ["watched: session "]),
      ("systemctl stop rivulet-watch; systemctl is-failed rivulet-watch", ["inactive"]),
      ("journalctl -u rivulet-watch", ["ended after"]),
      // Settings that were changed are kept by 'remove', and go with 'purge'.
      (
        "systemctl stop rivulet-nightly.service; apt-get remove --yes rivulet; ls /etc/rivulet",
        ["rivulet.yaml"]
      ),
      ("apt-get purge --yes rivulet && id rivulet", ["no such user"]),
      ("rm -r /srv/fees; \(all) | sort > /work/after; diff /work/before /work/after | grep -E 'rivulet'", []),
    ]
    for (step, printed) in zip(steps, try root.boot(steps.map(\.command))) {
      for words in step.prints {
        #expect(printed.text.contains(words), "\(step.command): \(printed.text.suffix(2_000))")
      }
      // Those of which something else is said end otherwise.
      let code = ["is-failed", "is-enabled", "id rivulet", "grep -E"].contains { step.command.contains($0) }
      #expect(
        code || printed.status == 0, "\(step.command): \(printed.status): \(printed.text.suffix(2_000))")
      if step.prints.isEmpty && (step.command.contains("verify") || step.command.contains("diff /work")) {
        #expect(printed.lines.isEmpty, "\(step.command): \(printed.text)")
      }
    }
  }
}
