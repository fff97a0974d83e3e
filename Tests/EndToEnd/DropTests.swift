import Foundation
import PostgreSQL
import TestSupport
import Testing

/// `releases drop`, and what comes after it.
@Suite("A release that is dropped")
struct DropTests {
  /// A database with revisions of 2025D, and 2025A before it; the revisions have 60, 70, 80... rows.
  private func loaded(revisions: Int) throws -> (TestDatabase, Program, sources: [String]) {
    let (database, program) = try Loaded.migrated()
    let old = try Samples.make(rows: 50, release: "2025A")
    let sources = try (0..<revisions).map {
      try Samples.make(rows: 60 + 10 * $0, seed: UInt64($0 + 1), release: "2025D")
    }
    for source in [old] + sources {
      try program.run(["run", "cms-rvu", source] + Loaded.unlikeTheLast).succeeded()
    }
    return (database, program, sources)
  }

  private func rows(_ database: TestDatabase, _ release: String = "2025D") throws -> String? {
    try database.value("SELECT count(*) FROM cms.rvu WHERE release = '\(release)'")
  }

  private func states(_ database: TestDatabase) throws -> String? {
    try database.value(
      """
      SELECT string_agg(release || ' ' || revision || ' ' || state, ', ' ORDER BY release, revision)
      FROM rivulet.release
      """)
  }

  /// Tables of releases that no release has.
  private func strays(_ database: TestDatabase) throws -> String? {
    try database.value(
      """
      SELECT string_agg(c.oid::regclass::text, ' ') FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace = 'cms'::regnamespace AND obj_description(c.oid) ~ '^rivulet: staged'
        AND NOT EXISTS (SELECT FROM rivulet.release_table t WHERE to_regclass(t.partition) = c.oid)
      """)
  }

  @Test("is refused while readers need it, and then gone with all its revisions, its room and nothing else")
  func whole() throws {
    let (database, program, sources) = try loaded(revisions: 2)
    let before = try states(database)
    func drop(_ words: String...) throws -> Program.Outcome {
      try program.run(["releases", "drop", "cms-rvu"] + words)
    }
    for (words, status, says) in [
      (["2025D"], 1, "current release"), (["2025D", "--revision", "2"], 1, "is published"),
      // Visible, though not current.
      (["2025A", "--revision", "1"], 1, "is published"), (["2025D", "--revision", "9"], 2, "2, 1"),
    ] as [([String], Int32, String)] {
      let refused = try program.run(["releases", "drop", "cms-rvu"] + words)
      #expect(refused.status == status && refused.errors.contains(says), "\(words): \(refused.errors)")
    }
    #expect(try program.run("releases", "pin", "cms-rvu", "2025A").status == 0)
    let pinned = try drop("2025A", "--format", "json")
    let error = try #require(try pinned.object()["error"] as? [String: Any])
    #expect(pinned.status == 1 && (error["hint"] as? String)?.contains("--clear") == true, "\(pinned.output)")
    #expect(try states(database) == before)
    #expect(try rows(database) == "70")

    // What the published revision replaced cannot come back, and the release is hidden.
    #expect(try drop("2025D", "--revision", "1").status == 0)
    #expect(try program.run("releases", "rollback", "cms-rvu").output.contains("is not published"))
    #expect(try states(database) == "2025A 1 published, 2025D 2 withdrawn")
    #expect(try program.run("releases", "publish", "cms-rvu", "2025D").status == 0)

    let measured = try #require(
      try database.connect().execute(
        """
        SELECT sum(pg_total_relation_size(to_regclass(partition))), sum(rows)
        FROM rivulet.release_table WHERE release = '2025D'
        """
      ).first)
    let dropped = try drop("2025d", "--format", "json").object()
    #expect(dropped["revisions"] as? [Int] == [2])
    #expect(
      dropped["bytes"] as? Int == Int(measured[0] ?? "") && dropped["rows"] as? Int == Int(measured[1] ?? ""))
    #expect(try states(database) == "2025A 1 published")
    #expect(try rows(database) == "0" && rows(database, "2025A") == "50")
    #expect(try strays(database) == nil)
    #expect(
      try database.value(
        "SELECT count(*) || ' ' || (SELECT count(*) FROM rivulet.source_file) FROM rivulet.run")
        == "3 15")

    let gone = try drop("2025D")
    #expect(gone.status == 2 && gone.errors.contains("loaded are 2025A"), "\(gone.errors)")
    // The newest publication that is left is 2025A's.
    let again = try program.run(
      ["run", "cms-rvu", sources[0], "--format", "json"] + Loaded.unlikeTheLast
    ).object()
    #expect(again["state"] as? String == "published" && again["revision"] as? Int == 3)
    #expect(try rows(database) == "60")
    #expect(try program.run("releases", "rollback", "cms-rvu").status == 0)
    #expect(try states(database) == "2025A 1 published, 2025D 3 withdrawn")
  }

  @Test("by one revision is passed over when publications are rolled back")
  func revision() throws {
    let (database, program, sources) = try loaded(revisions: 3)
    let dropped = try program.run("releases", "drop", "cms-rvu", "2025D", "--revision", "2")
    #expect(dropped.status == 0 && dropped.output.contains("revision 2 is dropped"), "\(dropped.errors)")
    #expect(try rows(database) == "80")
    #expect(try program.run("releases", "rollback", "cms-rvu").output.contains("revision 1 is back"))
    #expect(try rows(database) == "60")
    #expect(try program.run("releases", "rollback", "cms-rvu").output.contains("is not published"))
    #expect(try database.value("SELECT DISTINCT release FROM cms.current_rvu") == "2025A")
    // What was revision 2 is loaded again, under a number of its own.
    let again = try program.run(
      ["run", "cms-rvu", sources[1], "--format", "json"] + Loaded.unlikeTheLast
    ).object()
    #expect(again["state"] as? String == "published" && again["revision"] as? Int == 4)
    #expect(try rows(database) == "70")
  }

  @Test("waits for the readers of its tables no longer than publishing does, and is whole when it gives way")
  func blocked() throws {
    let (database, program, _) = try loaded(revisions: 1)
    #expect(try program.run("releases", "pin", "cms-rvu", "2025A").status == 0)
    let reader = try database.connect()
    try reader.execute("BEGIN; SELECT count(*) FROM cms.rvu")
    try program.run("releases", "drop", "cms-rvu", "2025D").failed(
      4, saying: "cms-rvu 2025D were not released", "process \(reader.backendID) (rivulet)", "--lock-wait")
    try reader.execute("COMMIT")
    #expect(try states(database) == "2025A 1 published, 2025D 1 published")
    #expect(try rows(database) == "60")
    #expect(try program.run("releases", "drop", "cms-rvu", "2025D").status == 0)
  }

  @Test(
    "as the base of corrections leaves the corrected revision whole, and the next correction asks for a new one"
  )
  func amended() throws {
    let own = try OwnDataset()
    let item = "a001,1,first,1.00,,m\na002,1,second,2.00,,n"
    try own.write("items25a", ["ITEM.csv": item])
    try own.write("fix1", ["FIX1_25a_.csv": "a001,corrected"])
    try own.write("fix2", ["FIX2_25a_.csv": "a002,corrected"])
    #expect(try own.run("items25a").status == 0)
    #expect(try own.run("fix1").status == 0)
    let program = Program(database: own.database.url)
    let project = ["--project", own.scratch.path]
    try program.run(["releases", "drop", "items", "2025A", "--revision", "1"] + project).succeeded()
    let words = "SELECT string_agg(words, ' ' ORDER BY code) FROM own.item"
    #expect(try own.database.value(words) == "corrected second")
    #expect(
      try own.database.value(
        "SELECT count(*) FROM own.item i JOIN rivulet.source_file f USING (source_file_id)") == "2")
    try own.run("fix2").failed(3, saying: "load it")
    #expect(try own.database.value(words) == "corrected second")
    try own.run("items25a", options: ["--force"]).succeeded()
    #expect(try own.run("fix2").status == 0)
    #expect(try own.database.value(words) == "first corrected")
    #expect(try own.leftovers() == "0")
  }
}
