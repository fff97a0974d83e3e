import Definitions
import Host
import PostgreSQL

extension SetupCheck {
  /// Whether the program that `nightly` tells of problems can be run.
  static let notify = SetupCheck(
    "notify", .definitions, because: "nobody learns of a night that failed if it cannot be run"
  ) { subject in
    guard let program = try subject.project().nightly.notify.first else {
      return [.ok("no program is named in rivulet.yaml")]
    }
    let path = program.contains("/") ? program : Programs.find(program)
    guard let path, Files.exists(path) else {
      return [
        .error(
          "the program '\(program)' is not there",
          fix: program.contains("/") ? "ls -l \(program.shellWord)" : "command -v \(program.shellWord)")
      ]
    }
    guard Files.isExecutable(path) else {
      return [.error("'\(path)' cannot be run", fix: "chmod a+x \(path.shellWord)")]
    }
    return [.ok("'\(path)' can be run")]
  }
}
