import Records
import Values

/// How many records a file has.
struct RecordCount {
  let records: Int

  /// Reads the whole file, or of an archive the first entry: a workbook's first sheet and lines of JSON by
  /// their names, else delimited text.
  ///
  /// Without the digest, which a run takes of the same bytes.
  init(of file: String) throws {
    let entry = try Discovery.entries(of: file)[0]
    let name = entry.name.lowercased()
    if name.hasSuffix(".xlsx") {
      var reader = try XLSXReader(entry)
      records = try RecordCount.count(&reader)
    } else if name.hasSuffix(".ndjson") {
      var reader = try TreeReader(try entry.open(), format: RecordCount.tree(), place: entry)
      records = try RecordCount.count(&reader)
    } else {
      var reader = DelimitedReader(try entry.open())
      records = try RecordCount.count(&reader)
    }
  }

  /// What is measured of trees: four fields of a practitioner, and two of each of its addresses.
  private static func tree() throws -> TreeFormat {
    let npi = "identifier[system=http://hl7.org/fhir/sid/us-npi].value"
    let plan = TreePlan(
      fields: try ["resourceType", "id", npi, "name.family"].map { .init([try TreePath($0)]) },
      groups: [
        .init([try TreePath("address")], fields: try ["city", "state"].map { .init([try TreePath($0)]) })
      ])
    return TreeFormat(.jsonLines, plan: plan, records: ["entry", "resource"])
  }

  private static func count<Source: RecordSource & ~Copyable>(_ reader: inout Source) throws -> Int {
    var records = 0
    while try reader.next() { records += 1 }
    return records
  }
}
