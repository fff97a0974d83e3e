import Foundation
import Host
import TestSupport
import Testing

/// The script behind the README's pictures.
@Suite(
  "The pictures of the README",
  .enabled(if: Browser.missing == nil, "\(Browser.missing ?? "")"),
  .enabled(if: Screen.missing == nil, "\(Screen.missing ?? "")"))
struct PictureTests {
  @Test("are made of the program as it is")
  func made() throws {
    let scratch = try Scratch()
    chmod(scratch.path, 0o755)
    var script = Subprocess([SharedData.project + "/.ci/pictures", Program.path, scratch.path])
    script.withheldPrefixes = ["PG", "RIVULET_DATABASE", "DATABASE_URL"]
    script.timeLimit = 1_200
    let outcome = try script.run()
    try #require(outcome.status == 0, "\(outcome.output.suffix(800))")
    for name in ["run.png", "report.png"] {
      let picture = try Data(contentsOf: URL(filePath: scratch.path + "/" + name))
      #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]), "\(name)")
      // A picture of nothing is a few kilobytes.
      #expect(picture.count > 40_000, "\(name) has \(picture.count) bytes")
    }
  }
}
