import Foundation
import PostgreSQL
import TestSupport
import Testing

@Suite("Changes of a period")
struct PeriodTests {
  private let own: MergedDataset

  init() throws {
    own = try MergedDataset(with: Self.loaded.get().database)
    try own.writePeople()
  }

  /// One that holds the first release, loaded once.
  private static let loaded = Result {
    let own = try MergedDataset()
    try own.loadPeople()
    return own
  }

  /// Ann has another name and a skill less, Bob is gone, Eve is new; what Ann's places are is said again.
  private func writeFirst() throws {
    try own.write(
      "first/people_20250602-20250608.csv", "a,Anna,,sings,,", "b,,2025-06-03,,,", "c,Cid,,,,",
      "e,Eve,,runs,,")
    try own.write("first/places_20250602-20250608.csv", "a,2,Bath", "a,3,Axe", "e,1,Ely")
  }

  private func people(_ release: String = "2025-06-01") throws -> [String] {
    try own.rows(
      """
      SELECT p.id, p.name, p.gone_on, (SELECT string_agg(s.slot || s.skill, ',' ORDER BY s.slot) FROM dir.skill s
          WHERE (s.release, s.id) = (p.release, p.id)),
        (SELECT string_agg(l.place || l.town, ',' ORDER BY l.place) FROM dir.place l
          WHERE (l.release, l.id) = (p.release, p.id))
      FROM dir.person p WHERE release = '\(release)' ORDER BY 1
      """)
  }

  @Test("are merged into the published release, whole record by whole record, and make derived views exact")
  func merged() throws {
    #expect(
      try people() == [
        "a|Ann|-|1sings,2swims|1Ayr,2Bath", "b|Bob|-|1rows|1Cork", "c|Cid|-|-|1Deal",
        "d|-|2025-01-02|-|-", "z|-|2020-01-01|-|-",
      ])
    try own.scratch.write(
      "Pipelines/people/views/dir.skills.sql",
      OwnProject.view(
        by: "skill", of: "dir.skill",
        "SELECT skill, count(*) AS people FROM {keys} k JOIN dir.skill s USING (skill) GROUP BY 1"))
    try own.command("migrate", "up").succeeded()
    try own.command("refresh").succeeded()
    try own.database.connect().execute(
      "CREATE TABLE before AS SELECT tableoid AS part, ctid AS place FROM dir.person WHERE id = 'c'")
    try writeFirst()
    let run = try own.load("people", "first", options: ["--format", "json", "--allow-missing"]).succeeded()
    #expect(
      try run.at("state", "release", "revision", "merges/0/period_to", "views/0/strategy")
        == "merged 2025-06-01 1 2025-06-08 incremental")
    #expect(try own.rows("SELECT skill, people FROM dir.skills ORDER BY 1") == ["runs|1", "sings|1"])
    #expect(
      try people() == [
        "a|Anna|-|1sings|2Bath,3Axe", "b|-|2025-06-03|-|1Cork", "c|Cid|-|-|1Deal",
        "d|-|2025-01-02|-|-", "e|Eve|-|1runs|1Ely", "z|-|2020-01-01|-|-",
      ])
    #expect(try own.counts() == ["dir.person +1 ~2 -0 =1", "dir.place +2 ~0 -1 =1", "dir.skill +1 ~0 -2 =1"])
    #expect(
      try own.rows("SELECT count(*) FROM dir.person p JOIN before b ON (p.tableoid, p.ctid) = (part, place)")
        == ["1"])
    #expect(
      try own.rows(
        """
        SELECT t.target, t.rows - (xpath('/row/c/text()', query_to_xml('SELECT count(*) AS c FROM ' || partition,
          false, true, '')))[1]::text::int FROM rivulet.release_table t ORDER BY 1
        """) == ["dir.gone|0", "dir.person|0", "dir.place|0", "dir.skill|0"])
    // What was is kept, with its days, and a record that is gone blanks nothing of it.
    try own.write("people_20250609-20250615.csv", "a,Annie,,,,", "b,Bob,,rows,,")
    try own.load("people", "people_20250609-20250615.csv").succeeded()
    #expect(
      try own.rows("SELECT id, name, gone_on, valid_from, valid_to FROM dir.person_history ORDER BY 1, 4")
        == [
          "a|Ann|-|2025-06-01|2025-06-02", "a|Anna|-|2025-06-02|2025-06-09",
          "b|Bob|-|2025-06-01|2025-06-02", "b|-|2025-06-03|2025-06-02|2025-06-09",
        ])
    #expect(
      try own.rows("SELECT id, skill, valid_from, valid_to FROM dir.skill_history ORDER BY 1, 2") == [
        "a|sings|2025-06-01|2025-06-09", "a|swims|2025-06-01|2025-06-02",
        "b|rows|2025-06-01|2025-06-02",
      ])
  }

  @Test("take from those whom another file names the rows that their own file lacks")
  func namedElsewhere() throws {
    let path = "Pipelines/people/pipeline.yaml"
    let text = try String(contentsOfFile: own.scratch.path + "/" + path, encoding: .utf8)
    try own.scratch.write(
      path, text.replacing("replaces: [id]", with: "replaces: {columns: [id], named_in: [people]}"))
    try writeFirst()
    try own.write("second/people_20250609-20250615.csv", "a,Ann,,,,")
    // Cid and Bob are named in the week, and have no places in it; Dee is not.
    try own.load("people", "first", options: ["--allow-missing"]).succeeded()
    let places = "SELECT id, place, town FROM dir.place WHERE release = '2025-06-01' ORDER BY 1, 2"
    #expect(try own.rows(places) == ["a|2|Bath", "a|3|Axe", "e|1|Ely"])
    // Of a week without such a file nobody knows what is in it.
    try own.load("people", "second", options: ["--allow-missing"]).succeeded()
    #expect(try own.rows(places) == ["a|2|Bath", "a|3|Axe", "e|1|Ely"])
    for (wrong, expected) in [("peple", "unknown source 'peple'"), ("gone", "")] {
      try own.scratch.write(
        path, text.replacing("replaces: [id]", with: "replaces: {columns: [id], named_in: [\(wrong)]}"))
      let check = try own.command("pipelines", "check", "people")
      #expect(expected.isEmpty ? check.status == 0 : check.errors.contains(expected), "\(check.errors)")
    }
  }

  @Test("are merged in their order, each once, and never with a gap unless that is allowed")
  func sequence() throws {
    for (week, name) in [
      ("20250602-20250608", "A1"), ("20250609-20250615", "A2"), ("20250630-20250706", "A5"),
    ] {
      try own.write("people_\(week).csv", "a,\(name),,,,")
    }
    try own.load("people", "people_20250609-20250615.csv").failed(
      3, saying: "load the changes from 2025-06-02 to 2025-06-08 first")
    try own.load("people", "people_20250609-20250615.csv", "people_20250602-20250608.csv").succeeded()
    #expect(try people().first == "a|A2|-|-|1Ayr,2Bath")
    try own.load("people", "people_20250602-20250608.csv").succeeded(showing: "is unchanged")
    // Other content of the last days takes its place where that is asked for.
    try own.write("people_20250609-20250615.csv", "a,A4,,,,")
    try own.load("people", "people_20250609-20250615.csv").failed(3)
    try own.load("people", "people_20250609-20250615.csv", options: ["--force"]).succeeded()
    try own.load("people", "people_20250630-20250706.csv", options: ["--allow-gap"]).succeeded()
    #expect(try people().first == "a|A5|-|-|1Ayr,2Bath")
    let shown = try own.command("releases", "list", "people", "--format", "json")
    #expect(try shown.at("releases/0/merged_to", "releases/0/merges") == "2025-07-06 4")
  }

  @Test("begin again with a new release, and stay with theirs when that is rolled back")
  func releases() throws {
    try own.write("people_20250602-20250608.csv", "a,A1,,,,")
    try own.load("people", "people_20250602-20250608.csv").succeeded()
    try own.load("people", "full20250601").succeeded(showing: "is unchanged")
    try own.loadPeople("20250608")
    #expect(try people("2025-06-08").first == "a|Ann|-|1sings,2swims|1Ayr,2Bath")
    try own.write("people_20250609-20250615.csv", "a,A2,,,,")
    try own.load("people", "people_20250609-20250615.csv").succeeded()
    #expect(try people("2025-06-08").first == "a|A2|-|-|1Ayr,2Bath")
    #expect(try people("2025-06-01").first == "a|A1|-|-|1Ayr,2Bath")
    let diff = try own.command("releases", "diff", "people", "2025-06-01", "2025-06-08", "--format", "json")
    #expect(try diff.at("changed") == "1")
    try own.command("releases", "rollback", "people").succeeded(showing: "merged")
    try own.load("people", "people_20250609-20250615.csv").succeeded()
    #expect(try people("2025-06-01").first == "a|A2|-|-|1Ayr,2Bath")
    try own.command("releases", "publish", "people", "2025-06-08").succeeded()
    #expect(try people("2025-06-08").first == "a|A2|-|-|1Ayr,2Bath")
    try own.command("releases", "drop", "people", "2025-06-01").succeeded()
    try own.load("people", "people_20250602-20250608.csv").failed(3)
    try own.command("releases", "rollback", "people").succeeded()
    try own.load("people", "people_20250609-20250615.csv").failed(
      3, saying: "no release of people is current")
  }

  @Test("of a list as of a day do to other tables what its statements say")
  func asOf() throws {
    try own.write("gone_asof_20250605.csv", "a,2025-05-30", "d,2025-01-02", "y,2024-01-01")
    try own.load("people", "gone_asof_20250605.csv").succeeded()
    #expect(
      try own.counts() == [
        "dir.gone +3 ~0 -0 =0", "dir.person +1 ~1 -0 =1", "dir.skill +0 ~0 -2 =0",
      ])
    #expect(
      try people() == [
        "a|-|2025-05-30|-|1Ayr,2Bath", "b|Bob|-|1rows|1Cork", "c|Cid|-|-|1Deal",
        "d|-|2025-01-02|-|-", "y|-|2024-01-01|-|-", "z|-|2020-01-01|-|-",
      ])
    #expect(try own.rows("SELECT id, name, valid_to FROM dir.person_history") == ["a|Ann|2025-06-05"])
    try own.load("people", "gone_asof_20250605.csv").succeeded(showing: "is unchanged")
    // Changes of the days before would undo it, and are merged with it again where that is asked for.
    try own.write("people_20250602-20250604.csv", "a,A2,,,,")
    try own.load("people", "people_20250602-20250604.csv").failed(
      3, saying: "has a list of 2025-06-05, which they would undo")
    for name in ["people_20250602-20250604.csv", "gone_asof_20250605.csv"] {
      try own.load("people", name, options: ["--force"]).succeeded()
    }
    #expect(try people().first?.hasPrefix("a|-|2025-05-30") == true)
    // A release that is loaded again would be without them.
    try own.write(
      "full20250601/people_full_20250601.csv", "a,Other,,,,", "b,Bob,,,,", "c,Cid,,,,", "d,Dan,,,,")
    try own.load("people", "full20250601").failed(
      3, saying: "holds changes until 2025-06-05 that were merged into it")
    try own.load("people", "full20250601", options: ["--force"]).succeeded()
    #expect(try people().first == "a|Other|-|-|1Ayr,2Bath")
  }

  @Test("ask the tables' keys where they are few, and read no table that is large")
  func plans() throws {
    let connection = try own.database.connect()
    try connection.execute(
      """
      INSERT INTO dir.person SELECT '2025-06-01', 'n' || n, 'Nat', NULL, 1, n FROM generate_series(1, 20000) n;
      INSERT INTO dir.skill SELECT '2025-06-01', 'n' || n, 1, 'nods', 1, n FROM generate_series(1, 20000) n;
      UPDATE rivulet.release_table SET rows = rows + 20000 WHERE target IN ('dir.person', 'dir.skill');
      """)
    try connection.execute("SELECT pg_stat_reset()")
    try own.write(
      "people_20250602-20250608.csv", ["a,A1,,,,"][0],
      (1...100).map { "n\($0 * 7),Nell,,,," }.joined(separator: "\n"))
    try own.load("people", "people_20250602-20250608.csv").succeeded()
    #expect(try own.counts() == ["dir.person +0 ~101 -0 =0", "dir.skill +0 ~0 -102 =0"])
    // A session writes down what it has read as it ends.
    try Notes.awaitSilence(in: own.database, but: connection.backendID)
    try connection.execute("SELECT pg_stat_clear_snapshot()")
    let read = try own.rows(
      """
      SELECT sum(seq_tup_read) < 5000, sum(idx_tup_fetch) < 5000 FROM pg_stat_user_tables
      WHERE relid IN (SELECT to_regclass(partition) FROM rivulet.release_table WHERE target IN ('dir.person', 'dir.skill'))
      """)
    #expect(read == ["t|t"])
  }
}
