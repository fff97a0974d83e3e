import TestSupport
import Testing

/// `run --release` against what the files say of themselves.
@Suite("A release that is given")
struct GivenReleaseTests {
  @Test("is refused where the archive's name or the banner tells another, and is loaded under --force")
  func contradicted() throws {
    let desk = try Desk()
    let october = try Samples.make(rows: 60)
    let unnamed = try Samples.make(rows: 60, name: "download.zip")
    for (path, place) in [
      (october, "the name RVU25D.zip says 2025D"),
      (unnamed, "the name PPRRVU2025_Oct.csv says 2025D"),
    ] {
      let options = ["--release", "2025a", "--format", "json", "--no-refresh"]
      let run = try desk.load("cms-rvu", path, options: options).failed(3, saying: place)
      #expect(try run.at("error/code", "error/kind", "error/file") == "3 refused \(path)")
      #expect(try run.at("error/hint").contains("--force"))
      // People read it too.
      try desk.load("cms-rvu", path, options: ["--release", "2025A"]).failed(3, saying: "--force")
    }
    #expect(try desk.value("SELECT count(*) FROM rivulet.run") == "0")
    let forced = try desk.load(
      "cms-rvu", october, options: ["--release", "2025A", "--force", "--format", "json", "--no-refresh"]
    ).succeeded(saying: "is loaded as 2025A")
    #expect(try forced.at("release", "state") == "2025A published")
    #expect(try forced.at("warnings").contains("although the name RVU25D.zip says 2025D"))
    try desk.load("cms-rvu", october, options: ["--release", "2025D", "--no-refresh"]).succeeded()
  }

  @Test("counts where the files say none, and may be the correction of what they say")
  func agreed() throws {
    let desk = try Desk()
    let run = try desk.load(
      "cms-rvu", Samples.make(rows: 60),
      options: ["--release", "2025DR1", "--format", "json", "--no-refresh"]
    ).succeeded()
    #expect(try run.at("release", "warnings") == "2025DR1 []")
  }
}
