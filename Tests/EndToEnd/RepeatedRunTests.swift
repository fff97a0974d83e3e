import Foundation
import TestSupport
import Testing

/// The same source once more: the same state, whatever was asked or done in between.
@Suite("A source that is run again")
struct RepeatedRunTests {
  private func state(_ program: Program, _ arguments: String...) throws -> String {
    let outcome = try program.run(["run"] + arguments + ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let report = try outcome.object()
    return "\(report["state"] ?? "") \(report["revision"] ?? "")"
  }

  @Test("is compared in all its formats without becoming a revision")
  func crossCheck() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let path = scratch.path + "/RVU25D.zip"
    let made = try program.run(
      "sample", "cms-rvu", "-o", path, "--rows", "60", "--formats", "csv,txt")
    try #require(made.status == 0, "\(made.errors)")
    #expect(try state(program, "cms-rvu", path) == "published 1")
    #expect(try state(program, "cms-rvu", path, "--cross-check") == "unchanged 1")
    #expect(try state(program, "cms-rvu", path) == "unchanged 1")
    #expect(try database.value("SELECT count(*) FROM rivulet.release") == "1")
    #expect(
      try database.value("SELECT count(*) FROM pg_class WHERE relname ~ '^rvu_2025d_' AND relkind = 'r'")
        == "1")
    #expect(try database.value("SELECT count(*) FROM rivulet.gate_result WHERE rule ~ '^cross-check'") == "5")
    #expect(try state(program, "cms-rvu", path, "--cross-check", "--force") == "published 2")
  }

  @Test(
    "does not undo the corrections that were applied to it",
    .needs("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip", "hcpcs/2018-HCPCS-Alpha-Numeric-Corrections.zip"))
  func amended() throws {
    let (database, program) = try Loaded.migrated()
    let whole = SharedData.path("hcpcs/2018-Alpha-Numeric-HCPCS-File.zip")
    let corrections = SharedData.path("hcpcs/2018-HCPCS-Alpha-Numeric-Corrections.zip")
    #expect(try state(program, "cms-hcpcs", whole) == "published 1")
    #expect(try state(program, "cms-hcpcs", corrections) == "published 2")
    #expect(try state(program, "cms-hcpcs", whole) == "unchanged 2")
    #expect(try state(program, "cms-hcpcs", whole, "--cross-check") == "unchanged 2")
    #expect(try state(program, "cms-hcpcs", corrections) == "unchanged 2")
    #expect(try database.value("SELECT count(*) FROM cms.hcpcs_correction") == "28")
    #expect(try program.run("releases", "rollback", "cms-hcpcs").status == 0)
    #expect(try state(program, "cms-hcpcs", whole) == "unchanged 1")
    #expect(try state(program, "cms-hcpcs", corrections) == "published 3")
  }
}
