import TestSupport
import Testing

/// Columns that a table gets after releases were loaded.
@Suite("A table that a migration widens")
struct WidenedTableTests {
  @Test("takes its releases along, those too that were superseded and may be rolled back to")
  func revisions() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    for seed in ["1", "2"] {
      let path = scratch.path + "/RVU25D-\(seed).zip"
      let sample = ["sample", "cms-rvu", "-o", path, "--rows", "60", "--seed", seed, "--release", "2025D"]
      try #require(try program.run(sample).status == 0)
      let run = try program.run("run", "cms-rvu", path)
      try #require(run.status == 0, "\(run.errors)")
    }
    let columns = """
      SELECT count(*) || ' ' || count(DISTINCT c.relname) FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
      WHERE c.relname ~ '^rvu' AND c.relkind IN ('r', 'p')
        AND a.attname IN ('pricing_indicator', 'nonfac_pe_rvu_full', 'fac_total_full')
      """
    // The table, the revision visible and the one that it superseded.
    #expect(try database.value(columns) == "9 3")
    let down = try program.run("migrate", "down", "--to", "5")
    #expect(down.status == 0, "\(down.errors)")
    #expect(try database.value(columns) == "0 0")
    let up = try program.run("migrate", "up")
    #expect(up.status == 0, "\(up.errors)")
    #expect(try database.value(columns) == "9 3")
    let back = try program.run("releases", "rollback", "cms-rvu")
    #expect(back.status == 0, "\(back.errors)")
    #expect(try database.value("SELECT count(pricing_indicator) FROM cms.rvu") == "0")
  }
}
