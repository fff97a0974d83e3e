import Foundation
import PostgreSQL
import TestSupport
import Testing

/// Two datasets that are merged: an application's exports into plain tables, and changes of periods into
/// releases.
struct MergedDataset: Workplace {
  static let files = [
    "rivulet.yaml": "project: merged\ntime_zone: UTC\n",
    "Pipelines/clinic/pipeline.yaml": """
    pipeline: clinic
    sources:
      - name: patients
        entries: 'patients*'
        formats: [csv]
        layouts: patients
        target: app.patient
        key: [id]
        deleted: {column: op, one_of: [D, X]}
        history: true
      - {name: visits, entries: 'visits*', formats: [csv], layouts: visits, target: app.visit, key: [visit], missing: delete,
         expect: {rows: {change: {by: 50%}}}}
    checks: []
    publish: merge
    """,
    "Pipelines/clinic/layouts/patients.yaml": OwnProject.layout(
      "patients", "name: id, csv: ID, type: text, required: true",
      "name: op, csv: OP, type: text, internal: true, optional: true",
      "name: name, csv: NAME, type: text, required: true", "name: weight, csv: WEIGHT, type: 'decimal(8,2)'",
      children: """
            children:
              - target: app.patient_phone
                repeat: 2
                columns: [{name: phone, csv: 'PHONE{slot}', type: text, required: true}]

        """),
    "Pipelines/clinic/layouts/visits.yaml": OwnProject.layout(
      "visits", "name: visit, csv: VISIT, type: integer, required: true",
      "name: patient, csv: PATIENT, type: text, required: true", "name: day, csv: DAY, type: date"),
    "Pipelines/people/pipeline.yaml": """
    pipeline: people
    release:
      from: [{in: entry-name, source: people, pattern: '_full_(\\d{4})(\\d{2})(\\d{2})', name: '$1-$2-$3'}]
      effective: [{pattern: '(\\d{4}-\\d{2}-\\d{2})', from: '$1'}]
    periods:
      - {in: entry-name, pattern: '_(\\d{4})(\\d{2})(\\d{2})-(\\d{4})(\\d{2})(\\d{2})', from: '$1-$2-$3', to: '$4-$5-$6'}
      - {in: entry-name, pattern: '_asof_(\\d{4})(\\d{2})(\\d{2})', on: '$1-$2-$3'}
    sources:
      - {name: people, entries: 'people*', formats: [csv], layouts: people, target: dir.person, key: [id], history: true,
         expect: {rows: {min: 2, change: 10%}}}
      - {name: places, entries: 'places*', formats: [csv], layouts: places, target: dir.place, key: [id, place],
         replaces: [id]}
      - {name: gone, entries: 'gone*', formats: [csv], layouts: gone, target: dir.gone, key: [id], amends: gone}
    publish: release
    """,
    "Pipelines/people/layouts/people.yaml": OwnProject.layout(
      "people", "name: id, csv: ID, type: text, required: true", "name: name, csv: NAME, type: text",
      "name: gone_on, csv: GONE, type: date",
      children: """
            children:
              - target: dir.skill
                repeat: 3
                columns: [{name: skill, csv: 'SKILL{slot}', type: text, required: true}]

        """),
    "Pipelines/people/layouts/places.yaml": OwnProject.layout(
      "places", "name: id, csv: ID, type: text, required: true",
      "name: place, csv: PLACE, type: integer, required: true", "name: town, csv: TOWN, type: text"),
    "Pipelines/people/layouts/gone.yaml": OwnProject.layout(
      "gone", "name: id, csv: ID, type: text, required: true",
      "name: gone_on, csv: GONE, type: date, required: true"),
    "Pipelines/people/amendments/gone.sql": """
    INSERT INTO {dir.person} (release, id, gone_on, source_file_id, source_line)
    SELECT release, id, gone_on, source_file_id, source_line FROM {dir.gone};
    """,
    "Migrations/0001_merged.sql": OwnProject.migration(
      "app", "dir",
      making: """
        CREATE TABLE app.patient (id text PRIMARY KEY, name text NOT NULL, weight numeric CHECK (weight < 500),
          note text NOT NULL DEFAULT 'none', nickname text UNIQUE, source_file_id bigint NOT NULL, source_line bigint NOT NULL);
        CREATE TABLE app.patient_phone (id text REFERENCES app.patient, slot smallint, phone text NOT NULL,
          source_file_id bigint NOT NULL, source_line bigint NOT NULL, PRIMARY KEY (id, slot));
        CREATE TABLE app.visit (visit integer PRIMARY KEY, patient text NOT NULL REFERENCES app.patient, day date,
          source_file_id bigint NOT NULL, source_line bigint NOT NULL);
        CREATE TABLE app.patient_history (LIKE app.patient, valid_from timestamptz, valid_to timestamptz NOT NULL);
        CREATE TABLE app.patient_phone_history (LIKE app.patient_phone, valid_from timestamptz, valid_to timestamptz NOT NULL);

        """ + OwnProject.table("dir.person", "id text, name text, gone_on date", key: "id")
          + OwnProject.table("dir.skill", "id text, slot smallint, skill text NOT NULL", key: "id, slot")
          + OwnProject.table("dir.place", "id text, place integer, town text", key: "id, place")
          + OwnProject.table("dir.gone", "id text, gone_on date", key: "id") + """
            CREATE TABLE dir.person_history (LIKE dir.person, valid_from date NOT NULL, valid_to date NOT NULL);
            CREATE TABLE dir.skill_history (LIKE dir.skill, valid_from date NOT NULL, valid_to date NOT NULL);
            """),
  ]

  private static let headers = [
    "patients": "ID,OP,NAME,WEIGHT,PHONE1,PHONE2", "visits": "VISIT,PATIENT,DAY",
    "people": "ID,NAME,GONE,SKILL1,SKILL2,SKILL3", "places": "ID,PLACE,TOWN", "gone": "ID,GONE",
  ]

  /// The folder of the project, in which the sources lie too.
  let scratch: Scratch
  let database: TestDatabase
  let program: Program

  /// The project with its tables and nothing in them; or with what a database holds that is copied.
  init(changing: [String: String] = [:], with other: TestDatabase? = nil) throws {
    let own = try OwnProject(Self.files.merging(changing) { $1 }, on: other ?? Self.migrated.get())
    (scratch, database, program) = (own.scratch, own.database, own.program)
  }

  /// A database with the tables, to be copied.
  private static let migrated = Result { try Loaded.database(of: files) }

  /// Writes a file below the header that its name asks for; gives its path.
  @discardableResult
  func write(_ name: String, _ rows: String...) throws -> String {
    let file = name.split(separator: "/").last ?? ""
    let header = Self.headers.first { file.hasPrefix($0.key) }?.value ?? ""
    return try scratch.write(name, ([header] + rows).joined(separator: "\n") + "\n")
  }

  /// Loads files or folders, by their names in the project.
  func run(_ pipeline: String, _ sources: String..., options: [String] = []) throws -> Program.Outcome {
    try program.run(command(pipeline, sources) + options)
  }

  func command(_ pipeline: String, _ sources: [String]) -> [String] {
    ["run", pipeline] + sources.map(path) + project
  }

  /// What a run has merged: `app.patient +1 ~2 -3 =4`.
  func counts(_ run: String = "(SELECT max(run) FROM rivulet.merge)") throws -> [String] {
    try database.rows(
      """
      SELECT target || ' +' || inserted || ' ~' || updated || ' -' || deleted || ' =' || unchanged
      FROM rivulet.merge WHERE run = \(run) ORDER BY target
      """)
  }

  /// The release's first files, with its places; gives their folder.
  @discardableResult
  func writePeople(_ day: String = "20250601") throws -> String {
    try write(
      "full\(day)/people_full_\(day).csv", "a,Ann,,sings,swims,", "b,Bob,,rows,,", "c,Cid,,,,",
      "d,,2025-01-02,,,")
    try write("full\(day)/places_full.csv", "a,1,Ayr", "a,2,Bath", "b,1,Cork", "c,1,Deal")
    try write("full\(day)/gone_none.csv", "z,2020-01-01")
    return "full\(day)"
  }

  func loadPeople(_ day: String = "20250601") throws { try load("people", writePeople(day)).succeeded() }
}
