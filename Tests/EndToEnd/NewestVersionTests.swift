import TestSupport
import Testing

/// Of several versions of a record the newest is loaded, whichever entry has it.
@Suite("The newest version of a record")
struct NewestVersionTests {
  private static let files = [
    "rivulet.yaml": "project: own\ntime_zone: UTC\n",
    "Pipelines/places/pipeline.yaml": """
    pipeline: places
    release:
      from: [{in: archive-name, pattern: '^places(\\d{4})', name: '$1'}]
      effective: [{pattern: '(\\d{4})', from: '$1-01-01'}]
    sources:
      - {name: places, entries: '*', gather: true, formats: [ndjson, json, xml], layouts: places, target: own.place, key: [id], duplicates: {newest: changed}}
    rejects: {allow: 10}
    publish: release
    """,
    "Pipelines/places/layouts/places.yaml": """
    layout: places
    versions:
      - version: '1'
        records: entry.resource
        columns:
          - {name: id, json: id, type: text, required: true}
          - {name: changed, json: meta.lastUpdated, type: timestamp}
          - {name: name, json: name, type: text}
        children:
          - target: own.line
            each: line
            columns:
              - {name: line, json: ., type: text}
    """,
    "Migrations/0001_tables.sql": OwnProject.migration(
      "own",
      making: OwnProject.table("own.place", "id text, changed timestamptz, name text", key: "id")
        + OwnProject.table("own.line", "id text, slot int, line text", key: "id, slot")),
  ]

  private static let first = #"""
    {"id":"a","meta":{"lastUpdated":"2025-01-01T12:00:00.5Z"},"name":"half a second earlier","line":["x"]}
    {"id":"b","meta":{"lastUpdated":"2025-01-01T00:30:00+02:00"},"name":"in the year before"}
    {"id":"c","name":"without a moment"}
    {"id":"d","meta":{"lastUpdated":"2025-02-01T00:00:00Z"},"name":"twice","line":["1","2"]}
    {"id":"e","meta":{"lastUpdated":"2025-02-01T00:00:00Z"},"name":"one"}
    {"id":"f","name":"never said"}
    """#
  private static let second = [
    #"{"id":"a","meta":{"lastUpdated":"2025-01-01T06:00:01.000-06:00"},"name":"newest","line":["y","z"]}"#,
    #"{"id":"b","meta":{"lastUpdated":"2024-12-31T23:00:00Z"},"name":"newest"}"#,
    #"{"id":"c","meta":{"lastUpdated":"1999-01-01T00:00:00Z"},"name":"newest"}"#,
    #"{"id":"d","meta":{"lastUpdated":"2025-01-31T18:00:00-06:00"},"name":"twice","line":["1","2"]}"#,
    #"{"id":"e","meta":{"lastUpdated":"2025-02-01T00:00:00.000Z"},"name":"another"}"#,
    #"{"id":"f","name":"never said"}"#,
  ]

  private func load(_ name: String, _ text: String) throws {
    let own = try OwnProject(Self.files)
    try own.command("migrate", "up").succeeded()
    try own.scratch.write("places2025/1.ndjson", Self.first)
    try own.scratch.write("places2025/\(name)", text)
    let run = try own.load("places", "places2025").succeeded(showing: "older-versions-places 3")
    #expect(run.output.contains("copies-places 2"), "\(run.output)")
    #expect(
      try own.rows("SELECT id, name FROM own.place ORDER BY id") == [
        "a|newest", "b|newest", "c|newest", "d|twice", "e|one", "f|never said",
      ])
    #expect(
      try own.rows("SELECT id, line FROM own.line ORDER BY id, slot") == ["a|y", "a|z", "d|1", "d|2"])
    #expect(try own.rows("SELECT rule, line FROM rivulet.reject") == ["second-records-places|5"])
    #expect(
      try own.value(
        "SELECT count(*) FROM rivulet.source_file WHERE records_read <> records_loaded + records_rejected + records_skipped"
      ) == "0")
    try own.load("places", "places2025").succeeded(showing: "unchanged")
  }

  @Test("is loaded from lines of JSON")
  func lines() throws { try load("2.ndjson", Self.second.joined(separator: "\n")) }

  @Test("must be said by a column that has an order")
  func column() throws {
    for (wrong, message) in [
      ("{newest: name}", "'newest' names 'name', which is no stored timestamp, date or number"),
      ("{newest: changd}", "changed"), ("{latest: changed}", "unknown key 'latest'"),
    ] {
      let own = try OwnProject(Self.files)
      try own.edit("Pipelines/places/pipeline.yaml", "{newest: changed}", to: wrong)
      try own.command("pipelines", "check").failed(2, saying: message)
    }
  }
}
