import Host

/// A project with one pipeline, whose only table has a dozen typed columns.
struct BenchProject {
  private let folder: String

  /// Writes the project into the scratch folder.
  init(in workbench: Workbench, named name: String = "project") throws {
    folder = try workbench.makeFolder(name)
    for path in ["Pipelines/bench/layouts", "Migrations"] {
      try Files.makeDirectory(Path.join(folder, path))
    }
    let files = [
      "rivulet.yaml": "project: bench\ntime_zone: UTC\n",
      "Pipelines/bench/pipeline.yaml": Self.pipeline,
      "Pipelines/bench/layouts/items.yaml": Self.layout,
      "Migrations/0001_bench.sql": Self.migration,
    ]
    for (name, text) in files { try Files.write(text, to: Path.join(folder, name)) }
  }

  /// Adds a view to the pipeline.
  func add(_ view: BenchView) throws { try view.write(to: Path.join(folder, "Pipelines/bench")) }

  private static let pipeline = """
    pipeline: bench
    release:
      from: [{in: archive-name, pattern: '(clean|broken)', name: '$1'}]
      effective: [{pattern: '.*', from: '2025-01-01'}]
    sources:
      - {name: items, entries: 'ITEM*', formats: [csv], layouts: items, target: bench.item, key: [code]}
    publish: release

    """

  private static let layout = """
    layout: items
    versions:
      - version: '2025'
        columns:
          - {name: code, csv: CODE, type: text, required: true}
          - {name: title, csv: TITLE, type: line}
          - {name: zip, csv: ZIP, type: digits(5)}
          - {name: units, csv: UNITS, type: integer, required: true}
          - {name: begins, csv: BEGINS, type: date, required: true}
          - {name: ends, csv: ENDS, type: date}
          - {name: work, csv: WORK, type: 'decimal(8,2)', required: true}
          - {name: practice, csv: PRACTICE, type: 'decimal(8,2)', required: true}
          - {name: malpractice, csv: MALPRACTICE, type: 'decimal(8,2)', required: true}
          - {name: total, csv: TOTAL, type: 'decimal(8,2)', required: true}
          - {name: factor, csv: FACTOR, type: 'decimal(8,4)', required: true}
          - {name: price, csv: PRICE, type: 'decimal(8,2)', required: true, range: [0, 999]}

    """

  private static let migration = """
    -- rivulet:up
    CREATE SCHEMA bench;
    CREATE TABLE bench.item (release text, code text, title text, zip text, units integer NOT NULL,
      begins date NOT NULL, ends date, work numeric(8,2) NOT NULL, practice numeric(8,2) NOT NULL,
      malpractice numeric(8,2) NOT NULL, total numeric(8,2) NOT NULL, factor numeric(8,4) NOT NULL,
      price numeric(8,2) NOT NULL CHECK (price >= 0), source_file_id bigint NOT NULL, source_line bigint NOT NULL,
      PRIMARY KEY (release, code)) PARTITION BY LIST (release);
    -- rivulet:down
    DROP SCHEMA bench CASCADE;

    """

  /// Writes a source and gives its path; one record of each `interval` has a value that is none of its
  /// column's type.
  func writeSource(_ name: String, records: Int, refusing interval: Int?) throws -> String {
    let source = Path.join(folder, name)
    try Files.makeDirectory(source)
    // Piece by piece: what this program once had in memory counts as that of the programs it starts.
    let file = try ByteFile(Path.join(source, "ITEM.csv"))
    try file.write(Array(Self.header.utf8)[...])
    for start in stride(from: 0, to: records, by: 1000) {
      let lines = (start..<min(start + 1000, records)).map { Self.record($0, refusing: interval) }
      try file.write(Array(lines.joined().utf8)[...])
    }
    return source
  }

  private static let header =
    "CODE,TITLE,ZIP,UNITS,BEGINS,ENDS,WORK,PRACTICE,MALPRACTICE,TOTAL,FACTOR,PRICE\n"

  private static func record(_ number: Int, refusing interval: Int?) -> String {
    let isBroken = interval.map { number % $0 == 0 } ?? false
    // The last value and one in the middle, in turns.
    let isLast = isBroken && (interval.map { number / $0 } ?? 0).isMultiple(of: 2)
    let units = isBroken && !isLast ? "many" : "\(number % 90)"
    let price = isLast ? "n/a" : "\(number % 900).50"
    return
      "c\(number),The title of a record \(number % 977),0\(1000 + number % 8999),\(units),2025-01-01,2025-12-31,"
      + "\(number % 40).25,\(number % 60).75,\(number % 9).05,\(number % 109).05,32.\(1000 + number % 8999),\(price)\n"
  }

  /// Runs the program that is measured, in this project.
  func rivulet(_ arguments: [String], on database: String, _ workbench: Workbench) throws -> ProgramRun {
    try workbench.rivulet(arguments, on: database, in: folder)
  }
}
