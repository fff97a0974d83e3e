import Foundation
import Host
import TestSupport
import Testing

/// What `make install` puts where, and what the program finds there.
@Suite("An installed program")
struct InstallTests {
  /// Calls `make` for a folder that is put before all paths, as a user whose files nobody else may read.
  @discardableResult
  private func make(_ target: String, _ folder: Scratch, prefix: String = "/usr/local") throws -> String {
    try Shell.run(
      "sh", "-c", "umask 077; exec make --no-print-directory \"$@\"", "make", target, "PREFIX=\(prefix)",
      "DESTDIR=\(folder.path)", "RELEASE=\(Program.path)", in: SharedData.project)
  }

  /// The files below a folder with their kind and mode, sorted: `f 644 usr/bin/x`.
  private func listing(_ folder: Scratch) throws -> [String] {
    try Shell.run("find", ".", "-mindepth", "1", "-printf", "%y %m %P\\n", in: folder.path)
      .split(separator: "\n").map(String.init).sorted()
  }

  /// The installed program, called in a folder without a project.
  private func installed(_ folder: Scratch, as name: String = "usr/local/bin/rivulet", _ words: String...)
    throws -> Subprocess.Outcome
  {
    try Subprocess(["env", "-C", folder.path, folder.path + "/" + name] + words).run()
  }

  @Test("has all in its place, for everybody to read, and again after a second time")
  func files() throws {
    let folder = try Scratch()
    try make("install", folder)
    let first = try listing(folder)
    let project = "usr/local/share/rivulet"
    let expected: [String] = [
      "f 644 etc/rivulet/rivulet.yaml", "f 755 usr/local/bin/rivulet",
      "f 644 usr/local/lib/systemd/system/rivulet-nightly.service",
      "f 644 usr/local/lib/systemd/system/rivulet-nightly.timer",
      "f 644 usr/local/lib/systemd/system/rivulet-watch.service",
      "f 644 usr/local/share/bash-completion/completions/rivulet",
      "f 644 usr/local/share/fish/vendor_completions.d/rivulet.fish",
      "f 644 usr/local/share/zsh/site-functions/_rivulet",
      "f 644 usr/local/share/man/man1/rivulet.1", "f 644 usr/local/share/man/man1/rivulet-migrate.1",
      "f 644 usr/local/share/doc/rivulet/Nightly.md", "l 777 \(project)/rivulet.yaml",
      "f 644 \(project)/Pipelines/cms-rvu/pipeline.yaml", "f 644 \(project)/Data/lists/state.yaml",
      "f 644 \(project)/Data/samples/RVU25D-sample.zip",
    ]
    #expect(Set(expected).subtracting(first).isEmpty)
    // What is in no folder of the project's own is listed in full.
    let manuals = ["\(project)/", "usr/local/share/man/man1/", "usr/local/share/doc/rivulet/"]
    let others = first.filter { line in !line.hasPrefix("d ") && !manuals.contains { line.contains($0) } }
    #expect(Set(others).isSubset(of: expected))
    for line in first where !line.hasPrefix("l ") && !line.hasSuffix(" usr/local/bin/rivulet") {
      #expect(line.hasPrefix("d 755 ") || line.hasPrefix("f 644 "), "\(line)")
    }
    // What another version had there goes, and what an administrator has said stays.
    try folder.write("\(project)/Pipelines/old/pipeline.yaml", "")
    try folder.write("etc/rivulet/rivulet.yaml", "project: ours\ntime_zone: UTC\n")
    try make("install", folder)
    #expect(try listing(folder) == first)
    let shown = try installed(folder, "pipelines", "list", "--format", "json")
    #expect(shown.status == 0 && shown.output.contains("cms-rvu"), "\(shown.output)")
    // Changed settings are left, as make says; others are not.
    #expect(try make("uninstall", folder).contains("/etc/rivulet/rivulet.yaml was changed"))
    #expect(try listing(folder).filter { !$0.hasPrefix("d ") } == ["f 644 etc/rivulet/rivulet.yaml"])
    try FileManager.default.removeItem(atPath: folder.path + "/etc")
    try make("install", folder, prefix: "/usr")
    #expect(try listing(folder).contains("f 644 usr/share/zsh/vendor-completions/_rivulet"))
    try make("uninstall", folder, prefix: "/usr")
    #expect(try listing(folder).filter { !$0.hasPrefix("d ") }.isEmpty)
  }

  @Test("finds its project from any folder, also where it is called by a link")
  func project() throws {
    let folder = try Scratch()
    try make("install", folder)
    try FileManager.default.createDirectory(atPath: folder.path + "/home", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/home/rivulet", withDestinationPath: "../usr/local/bin/rivulet")
    let shown = try installed(folder, as: "home/rivulet", "pipelines", "show", "cms-rvu")
    #expect(shown.status == 0 && shown.output.contains("cms-rvu"), "\(shown.output)")
    // A project above the folder comes first.
    try folder.write("rivulet.yaml", "project: own\ntime_zone: UTC\n")
    let own = try installed(folder, "pipelines", "show", "cms-rvu")
    #expect(own.status == 2 && own.output.contains("there is no pipeline 'cms-rvu'"), "\(own.output)")
  }

  @Test("writes nothing into its project, says how to have one of one's own, and copies it")
  func ownProject() throws {
    let folder = try Scratch()
    try make("install", folder)
    let before = try listing(folder)
    try folder.write("doctors.csv", "code,name\n1,Ann\n2,Bo\n3,Cy\n")
    let refused = [
      ["pipelines", "new", "--from", "doctors.csv"], ["migrate", "new", "add fee table"],
      ["pipelines", "new", "--into", "directory-csv", "--from", "doctors.csv"],
    ]
    for words in refused {
      let outcome = try Subprocess(
        ["env", "-C", folder.path, folder.path + "/usr/local/bin/rivulet"] + words
      ).run()
      #expect(outcome.status == 2 && outcome.output.contains("'rivulet init DIR'"), "\(outcome.output)")
    }
    #expect(try listing(folder).filter { !$0.hasSuffix(" doctors.csv") } == before)
    let made = try installed(folder, "init", "own")
    #expect(made.status == 0 && made.output.contains("/own has the definitions of"), "\(made.output)")
    for part in ["rivulet.yaml", "Pipelines", "Migrations", "Data"] {
      try Shell.run("diff", "-r", "usr/local/share/rivulet/\(part)", "own/\(part)", in: folder.path)
    }
    #expect(try listing(folder).contains("f 644 own/rivulet.yaml"), "a file of its own, no link")
    let drafted = try installed(
      folder, "pipelines", "new", "doctors", "--from", "doctors.csv", "--project", "own")
    #expect(drafted.status == 0, "\(drafted.output)")
    for (place, reason) in [
      ("own", "there is something in 'own'"), ("doctors.csv", "is a file"),
    ] {
      let outcome = try installed(folder, "init", place)
      #expect(outcome.status == 2 && outcome.output.contains(reason), "\(outcome.output)")
    }
    let within = try installed(folder, "init", "own/copy", "--project", "own")
    #expect(within.status == 2 && within.output.contains("itself: name one outside"), "\(within.output)")
    // Of a copy that fails nothing is left.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/own/Pipelines/gone.sql", withDestinationPath: "nowhere")
    let failed = try installed(folder, "init", "other", "--project", "own")
    #expect(failed.status == 6 && failed.output.contains("gone.sql"), "\(failed.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/other").isEmpty)
  }

  @Test("is called by its units where it was installed")
  func units() throws {
    for prefix in ["/usr", "/opt/rivulet"] {
      let folder = try Scratch()
      try make("install", folder, prefix: prefix)
      for (unit, command) in [("nightly", "nightly"), ("watch", "refresh --watch")] {
        let service = try String(
          contentsOfFile: "\(folder.path)\(prefix)/lib/systemd/system/rivulet-\(unit).service",
          encoding: .utf8)
        #expect(
          service.contains("ExecStart=\(prefix)/bin/rivulet \(command) --project \(prefix)/share/rivulet "))
        #expect(!service.contains("/usr/local/"))
      }
    }
  }
}
