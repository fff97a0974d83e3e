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

  private static let files = [
    "rivulet.yaml": "project: own\ntime_zone: UTC\n", "Pipelines/fees/pipeline.yaml": pipeline,
    "Pipelines/fees/layouts/rates.yaml": OwnProject.layout(
      "rates", "name: class, csv: CLASS, type: text, required: true",
      "name: code, csv: CODE, type: text, required: true", "name: shown, csv: SHOWN, type: text",
      "name: payee, csv: PAYEE, type: text, sensitive: true"),
    "Pipelines/fees/layouts/owners.yaml": OwnProject.layout(
      "owners", "name: person, csv: PERSON, type: text, required: true, sensitive: true",
      "name: balance, csv: BALANCE, type: 'decimal(8,2)'"),
    "Pipelines/fees/layouts/notes.yaml": OwnProject.layout(
      "notes", "name: row, from: record-number", "name: kind, csv: KIND, type: text",
      "name: words, csv: WORDS, type: text"),
    "Migrations/0001_own.sql": OwnProject.migration(
      "own",
      making: OwnProject.table(
        "own.rate", "class text, code text, shown text, payee text", key: "class, code")
        + OwnProject.table("own.owner", "person text, balance numeric(8,2)", key: "person")
        + OwnProject.table("own.note", "\"row\" integer, kind text, words text", key: "\"row\"")),
  ]

  private static let migrated = Result { try Loaded.database(of: files) }

  /// The comparison of two releases, each of its three files, as JSON and as text.
  private func compare(_ first: [String: String], _ second: [String: String]) throws -> (
    Program.Outcome, text: String
  ) {
    let own = try OwnProject(Self.files, on: Self.migrated.get())
    let headers = ["RATE": "CLASS,CODE,SHOWN,PAYEE", "OWNER": "PERSON,BALANCE", "NOTE": "KIND,WORDS"]
    let rows = ["RATE": "all,1,,x", "OWNER": "nobody,0", "NOTE": "a,b"]
    for (folder, files) in [("fees25a", first), ("fees25b", second)] {
      for (name, header) in headers {
        try own.scratch.write("\(folder)/\(name).csv", "\(header)\n\(files[name] ?? rows[name] ?? "")\n")
      }
    }
    try own.load("fees", "fees25a", "fees25b").succeeded()
    func diff(_ options: String...) throws -> Program.Outcome {
      try own.command("releases", "diff", "fees", "2025A", "2025B", "--rows", options: options).succeeded()
    }
    let text = try diff()
    return (try diff("--format", "json"), text.output + text.errors)
  }

  @Test(
    "counts by content what only its place tells apart, keeps a line a row, and withholds sensitive values")
  func content() throws {
    let (diff, text) = try compare(
      [
        "RATE":
          "all,1,old,Oldsecret\nall,2,,Keptsecret\nall,3,,Gonesecret\nall,it's,,x\nall,4,\"two\nlines\",x",
        "OWNER": "Asecret,1.50\nBsecret,2.00", "NOTE": "a,same\nb,twice\nb,twice\nc,\nd,gone",
      ],
      [
        "RATE": "all,1,new,Newsecret\nall,2,,Keptsecret\nall,it's,-,x\nall,4,one,x",
        "OWNER": "Asecret,1.75\nCsecret,2.00", "NOTE": "n,new\na,same\nb,twice\nc,\nn,new",
      ])
    diff.withholding("secret")
    #expect(!text.contains("secret"))
    #expect(try diff.at("columns") == #"{"payee":1,"shown":3}"#)
    let note = "tables/own.note/"
    #expect(try diff.at(note + "added", note + "removed", note + "changed") == "2 2 0")
    let rows = try #require(diff.object()["rows"] as? [[String: Any]])
    let withheld = rows.filter { ($0["withheld"] as? [String])?.isEmpty == false }
    #expect(
      withheld.map { row in
        ["table", "change"].map { row[$0] as? String ?? "" } + (row["withheld"] as? [String] ?? [])
      } == [
        ["own.rate", "changed", "payee"], ["own.rate", "removed", "payee"],
        ["own.owner", "changed", "person"], ["own.owner", "removed", "person"],
        ["own.owner", "added", "person"],
      ])
    #expect(try diff.at("rows/0/columns/payee/from", "rows/0/columns/payee/to") == "null null")
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
    for (first, second, counts) in [
      (whole, parts, "0 1 1"), (parts, whole, "1 0 1"),
      // Where both have it, it is a value like any other.
      (whole, whole + "\nlow,1,a,x", "1 0 0"),
    ] {
      let (diff, text) = try compare(["RATE": first], ["RATE": second])
      #expect(try diff.at("added", "removed", "changed") == counts, "\(text)")
      if counts.hasSuffix("1") {
        #expect(try diff.at("rows/*/key/class", "rows/*/key/code") == "high high \"1\" \"2\"")
      }
    }
  }
}
