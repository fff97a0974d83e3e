import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Releases of one command, of which those to come are loaded while one is judged.
@Suite("Many releases at once")
struct ManyReleasesTests {
  private static let names = ["2021A", "2021B", "2021C", "2021D", "2022A", "2022B"]

  private static let bundles: Result<[String], any Error> = Result {
    try names.map { try Samples.make(rows: 60, release: $0) }
  }

  /// What the tables of releases are like: their columns, constraints and indexes, without what names them.
  private static let shape = """
    WITH part AS (
      SELECT t.target, t.release, to_regclass(t.partition) AS id FROM rivulet.release_table t)
    SELECT concat_ws(' ', p.target, p.release, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage,
      ARRAY(SELECT o FROM unnest(a.attoptions) o WHERE o NOT LIKE 'pg\\_%'), pg_get_expr(d.adbin, d.adrelid))
    FROM part p JOIN pg_attribute a ON a.attrelid = p.id AND a.attnum > 0
      LEFT JOIN pg_attrdef d ON d.adrelid = p.id AND d.adnum = a.attnum
    UNION ALL
    SELECT concat_ws(' ', p.target, p.release, c.contype::text, c.convalidated, c.coninhcount, pg_get_constraintdef(c.oid))
    FROM part p JOIN pg_constraint c ON c.conrelid = p.id
    UNION ALL
    SELECT concat_ws(' ', p.target, p.release, regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', ''), i.indisunique)
    FROM part p JOIN pg_index i ON i.indrelid = p.id
    UNION ALL
    SELECT concat_ws(' ', p.target, p.release, c.reloptions::text, pg_get_partition_constraintdef(c.oid))
    FROM part p JOIN pg_class c ON c.oid = p.id
    ORDER BY 1
    """

  @Test("are the same as when each is loaded by itself")
  func together() throws {
    let bundles = try Self.bundles.get()
    let (apart, one) = try Loaded.migrated()
    for bundle in bundles { try one.run("run", "cms-rvu", bundle, "-q").succeeded() }
    let (database, program) = try Loaded.migrated()
    try program.run(["run", "cms-rvu"] + bundles).succeeded()
    #expect(try PublishedContent.digest(of: database) == PublishedContent.digest(of: apart))
    let shapes = try [database, apart].map { try $0.rows(Self.shape) }
    #expect(Set(shapes[0]).symmetricDifference(shapes[1]).sorted() == [])
    #expect(shapes[0].count == shapes[1].count && shapes[0].count > 500)
    #expect(try PublishedContent.leftovers(in: database) == [])
  }

  @Test("of which one is refused keep those before it, and leave nothing of those after it")
  func refused() throws {
    var bundles = try Self.bundles.get()
    // Half as many rows as the release before it.
    bundles[2] = try Samples.make(rows: 30, release: Self.names[2])
    let (database, program) = try Loaded.migrated()
    let run = try program.run(["run", "cms-rvu", "--format", "json"] + bundles).failed(
      3, saying: "row-change-pprrvu")
    #expect(
      try run.at("runs/0/state", "runs/1/state", "runs/2/state") == "published published refused")
    #expect(
      try database.value("SELECT string_agg(release || ' ' || state, ', ' ORDER BY run) FROM rivulet.run")
        == "2021A published, 2021B published, 2021C refused, 2021D failed")
    #expect(try PublishedContent.leftovers(in: database) == [])
    #expect(try database.value("SELECT string_agg(DISTINCT release, ' ') FROM cms.rvu") == "2021A 2021B")
    try program.run(["run", "cms-rvu", "--no-refresh"] + Self.bundles.get()).succeeded()
    #expect(try database.value("SELECT count(DISTINCT release) FROM cms.rvu") == "6")
  }
}
