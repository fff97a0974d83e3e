import Foundation
import Host
import TestSupport
import Testing

/// The image for containers. Its base images are not fetched: its steps are done in clean roots, which have what
/// they have. What `make deb` makes of the same files with the same packages has been built on a clean machine,
/// by ``CleanBuild``: here it is given that program in the place of Swift, and all else is done.
@Suite("The Containerfile")
struct ContainerfileTests {
  /// A step: `RUN` and what is behind it.
  private typealias Step = (instruction: String, text: String)

  /// The steps, each from `FROM` to the next one.
  private func stages() throws -> [[Step]] {
    let text = try String(contentsOfFile: SharedData.project + "/Containerfile", encoding: .utf8)
      .replacing(/(?m)^#.*\n/, with: "").replacing(/\\\n/, with: "")
    var stages: [[Step]] = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let step = (words[0], words.count > 1 ? words[1] : "")
      if step.0 == "FROM" { stages.append([]) }
      try #require(!stages.isEmpty)
      stages[stages.count - 1].append(step)
    }
    return stages
  }

  /// Puts a program before Swift that gives what this has built, and says what it was asked for.
  private func replaceSwift(in root: CleanRoot) async throws {
    try Shell.run("cp", try await CleanBuild.made().program, root.path + "/work/rivulet")
    try root.write(
      "usr/local/bin/swift",
      """
      #!/bin/sh
      # Where a package is missing that the program needs, this ends as the build would.
      set -e
      echo "$PWD: $*" >> /work/calls
      ! ldd /work/rivulet | grep 'not found'
      mkdir -p .build/release
      cp /work/rivulet .build/release/rivulet

      """)
    chmod(root.path + "/usr/local/bin/swift", 0o755)
  }

  @Test("builds the package in one stage, and installs it in another that has nothing else", .needsCleanRoot)
  func steps() async throws {
    let stages = try stages()
    try #require(stages.count == 2)
    #expect(stages[0][0].text.hasPrefix("swift:") && stages[0][0].text.hasSuffix(" AS build"))
    #expect(stages[1][0].text == "debian:12-slim")
    let build = try CleanRoot(hasSwift: true)
    let image = try CleanRoot()
    try await replaceSwift(in: build)
    var (user, entry) = ("", "")
    for (root, steps) in zip([build, image], stages) {
      var folder = "/"
      for step in steps.dropFirst() {
        switch step.instruction {
        case "WORKDIR":
          folder = step.text
          try FileManager.default.createDirectory(
            atPath: root.path + folder, withIntermediateDirectories: true)
        case "COPY" where step.text == ". .": try root.checkOut(to: folder)
        case "COPY":
          let words = step.text.split(separator: " ").map(String.init)
          try #require(words.count == 3 && words[0] == "--from=build")
          try FileManager.default.createDirectory(
            atPath: root.path + Path.parent(words[2]), withIntermediateDirectories: true)
          try Shell.run("cp", "-R", build.path + words[1], root.path + words[2])
        case "RUN":
          let (place, text) = (folder, step.text)
          let outcome = try await aside { try root.run(in: place, [text], seconds: 1_200)[0] }
          try #require(outcome.status == 0, "\(step.text): \(outcome.text.suffix(3_000))")
        case "USER": user = step.text
        case "ENTRYPOINT": entry = step.text
        default: Issue.record("\(step.instruction) is not known here")
        }
      }
    }
    #expect(entry == #"["rivulet"]"#)
    let calls = try String(contentsOfFile: build.path + "/work/calls", encoding: .utf8)
    #expect(
      calls == """
        /src: build -c release --static-swift-stdlib -debug-info-format none -Xswiftc -Xfrontend -Xswiftc \
        -disable-incremental-llvm-codegen --product rivulet

        """, "what Swift is asked for")
    let called = "cd /data && setpriv --reuid \(user) --regid nogroup --clear-groups rivulet"
    let printed = try image.run([
      "\(called) version", "\(called) pipelines list", "ls /tmp; dpkg --list",
      "id --user \(user)",
    ])
    #expect(printed[0].lines == ["rivulet 0.1.0"])
    #expect(printed[1].text.contains("cms-rvu"))
    #expect(!printed[2].text.contains("dist\n") && !printed[2].text.contains("-dev:"))
    #expect(printed[3].lines != ["0"], "not root")
  }
}
