import TestSupport
import Testing

/// Projects of many pipelines of one kind, `items1` and so on, each with a table of its own, and records for
/// them.
enum NumberedPipelines {
  /// How many records a release has.
  static let records = 300

  /// A project of so many pipelines, of which only the first have tables, whose rows a stored view counts.
  static func files(_ count: Int, tables: Int? = nil) -> [String: String] {
    let names = (1...count).map { "items\($0)" }
    let filled = names.prefix(tables ?? count)
    let counts = filled.map { "SELECT '\($0)' AS name, count(*) AS rows FROM many.\($0)" }
    let made = filled.map {
      OwnProject.table("many.\($0)", "code text, words text, price numeric(8,2) NOT NULL", key: "code")
    }
    let project = [
      "rivulet.yaml": "project: many\ntime_zone: UTC\n",
      "Pipelines/items1/views/many.totals.sql": OwnProject.view(
        by: "name", "SELECT name, rows FROM (\(counts.joined(separator: " UNION ALL "))) counted"),
      "Migrations/0001_many.sql": OwnProject.migration("many", making: made.joined()),
    ]
    return names.reduce(into: project) { files, name in
      files["Pipelines/\(name)/pipeline.yaml"] = pipeline(name)
      files["Pipelines/\(name)/layouts/items.yaml"] = OwnProject.layout(
        "items", "name: code, csv: CODE, type: text, required: true", "name: words, csv: WORDS, type: line",
        "name: price, csv: PRICE, type: 'decimal(8,2)', required: true")
    }
  }

  private static func pipeline(_ name: String) -> String {
    """
    pipeline: \(name)
    release:
      from: [{in: archive-name, pattern: 'R(\\d{4})(\\d{2})', name: '$1-$2'}]
      effective: [{pattern: '(\\d{4})-(\\d{2})', from: '$1-$2-01'}]
    sources:
      - {name: items, entries: 'ITEM*', formats: [csv], layouts: items, target: many.\(name), key: [code]}
    publish: release
    """
  }

  /// Writes a folder for each of some releases, `R202501`, no two of which are alike.
  static func write(_ releases: [String], in own: OwnProject) throws {
    for (place, release) in releases.enumerated() {
      let rows = (1...records).map { "C\($0),release \(release),\(place).\($0 % 90 + 10)\n" }
      try own.scratch.write("\(release)/ITEM.csv", "CODE,WORDS,PRICE\n" + rows.joined())
    }
  }

  /// No run is left open, no table, no lock; each of these releases is there once, and whole.
  static func expectExact(
    _ own: OwnProject, _ table: String, releases: [String], at place: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try PublishedContent.leftovers(in: own.database) == [], sourceLocation: place)
    let found = try own.rows(
      """
      SELECT release, count(*), count(DISTINCT words), min(words), sum(price)
      FROM many.\(table) WHERE release ~ '^[0-9]' GROUP BY release
      """)
    let expected = releases.enumerated().map { place, release in
      let name = release.dropFirst().prefix(4) + "-" + release.dropFirst(5)
      let cents = (1...records).reduce(0) { $0 + place * 100 + ($1 % 90 + 10) }
      let sum = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
      return "\(name)|\(records)|1|release \(release)|\(sum)"
    }
    #expect(found.sorted() == expected.sorted(), sourceLocation: place)
  }
}
