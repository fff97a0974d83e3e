import Foundation
import TestSupport
import Testing

/// Hundreds of small entries, as pages of a service are, become the rows that one file of the same becomes.
@Suite("Many small entries")
struct ManyEntriesTests {
  private static let kinds = ["Practitioner", "Location", "Endpoint", "CareTeam"]

  /// Resources, each kind's in turn; the names of some are of characters that COPY escapes.
  private static func resource(_ number: Int) -> String {
    """
    {"resourceType":"\(kinds[number % 4])","id":"\(number)","name":\
    \(number % 4 == 0 ? "[{\"family\":\"A\\tb\(number)\",\"given\":[\"C\"]}]" : "\"n\(number)\""),\
    "photo":[{"contentType":"image/png"}]}
    """
  }

  private static func page(_ number: Int, of size: Int) -> String {
    let resources = (0..<size).map { resource(number * size + $0) }
    return
      "{\"resourceType\":\"Bundle\",\"entry\":[\(resources.map { "{\"resource\":\($0)}" }.joined(separator: ","))]}"
  }

  private func content(_ release: String, _ desk: Desk) throws -> [String] {
    try ["provider", "provider_name", "practice_location", "endpoint"].flatMap { table in
      try desk.rows(
        """
        SELECT '\(table)', (to_jsonb(t) - 'release' - 'source_file_id' - 'source_line')::text FROM directory.\(table) t
        WHERE release = '\(release)' ORDER BY 2
        """)
    }
  }

  @Test("give the rows of one file, each traced to its own entry, in a folder and in a zip")
  func sameAsOne() throws {
    let desk = try Desk()
    let (pages, size) = (40, 5)
    let lines = (0..<(pages * size)).map(Self.resource).joined(separator: "\n")
    try desk.scratch.write("one-2025-01-01/all.ndjson", lines)
    for number in 0..<pages {
      try desk.scratch.write("many-2025-01-01/page-\(100 + number).json", Self.page(number, of: size))
    }
    try Archive.zip(desk.path("many-2025-01-01"), to: desk.path("zip-2025-01-01.zip"))
    for source in ["one-2025-01-01", "many-2025-01-01", "zip-2025-01-01.zip"] {
      let run = try desk.load("fhir-directory", source, options: ["--allow-missing"]).succeeded()
      for found in [
        "'Practitioner.photo.contentType' (50)", "'Location.photo.contentType' (50)",
        "'Endpoint.photo.contentType' (50)",
      ] { #expect(run.errors.components(separatedBy: found).count == 2, "\(source): \(run.errors)") }
      #expect(run.errors.components(separatedBy: "CareTeam (50)").count == 2, "\(source): \(run.errors)")
    }
    let one = try content("one-2025-01-01", desk)
    #expect(one.count == 200 && one.contains { $0.contains("A\\tb4") })
    #expect(try content("many-2025-01-01", desk) == one)
    #expect(try content("zip-2025-01-01", desk) == one)
    // Each row is of the page, and the record in it, that it says.
    #expect(
      try desk.value(
        """
        SELECT count(*) FROM directory.provider p JOIN rivulet.source_file f USING (source_file_id)
        WHERE f.file || coalesce(f.entry, '') LIKE '%page-' || 100 + p.source_id::int / \(size) || '.json'
          AND p.source_line = 1 + p.source_id::int % \(size)
        """) == "100")
    #expect(
      try desk.value(
        """
        SELECT count(*) FROM rivulet.source_file WHERE records_read <> records_loaded + records_rejected + records_skipped
          OR source = 'practitioner' AND records_read <> \(size) AND NOT file LIKE '%all.ndjson'
        """) == "0")
  }
}
