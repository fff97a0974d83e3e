import Host

/// A project with one pipeline, whose only table has a dozen typed columns.
struct BenchProject {
  let folder: String
  private let workbench: Workbench

  /// Writes the project into the scratch folder.
  init(in workbench: Workbench, named name: String) throws {
    self.workbench = workbench
    folder = workbench.path(name)
    for path in ["Pipelines/bench/layouts", "Pipelines/bench/views", "Migrations"] {
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

  /// Runs the program that is measured, in this project.
  @discardableResult
  func rivulet(_ arguments: [String], on database: String = Workbench.own) throws -> ProgramRun {
    try workbench.rivulet(arguments, on: database, in: folder)
  }

  /// The same program, for a thread that runs it beside others.
  func rivuletBeside(_ arguments: [String]) -> Subprocess {
    workbench.rivuletBeside(arguments, in: folder)
  }
}
