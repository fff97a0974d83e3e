import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Merging into plain tables")
struct MergeTests {
  private let own: MergedDataset

  init() throws {
    own = try MergedDataset(with: Self.loaded.get().database)
    try Self.write(own)
  }

  private static func write(_ own: MergedDataset) throws {
    try own.write("one/patients.csv", "a,,Ann,60.5,111,112", "b,,Bob,70,221,", "c,,Cid,,,")
    try own.write("one/visits.csv", "1,a,2025-01-01", "2,b,2025-01-02")
  }

  /// One that holds the first files, loaded once.
  private static let loaded = Result {
    let own = try MergedDataset()
    try write(own)
    let run = try own.load("clinic", "one", options: ["--format", "json"]).succeeded()
    #expect(try run.at("state", "release", "revision", "merges/*/inserted") == "merged null null 3 3 2")
    return own
  }

  /// How a run of a folder has ended.
  private func state(_ folder: String, _ options: String...) throws -> String {
    try own.load("clinic", folder, options: options + ["--format", "json"]).succeeded().at("state")
  }

  @Test("tells by a dry run what differs, then writes only that, and keeps what rows were")
  func difference() throws {
    try own.database.connect().execute(
      "UPDATE app.patient SET note = 'ours'; CREATE TABLE before AS SELECT id, xmin::text AS x FROM app.patient"
    )
    try own.write("two/patients.csv", "a,,Anna,60.50,112,", "b,,Bob,70,221,", "c,D,,,,", "d,,Dan,80,441,442")
    try own.write("two/visits.csv", "2,b,2025-01-02", "3,d,2025-01-03")
    let dry = try own.load("clinic", "two", options: ["--dry-run"]).succeeded(showing: "would be merged")
    let table = dry.output.split(separator: "\n").filter { $0.hasPrefix("app.") }.map {
      $0.split(separator: " ").joined(separator: "|")
    }
    #expect(try own.rows("SELECT count(*), max(run) FROM rivulet.merge") == ["3|1"])
    try own.load("clinic", "two").succeeded(
      showing: "app.patient               1        1        1          1")
    #expect(
      try table
        == own.rows(
          "SELECT target, inserted, updated, deleted, unchanged FROM rivulet.merge WHERE run = 3 ORDER BY ctid"
        ))
    #expect(
      try own.counts() == [
        "app.patient +1 ~1 -1 =1", "app.patient_phone +2 ~1 -1 =1", "app.visit +1 ~0 -1 =1",
      ])
    for (query, rows) in [
      (
        "id, name, weight, note, source_line FROM app.patient ORDER BY id",
        ["a|Anna|60.50|ours|2", "b|Bob|70|ours|3", "d|Dan|80|none|5"]
      ),
      (
        "id, slot, phone FROM app.patient_phone ORDER BY 1, 2",
        ["a|1|112", "b|1|221", "d|1|441", "d|2|442"]
      ),
      ("visit FROM app.visit ORDER BY 1", ["2", "3"]),
      ("p.id FROM app.patient p JOIN before b ON b.id = p.id AND b.x = p.xmin::text", ["b"]),
      ("relname FROM pg_class WHERE relname LIKE '%merge\\_%' AND relkind = 'r'", []),
      (
        """
        h.id, h.name, h.valid_from = f.merged_at, h.valid_to = t.merged_at FROM app.patient_history h,
          (SELECT DISTINCT merged_at FROM rivulet.merge WHERE run = 1) f,
          (SELECT DISTINCT merged_at FROM rivulet.merge WHERE run = 3) t ORDER BY 1
        """, ["a|Ann|t|t", "c|Cid|t|t"]
      ),
      ("id, slot, phone FROM app.patient_phone_history ORDER BY 1, 2", ["a|1|111", "a|2|112"]),
    ] { #expect(try own.rows("SELECT " + query) == rows) }
  }

  @Test("knows the same content again, and content of before as another")
  func repetition() throws {
    #expect(try state("one") == "unchanged")
    try own.write("two/patients.csv", "a,,Anna,60.5,111,112")
    try own.write("two/visits.csv", "1,a,2025-01-01", "2,b,2025-01-02")
    #expect(try state("two") == "merged")
    #expect(try state("one") == "merged")
    #expect(try own.rows("SELECT name FROM app.patient WHERE id = 'a'") == ["Ann"])
    #expect(try state("one", "--force") == "merged")
    #expect(try own.counts().allSatisfy { $0.contains("+0 ~0 -0") })
    try own.database.connect().execute("TRUNCATE app.patient CASCADE")
    #expect(try state("one") == "merged")
    #expect(try own.rows("SELECT count(*) FROM app.patient") == ["3"])
  }

  @Test("leaves alone what a file lacks, also where another file of the table has it")
  func severalFiles() throws {
    let own = try MergedDataset(changing: [
      "Pipelines/clinic/pipeline.yaml": """
      pipeline: clinic
      sources:
        - {name: patients, entries: 'patients*', gather: true, formats: [csv], layouts: patients, target: app.patient, key: [id]}
      publish: merge
      """,
      "Pipelines/clinic/layouts/patients.yaml": OwnProject.layout(
        "patients", "name: id, csv: ID, type: text, required: true",
        "name: name, csv: NAME, type: text, optional: true",
        "name: weight, csv: WEIGHT, type: 'decimal(8,2)', optional: true",
        "name: note, csv: NOTE, type: text, optional: true"),
    ])
    try own.database.connect().execute(
      "INSERT INTO app.patient VALUES ('a', 'Ann', 1, 'x', NULL, 0, 0), ('b', 'Bob', 2, 'y', NULL, 0, 0)")
    try own.scratch.write("two/patients1.csv", "ID,NAME\na,Anna\n")
    try own.scratch.write("two/patients2.csv", "ID,NAME,WEIGHT\nb,Bobby,\nc,Cid,3\n")
    try own.load("clinic", "two").succeeded()
    #expect(
      try own.rows("SELECT id, name, weight, note FROM app.patient ORDER BY id") == [
        "a|Anna|1|x", "b|Bobby|-|y", "c|Cid|3|none",
      ])
  }

  @Test("is refused as a whole where the tables' own rules speak against it, or too many rows are lost")
  func refused() throws {
    let before = try own.rows("SELECT * FROM app.patient ORDER BY 1")
    try own.write("two/patients.csv", "a,,Anna,60.5,111,112")
    try own.write("two/visits.csv", "1,a,2025-01-01", "2,nobody,2025-01-01")
    try own.load("clinic", "two").failed(3, saying: "app.visit refuses").withholding("nobody")
    try own.write("two/visits.csv")
    try own.load("clinic", "two").failed(3, saying: "row-change-visits: 2 found. 0 rows after 2 in app.visit")
    #expect(try own.rows("SELECT count(*) FROM app.visit") == ["2"])
    #expect(try own.rows("SELECT * FROM app.patient ORDER BY 1") == before)
    #expect(try PublishedContent.leftovers(in: own.database) == [])
    #expect(try own.rows("SELECT state FROM rivulet.run ORDER BY run") == ["merged", "refused", "refused"])
  }

  @Test("fires the triggers of the table once a statement, and keeps derived views exact")
  func triggers() throws {
    try own.scratch.write(
      "Pipelines/clinic/views/app.calls.sql",
      OwnProject.view(
        by: "id", of: "app.patient_phone",
        "SELECT id, count(*) AS phones FROM {keys} k JOIN app.patient_phone p USING (id) GROUP BY 1"))
    try own.command("migrate", "up").succeeded()
    try own.command("refresh").succeeded()
    try own.database.connect().execute(
      """
      CREATE TABLE fired (what text, rows bigint);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO fired SELECT TG_OP, count(*) FROM changed; RETURN NULL; END $$;
      CREATE TRIGGER i AFTER INSERT ON app.patient REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note();
      CREATE TRIGGER u AFTER UPDATE ON app.patient REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note();
      CREATE TRIGGER d AFTER DELETE ON app.patient REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note();
      """)
    try own.write("two/patients.csv", "a,,Anna,60.5,111,", "c,D,,,,", "d,,Dan,,1,2", "e,,Eve,,3,")
    try own.write("two/visits.csv", "1,a,2025-01-01", "2,b,2025-01-02")
    let run = try own.load("clinic", "two", options: ["--format", "json"]).succeeded()
    #expect(
      try own.rows("SELECT what, rows FROM fired WHERE rows > 0 ORDER BY 1") == [
        "DELETE|1", "INSERT|2", "UPDATE|1",
      ])
    #expect(
      try own.rows("SELECT id, phones FROM app.calls ORDER BY 1") == ["a|1", "b|1", "d|2", "e|1"])
    #expect(try run.at("views/*/view") == "app.calls")
  }

  @Test("waits for nobody but who writes the same rows, and nobody waits for it")
  func locks() throws {
    let reader = try own.database.connect()
    try reader.execute(
      "BEGIN; SELECT * FROM app.patient; UPDATE app.patient SET note = 'mine' WHERE id = 'c'")
    try own.write("two/patients.csv", "a,,Anna,60.5,111,112", "b,,Bob,70,221,")
    try own.write("two/visits.csv", "1,a,2025-01-01", "2,b,2025-01-02")
    try own.load("clinic", "two").succeeded()
    try reader.execute("COMMIT; BEGIN; UPDATE app.patient SET note = 'mine' WHERE id = 'a'")
    try own.write("three/patients.csv", "a,,Annie,60.5,111,112")
    try own.write("three/visits.csv", "1,a,2025-01-01", "2,b,2025-01-02")
    try own.load("clinic", "three").failed(4, saying: "others hold rows")
    try reader.execute("COMMIT")
    #expect(try PublishedContent.leftovers(in: own.database) == [])
    try own.load("clinic", "three").succeeded()
    #expect(try own.rows("SELECT name, note FROM app.patient WHERE id = 'a'") == ["Annie|mine"])
  }

  @Test(
    "is refused where a policy hides rows, where another pipeline merges, and where it would be kept or named"
  )
  func misuse() throws {
    for (words, reason) in [(["--no-publish"], "--no-publish"), (["--release", "x"], "--release")] {
      try own.load("clinic", "one", options: words).failed(2, saying: reason)
    }
    for name in MergedDataset.files.keys where name.hasPrefix("Pipelines/clinic/") {
      try own.scratch.write(
        name.replacing("clinic", with: "other"),
        MergedDataset.files[name]?.replacing("pipeline: clinic", with: "pipeline: other") ?? "")
    }
    try own.load("other", "one").failed(2, saying: "is merged by the pipeline clinic")
    let connection = try own.database.connect()
    try connection.execute(
      """
      ALTER TABLE app.patient ENABLE ROW LEVEL SECURITY;
      ALTER TABLE app.patient FORCE ROW LEVEL SECURITY;
      DO $$ BEGIN
        EXECUTE format('CREATE ROLE loader_%s LOGIN', current_database());
        EXECUTE format('GRANT ALL ON SCHEMA app, rivulet TO loader_%s', current_database());
        EXECUTE format('GRANT ALL ON ALL TABLES IN SCHEMA app, rivulet TO loader_%s', current_database());
      END $$
      """)
    let url =
      own.database.url + (own.database.url.contains("?") ? "&" : "?") + "user=loader_\(own.database.name)"
    try Program(database: url).run(own.command("clinic", ["one"]) + ["--force"]).failed(
      1, saying: "BYPASSRLS")
  }
}
