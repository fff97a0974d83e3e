import Foundation
import TestSupport
import Testing

/// `releases diff` on a dataset that is not Rivulet's own, with what the physician fee schedule does not
/// have.
@Suite("The difference of two releases of another dataset")
struct OwnDatasetDiffTests {
  private static let pipeline = """
    pipeline: fees
    release:
      from:
        - {in: archive-name, pattern: 'fees(\\d{2})([a-d])', name: '20$1$2'}
      effective:
        - {pattern: '(\\d{4})A', from: '$1-01-01', to: '$1-06-30'}
        - {pattern: '(\\d{4})B', from: '$1-07-01'}
    sources:
      - {name: rates, entries: 'RATE*', formats: [csv], layouts: rates, target: own.rate, key: [class, code]}
      - {name: owners, entries: 'OWNER*', formats: [csv], layouts: owners, target: own.owner, key: [person]}
      - {name: notes, entries: 'NOTE*', formats: [csv], layouts: notes, target: own.note, key: [row]}
    publish: release
    diff:
      stands_for_all: {class: all}
    """

  private static let layouts = [
    "rates": """
    layout: rates
    versions:
      - version: '2020'
        columns:
          - {name: class, csv: CLASS, type: text, required: true}
          - {name: code, csv: CODE, type: text, required: true}
          - {name: shown, csv: SHOWN, type: text}
          - {name: payee, csv: PAYEE, type: text, sensitive: true}
    """,
    "owners": """
    layout: owners
    versions:
      - version: '2020'
        columns:
          - {name: person, csv: PERSON, type: text, required: true, sensitive: true}
          - {name: balance, csv: BALANCE, type: 'decimal(8,2)'}
    """,
    "notes": """
    layout: notes
    versions:
      - version: '2020'
        columns:
          - {name: row, from: record-number}
          - {name: kind, csv: KIND, type: text}
          - {name: words, csv: WORDS, type: text}
    """,
  ]

  private static let migration = """
    -- rivulet:up
    CREATE SCHEMA own;
    CREATE TABLE own.rate (release text, class text, code text, shown text, payee text,
      source_file_id bigint NOT NULL, source_line bigint NOT NULL,
      PRIMARY KEY (release, class, code)) PARTITION BY LIST (release);
    CREATE TABLE own.owner (release text, person text, balance numeric(8,2),
      source_file_id bigint NOT NULL, source_line bigint NOT NULL,
      PRIMARY KEY (release, person)) PARTITION BY LIST (release);
    CREATE TABLE own.note (release text, "row" integer, kind text, words text,
      source_file_id bigint NOT NULL, source_line bigint NOT NULL,
      PRIMARY KEY (release, "row")) PARTITION BY LIST (release);
    -- rivulet:down
    DROP SCHEMA own CASCADE;
    """

  /// The comparison of two releases, each of its three files, as JSON and as text.
  private func compare(_ first: [String: String], _ second: [String: String]) throws -> (
    Program.Outcome, text: String
  ) {
    let scratch = try Scratch()
    try scratch.write("rivulet.yaml", "project: own\ntime_zone: UTC\n")
    try scratch.write("Migrations/0001_own.sql", Self.migration)
    try scratch.write("Pipelines/fees/pipeline.yaml", Self.pipeline)
    for (name, layout) in Self.layouts { try scratch.write("Pipelines/fees/layouts/\(name).yaml", layout) }
    let headers = ["RATE": "CLASS,CODE,SHOWN,PAYEE", "OWNER": "PERSON,BALANCE", "NOTE": "KIND,WORDS"]
    let rows = ["RATE": "all,1,,x", "OWNER": "nobody,0", "NOTE": "a,b"]
    for (folder, files) in [("fees25a", first), ("fees25b", second)] {
      for (name, header) in headers {
        try scratch.write("\(folder)/\(name).csv", "\(header)\n\(files[name] ?? rows[name] ?? "")\n")
      }
    }
    let program = Program(database: try TestServer.shared.makeDatabase().url)
    let project = ["--project", scratch.path]
    try program.run(["migrate", "up"] + project).succeeded()
    try program.run(
      ["run", "fees", scratch.path + "/fees25a", scratch.path + "/fees25b"] + project
    ).succeeded()
    let command = ["releases", "diff", "fees", "2025A", "2025B", "--rows"] + project
    let text = try program.run(command).succeeded()
    return (try program.run(command + ["--format", "json"]), text.output + text.errors)
  }

  @Test(
    "counts by content what only its place tells apart, keeps a line a row, and withholds sensitive values")
  func content() throws {
    let (outcome, text) = try compare(
      [
        "RATE":
          "all,1,old,Oldsecret\nall,2,,Keptsecret\nall,3,,Gonesecret\nall,it's,,x\nall,4,\"two\nlines\",x",
        "OWNER": "Asecret,1.50\nBsecret,2.00", "NOTE": "a,same\nb,twice\nb,twice\nc,\nd,gone",
      ],
      [
        "RATE": "all,1,new,Newsecret\nall,2,,Keptsecret\nall,it's,-,x\nall,4,one,x",
        "OWNER": "Asecret,1.75\nCsecret,2.00", "NOTE": "n,new\na,same\nb,twice\nc,\nn,new",
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!(outcome.output + outcome.errors + text).contains("secret"))
    let diff = try outcome.object()
    #expect(diff["columns"] as? [String: Int] == ["shown": 3, "payee": 1])
    let tables = try #require(diff["tables"] as? [String: [String: Any]])
    #expect(["added", "removed", "changed"].map { tables["own.note"]?[$0] as? Int } == [2, 2, 0])
    let rows = try #require(diff["rows"] as? [[String: Any]])
    let withheld = rows.filter { ($0["withheld"] as? [String])?.isEmpty == false }
    #expect(
      withheld.map { row in
        ["table", "change"].map { row[$0] as? String ?? "" } + (row["withheld"] as? [String] ?? [])
      } == [
        ["own.rate", "changed", "payee"], ["own.rate", "removed", "payee"],
        ["own.owner", "changed", "person"], ["own.owner", "removed", "person"],
        ["own.owner", "added", "person"],
      ])
    let payee = (rows[0]["columns"] as? [String: [String: Any]])?["payee"]
    #expect(payee?["from"] is NSNull && payee?["to"] is NSNull)
    #expect((withheld[2]["key"] as? [String: Any])?["person"] is NSNull)
    let lines = text.split(separator: "\n")
    for line in [
      "own.rate  all 1  changed  shown: old -> new, payee: (withheld)",
      "own.owner  (withheld)  changed  balance: 1.50 -> 1.75",
      // A blank is apart from none.
      "own.rate  all it's  changed  shown: - -> '-'",
      "own.rate  all 4  changed  shown: 'two lines' -> one",
      "own.note  b twice  removed", "own.note  d gone  removed",
    ] { #expect(lines.contains { $0 == line }, "\(line): \(text)") }
    #expect(lines.count { $0 == "own.note  n new  added" } == 2)
  }

  @Test("holds a value that stands for all against each value of the other release, either way round")
  func standsForAll() throws {
    let whole = "all,1,a,x\nall,2,b,x"
    let parts = "low,1,a,x\nlow,2,b,x\nhigh,1,A,x"
    for (first, second, added, removed) in [(whole, parts, 0, 1), (parts, whole, 1, 0)] {
      let (outcome, text) = try compare(["RATE": first], ["RATE": second])
      let diff = try outcome.object()
      #expect(["added", "removed", "changed"].map { diff[$0] as? Int } == [added, removed, 1], "\(text)")
      let keys = (diff["rows"] as? [[String: Any]] ?? []).compactMap { $0["key"] as? [String: String] }
      #expect(keys == [["class": "high", "code": "1"], ["class": "high", "code": "2"]])
    }
    // Where both have it, it is a value like any other.
    let (outcome, _) = try compare(["RATE": whole], ["RATE": whole + "\nlow,1,a,x"])
    let diff = try outcome.object()
    #expect(["added", "removed", "changed"].map { diff[$0] as? Int } == [1, 0, 0])
  }
}
