import PostgreSQL
import TestSupport
import Testing

/// The tables of releases are made from what is known of their target, without a lock on it.
@Suite("The table of a release")
struct PartitionDefinitionTests {
  /// What the server copies by LIKE: columns with their types, collations, defaults and storage, and checks.
  private static func description(of table: String) -> String {
    """
    SELECT concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attcollation, a.attnotnull, a.attstorage,
      pg_get_expr(d.adbin, d.adrelid))
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = '\(table)'::regclass AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT concat_ws(' ', conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE conrelid = '\(table)'::regclass AND contype = 'c' AND conname <> 'rivulet_release'
    ORDER BY 1
    """
  }

  @Test("is what the server makes by LIKE, and is attached")
  func definition() throws {
    let own = try OwnDataset()
    let connection = try own.database.connect()
    try connection.execute(
      """
      CREATE DOMAIN own."long Word" AS text CHECK (length(VALUE) < 1000);
      ALTER TABLE own.item
        ADD COLUMN gone int, ADD COLUMN "a ""quoted"" one" varchar(7) COLLATE "C" DEFAULT 'it''s', ADD COLUMN d own."long Word",
        ADD COLUMN at timestamp(3) with time zone, ADD COLUMN tags text[] DEFAULT '{}',
        ALTER COLUMN words TYPE text COLLATE "POSIX", ALTER COLUMN words SET STORAGE EXTERNAL,
        ADD CONSTRAINT "no 'empty' words" CHECK (words <> '' AND words !~ '\\\\'),
        ADD CONSTRAINT later CHECK (gone IS NULL OR code > '') NOT VALID;
      ALTER TABLE own.item DROP CONSTRAINT later, DROP COLUMN gone, ADD CONSTRAINT kept CHECK (code > '') NOT VALID;
      CREATE TABLE own.alike (LIKE own.item INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE);
      """)
    let expected = try connection.execute(Self.description(of: "own.alike")).rows.map { $0[0] }
    #expect(expected.count > 10)
    try connection.execute("DROP TABLE own.alike")
    try own.write("items25a", ["ITEM.csv": "a,3,one,1,,m\nb,3,two,2,,n"])
    try own.run("items25a").succeeded()
    let partition = try #require(
      try own.value("SELECT partition FROM rivulet.release_table WHERE target = 'own.item'"))
    let found = try connection.execute(Self.description(of: partition)).rows.map { $0[0] }
    #expect(found == expected)
    #expect(try own.value("SELECT count(*) FROM own.item") == "2")
  }

  @Test("is filled without a lock on its target, that a publication would wait for")
  func lock() throws {
    let (database, _) = try Loaded.migrated()
    let held = try HeldCopy(database)
    let started = try held.program.start(["run", "cms-rvu", Sample.path])
    try #require(try held.isReached())
    try database.connect().execute(
      "BEGIN; LOCK TABLE ONLY cms.rvu IN ACCESS EXCLUSIVE MODE NOWAIT; ROLLBACK")
    held.letGo()
    try started.wait().succeeded()
  }
}
