import Foundation
import TestSupport
import Testing

/// A dataset that is not Rivulet's own, with what its own files have seldom: records that others continue,
/// child tables with rules of their own, corrections in files that take each other's place.
struct OwnDataset: Workplace {
  static let pipeline = """
    pipeline: items
    release:
      from:
        - {in: archive-name, pattern: 'items(\\d{2})([a-d])', name: '20$1$2'}
        - {in: entry-name, source: items, pattern: '_(\\d{2})([a-d])_', name: '20$1$2'}
        - {in: entry-name, source: fixes, pattern: '_(\\d{2})([a-d])_', name: '20$1$2'}
      effective: [{pattern: '(\\d{4})[A-D]', from: '$1-01-01'}]
    sources:
      - {name: items, entries: 'ITEM*', formats: [csv, txt], layouts: items, target: own.item, key: [code]}
      - name: fixes
        entries: 'FIX*'
        latest: 'FIX(\\d+)'
        formats: [csv]
        layouts: fixes
        target: own.fix
        key: [row]
        amends: fixes
    lists: own.meaning
    publish: release
    """

  static let files = [
    "rivulet.yaml": "project: own\ntime_zone: UTC\n",
    "Pipelines/items/pipeline.yaml": pipeline,
    "Pipelines/items/layouts/items.yaml": """
    layout: items
    versions:
      - version: '2020'
        txt: {length: 30-41}
        continuation: {rule: more, column: kind, one_of: ['4'], joins: [words]}
        columns:
          - {name: code, csv: CODE, at: 1-4, type: text, required: true}
          - {name: kind, csv: KIND, at: 5-5, type: code, internal: true}
          - {name: words, csv: WORDS, at: 6-20, type: line}
        children:
          - target: own.price
            repeat: 2
            columns:
              - {name: price, csv: 'PRICE{slot}', at: 21-30, step: 10, type: 'decimal(8,2)', required: true}
          - target: own.mark
            repeat: 1
            columns:
              - {name: mark, csv: 'MARK{slot}', at: 41-41, step: 1, type: text, required: true}
    """,
    "Pipelines/items/layouts/fixes.yaml": OwnProject.layout(
      "fixes", "name: row, from: record-number", "name: code, csv: CODE, type: text, required: true",
      "name: words, csv: WORDS, type: text"),
    "Pipelines/items/amendments/fixes.sql": """
    INSERT INTO {own.item} AS i (release, code, words, source_file_id, source_line)
    SELECT release, code, words, source_file_id, source_line FROM {own.fix}
    ON CONFLICT (release, code) DO UPDATE SET words = excluded.words;
    """,
    "Migrations/0001_own.sql": OwnProject.migration(
      "own",
      making: OwnProject.table("own.item", "code text, words text", key: "code")
        + OwnProject.table(
          "own.price", "code text, slot smallint, price numeric(8,2) NOT NULL CHECK (price < 1000)",
          key: "code, slot")
        + OwnProject.table(
          "own.mark", "code text, slot smallint, mark text NOT NULL", key: "code, slot",
          more: ", UNIQUE (release, mark)")
        + OwnProject.table("own.fix", "row integer, code text NOT NULL, words text", key: "row")
        + "CREATE TABLE own.meaning (list text, code text, meaning text, PRIMARY KEY (list, code));"),
  ]

  /// The folder of the project, in which the sources lie too.
  let scratch: Scratch
  let database: TestDatabase
  let program: Program

  /// The project with its tables and nothing in them.
  ///
  /// `isSensitive`: the code, which is the key, and the mark are not to be shown; the mark has a code list.
  init(isSensitive: Bool = false) throws {
    let sensitive = Self.files.mapValues {
      $0.replacing("type: text, required: true}", with: "type: text, required: true, sensitive: true}")
        .replacing("csv: 'MARK{slot}',", with: "csv: 'MARK{slot}', list: marks,")
    }.merging(["Data/lists/marks.yaml": "list: marks\ntitle: marks\ncodes:\n  m: known\n"]) { $1 }
    let own = try OwnProject(isSensitive ? sensitive : Self.files, on: Self.migrated.get())
    (scratch, database, program) = (own.scratch, own.database, own.program)
  }

  /// The same in a database that is empty, of any server.
  init(in database: TestDatabase) throws {
    scratch = try Scratch()
    for (name, text) in Self.files { try scratch.write(name, text) }
    self.database = database
    program = Program(database: database.url)
    try command("migrate", "up").succeeded()
  }

  /// A database with the tables, to be copied.
  private static let migrated = Result { try Loaded.database(of: files) }

  static let header = "CODE,KIND,WORDS,PRICE1,PRICE2,MARK1\n"

  /// Writes a folder of files, the header above the records of an ITEM.csv.
  func write(_ folder: String, _ files: [String: String]) throws {
    for (name, text) in files {
      let header =
        name.hasPrefix("ITEM") && name.hasSuffix("csv")
        ? Self.header : name.hasPrefix("FIX") ? "CODE,WORDS\n" : ""
      try scratch.write("\(folder)/\(name)", header + text + "\n")
    }
  }

  /// Changes a text of the items' layout.
  func changeLayout(_ text: String, to other: String) throws {
    try edit("Pipelines/items/layouts/items.yaml", text, to: other)
  }

  /// Loads folders.
  func run(_ folders: String..., options: [String] = []) throws -> Program.Outcome {
    try program.run(["run", "items"] + folders.map(path) + options + project)
  }

  /// Starts to load a folder.
  func start(_ folder: String, _ options: String...) throws -> Program.Started {
    try program.start(["run", "items", path(folder)] + options + project)
  }

  /// The tables of the schema that are no release's.
  func leftovers() throws -> String? {
    try value(
      """
      SELECT count(*) FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'own'::regnamespace
        AND c.relname <> 'meaning'
        AND NOT EXISTS (SELECT FROM rivulet.release_table t WHERE to_regclass(t.partition) = c.oid)
      """)
  }
}
