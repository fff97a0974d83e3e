import Foundation
import PostgreSQL
import TestSupport
import Testing

@testable import MigrationEngine

/// What goes for good, seen before it goes.
@Suite("The rows that migrations take away")
struct DataLossTests {
  private let own: OwnMigrations

  init() throws {
    own = try OwnMigrations()
    try own.write(
      "0001_base.sql",
      up: """
        CREATE TABLE fee (id int, code varchar(20), note text, twice int GENERATED ALWAYS AS (id * 2) STORED);
        CREATE TABLE visit (day int, n int) PARTITION BY LIST (day);
        CREATE TABLE visit_1 PARTITION OF visit FOR VALUES IN (1);
        CREATE TABLE visit_2 PARTITION OF visit FOR VALUES IN (2);
        CREATE TABLE bare (id int);
        CREATE MATERIALIZED VIEW total AS SELECT count(*) FROM fee;
        INSERT INTO fee SELECT n, 'a', nullif(n, 1) FROM generate_series(1, 5) n;
        INSERT INTO visit SELECT 1 + n % 2, n FROM generate_series(1, 7) n;
        """, down: "SELECT 1;")
    #expect(try own.up() == ["0001"])
  }

  /// The losses of a dry run, as `down: drops table public.fee counted(5)`.
  private func rehearse(_ goal: MigrationGoal = .natural, andForth: Bool = false) throws -> [String] {
    try own.engine().dryRunBack(goal, andForth: andForth).flatMap { direction, step in
      step.losses.map { "\(direction.rawValue): \($0) \($0.rows)" }
    }
  }

  /// Everything that a dry run must leave as it is.
  private func state() throws -> [String] {
    [
      try own.states(), try own.tables() ?? "",
      try own.database.value("SELECT string_agg(fee::text, ' ' ORDER BY id) FROM fee") ?? "",
    ]
  }

  @Test(
    "are counted by a dry run of the way back, whatever SQL takes them, and all stays as it is",
    arguments: [
      ("DROP TABLE fee CASCADE;", ["drops table public.fee counted(5)"]),
      ("DO $$ BEGIN EXECUTE 'DROP TABLE ' || 'visit'; END $$;", ["drops table public.visit counted(7)"]),
      ("DROP TABLE visit_2;", ["drops table public.visit_2 counted(4)"]),
      ("ALTER TABLE visit DETACH PARTITION visit_2; DROP TABLE bare; DROP MATERIALIZED VIEW total;", []),
      ("ALTER TABLE fee DROP twice, DROP note;", ["drops column public.fee.note counted(4)"]),
      ("ALTER TABLE visit DROP n;", ["drops column public.visit.n counted(7)"]),
      ("ALTER TABLE fee RENAME TO f; ALTER TABLE f RENAME note TO n;", []),
      ("TRUNCATE fee, bare;", ["empties table public.fee counted(5)"]),
      ("DELETE FROM fee WHERE id < 3;", ["deletes rows of public.fee counted(2)"]),
      (
        "ALTER TABLE fee ALTER code TYPE varchar(5), ALTER note TYPE varchar;",
        ["narrows column public.fee.code from character varying(20) to character varying(5) counted(5)"]
      ),
      ("CREATE TABLE made AS SELECT * FROM fee; DROP TABLE made;", []),
      (
        "DROP SCHEMA public CASCADE; CREATE SCHEMA public;",
        [
          "drops table public.fee counted(5)", "drops table public.visit counted(7)",
        ]
      ),
    ] as [(String, [String])])
  func dryRun(down: String, expected: [String]) throws {
    try own.write("0002_next.sql", up: "SELECT 1;", down: down)
    #expect(try own.up() == ["0002"])
    let before = try state()
    #expect(try rehearse() == expected.map { "down: " + $0 })
    #expect(try state() == before)
  }

  @Test("are reported migration by migration, those of statements outside a transaction too")
  func severalSteps() throws {
    try own.write("0002_note.sql", up: "ALTER TABLE fee ADD more text;", down: "ALTER TABLE fee DROP more;")
    try own.write(
      "0003_index.sql", up: "CREATE INDEX CONCURRENTLY by_id ON fee (id);",
      down: "DROP INDEX CONCURRENTLY by_id;\nALTER TABLE fee DROP note, ALTER code TYPE varchar(9);")
    #expect(try own.up() == ["0002", "0003"])
    try own.execute("UPDATE fee SET more = 'x' WHERE id = 1")
    let steps = try own.engine().dryRunBack(.steps(2)).map(\.1)
    #expect(steps.map(\.version) == ["0003", "0002"])
    #expect(steps[0].unexecuted.map { $0.contains("DROP INDEX CONCURRENTLY") } == [true])
    #expect(
      steps.map { $0.losses.map { "\($0) \($0.rows)" } } == [
        [
          "drops column public.fee.note counted(4)",
          "narrows column public.fee.code from character varying(20) to character varying(9) counted(5)",
        ], ["drops column public.fee.more counted(1)"],
      ])
    #expect(try own.states() == "0001:applied 0002:applied 0003:applied")
  }

  @Test("of a redo are those of the way back: what goes up again makes is nobody's loss")
  func redo() throws {
    try own.write(
      "0002_next.sql",
      up: "CREATE TABLE more (n int); INSERT INTO more VALUES (1); ALTER TABLE fee DROP code;",
      down: "DROP TABLE more; ALTER TABLE fee ADD code text;")
    #expect(try own.up() == ["0002"])
    #expect(try rehearse(andForth: true) == ["down: drops table public.more counted(1)"])
  }

  @Test("are estimated where there are many")
  func estimates() throws {
    let most = DataLoss.mostCounted
    try own.execute("INSERT INTO bare SELECT generate_series(1, \(most + 1))")
    try own.write("0002_next.sql", up: "SELECT 1;", down: "DROP TABLE bare;")
    #expect(try own.up() == ["0002"])
    #expect(try rehearse() == ["down: drops table public.bare moreThan(\(most))"])
    try own.execute("ANALYZE bare")
    #expect(try rehearse() == ["down: drops table public.bare about(\(most + 1))"])
  }

  @Test(
    "are in the plan with the rows that the target has now",
    arguments: [
      ("DROP TABLE fee CASCADE;", ["drops table public.fee about(5)"]),
      ("DO $$ BEGIN DROP TABLE visit; END $$;", ["drops table public.visit unknown"]),
      ("ALTER TABLE fee DROP note, DROP twice;", ["drops column public.fee.note about(5)"]),
      (
        "TRUNCATE ONLY bare, fee;",
        ["empties table public.bare about(0)", "empties table public.fee about(5)"]
      ),
      ("TRUNCATE visit;", ["empties table public.visit_1 unknown", "empties table public.visit_2 unknown"]),
      ("ALTER TABLE bare ALTER id TYPE bigint;", []),
      ("ALTER TABLE fee RENAME TO f;\nALTER TABLE f DROP note;", ["drops column public.fee.note about(5)"]),
      ("ALTER TABLE visit DETACH PARTITION visit_2; DROP MATERIALIZED VIEW total;", []),
      ("CREATE TABLE made (n int); ALTER TABLE made DROP n; DROP TABLE made;", []),
      (
        "DROP MATERIALIZED VIEW total; DROP INDEX CONCURRENTLY IF EXISTS nowhere;\nALTER TABLE fee ALTER note TYPE varchar(9);",
        ["narrows column public.fee.note from text to character varying(9) about(5)"]
      ),
    ] as [(String, [String])])
  func plan(up: String, expected: [String]) throws {
    try own.execute("ANALYZE fee")
    try own.write("0002_next.sql", up: up)
    let connection = try own.database.connect()
    let planner = MigrationPlanner(target: connection, folder: try own.open(), place: .beside(connection))
    let planned = try planner.plan(.natural)
    #expect(planned.flatMap(\.losses).map { "\($0) \($0.rows)" } == expected)
  }

  @Test(
    "are a warning of verify where a way back makes again what was taken, and leaves it empty",
    arguments: [
      (
        "DROP TABLE bare;", "CREATE TABLE bare (id int);",
        ["down makes table public.bare again without the rows that up drops with it"]
      ),
      (
        "ALTER TABLE fee DROP note;", "ALTER TABLE fee ADD note text;",
        ["down makes column public.fee.note again without the values that up drops with it"]
      ),
      (
        "TRUNCATE visit;", "SELECT 1;",
        [
          "down does not bring back the rows of public.visit_1 that up removes",
          "down does not bring back the rows of public.visit_2 that up removes",
        ]
      ),
      (
        "ALTER TABLE fee ALTER code TYPE varchar(5);", "ALTER TABLE fee ALTER code TYPE varchar(20);",
        [
          "down does not bring back what public.fee.code loses when up makes character varying(20) character varying(5)"
        ]
      ),
      ("ALTER TABLE bare ALTER id TYPE bigint;", "ALTER TABLE bare ALTER id TYPE int;", []),
      ("ALTER TABLE bare RENAME TO b;", "ALTER TABLE b RENAME TO bare;", []),
      (
        "ALTER TABLE fee DROP twice;", "ALTER TABLE fee ADD twice int GENERATED ALWAYS AS (id * 2) STORED;",
        []
      ),
      (
        "CREATE TABLE kept AS SELECT id, note FROM fee; ALTER TABLE fee DROP note;",
        "ALTER TABLE fee ADD note text; UPDATE ONLY fee SET note = kept.note FROM kept WHERE kept.id = fee.id; DROP TABLE kept;",
        []
      ),
      (
        "CREATE TABLE kept AS SELECT id FROM bare; DROP TABLE bare;",
        "DO $$ BEGIN CREATE TABLE bare (id int); INSERT INTO public.bare SELECT id FROM kept; END $$; DROP TABLE kept;",
        []
      ),
      ("DROP TABLE bare; -- rivulet:allow destructive-change a cache", "CREATE TABLE bare (id int);", []),
      (
        "ALTER TABLE fee DROP note; -- rivulet:allow narrowing-type-change not that one",
        "ALTER TABLE fee ADD note text;",
        ["down makes column public.fee.note again without the values that up drops with it"]
      ),
    ] as [(String, String, [String])])
  func verify(up: String, down: String, warnings: [String]) throws {
    try own.scratch.write(
      "0001_base.sql",
      """
      -- rivulet:up
      CREATE TABLE fee (id int, code varchar(20), note text, twice int GENERATED ALWAYS AS (id * 2) STORED);
      CREATE TABLE visit (day int, n int) PARTITION BY LIST (day);
      CREATE TABLE visit_1 PARTITION OF visit FOR VALUES IN (1);
      CREATE TABLE visit_2 PARTITION OF visit FOR VALUES IN (2);
      CREATE TABLE bare (id int);
      -- rivulet:down
      DROP TABLE fee, visit, bare;
      """)
    try own.write("0002_next.sql", up: up, down: down)
    let verifier = MigrationVerifier(
      folder: try own.open(), place: .beside(try own.database.connect()))
    var found: [VerifiedMigration] = []
    #expect(try verifier.run { found.append($0) })
    #expect(found.map(\.differences) == [[], []])
    #expect(found.map(\.warnings) == [[], warnings])
  }

  @Test(
    "of a change of type are what the new one cannot hold",
    arguments: [
      ("varchar(50)", "varchar(20)"), ("text", "varchar(20)"), ("varchar", "char(3)"), ("bigint", "int"),
      ("int", "smallint"), ("numeric", "numeric(8,2)"), ("numeric(8,2)", "numeric(8,1)"),
      ("numeric(8,2)", "numeric(7,2)"), ("numeric(8,2)", "int"), ("double precision", "real"),
      ("int", "numeric(8,2)"), ("bigint", "double precision"), ("timestamptz", "date"),
      ("timestamp", "timestamp(0)"), ("timestamp", "time"), ("timetz", "time"), ("int", "boolean"),
      ("varbit(9)", "bit(8)"), ("varchar(9)[]", "varchar(8)[]"),
    ])
  func narrower(old: String, new: String) throws {
    let types = try [old, new].map { try #require(SQLType(named: $0)) }
    #expect(types[1].isNarrower(than: types[0]))
    #expect(!types[0].isNarrower(than: types[0]) && !types[1].isNarrower(than: types[1]))
  }

  @Test(
    "of a change of type are none where it holds as much, and where nothing is known of it",
    arguments: [
      ("int", "text"), ("date", "timestamptz"), ("timestamp", "timestamptz"), ("varchar(3)[]", "text"),
      ("json", "jsonb"), ("app.mood", "app.mode"), ("int", "double precision"), ("numeric(5,2)", "real"),
    ])
  func notNarrower(old: String, new: String) throws {
    let types = try [old, new].map { try #require(SQLType(named: $0)) }
    #expect(!types[1].isNarrower(than: types[0]))
  }
}
