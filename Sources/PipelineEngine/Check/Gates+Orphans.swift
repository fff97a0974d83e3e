import Definitions
import PipelineCore
import PostgreSQL

/// Records that refer to a row which is nowhere: not in what is staged, and not in the table that the foreign
/// key names.
extension Gates {
  /// A foreign key of a target.
  private struct Reference {
    let columns: [String]
    let parent: String
    let parentColumns: [String]
  }

  /// Takes such records out where their source says so. Tables that others refer to come first: what refers
  /// to a record that is taken out is an orphan itself.
  func takeOrphans(
    from outcomes: inout [LoadOutcome], _ rejected: inout [RejectedRows]
  ) throws -> [GateReport] {
    let sources = outcomes.map(\.source).filter { $0.orphans == .reject }
    guard !sources.isEmpty else { return [] }
    let order = try TableOrder(sources.map(\.target), on: try connect()).parentsFirst
    return try order.flatMap { target in
      try sources.filter { $0.target == target }.compactMap { source in
        guard let table = tables[source.target] else { return nil }
        let references = try references(of: target)
        guard !references.isEmpty else { return report(source, found: 0) }
        return try take(
          Check(
            rule: source.orphansRule, severity: .reject, source: source.name,
            sql: references.map { query(table, $0) }.joined(separator: "\nUNION\n"), about: Self.about),
          from: &outcomes, &rejected)
      }
    }
  }

  private static let about = "The record refers to one that is neither in the export nor in the database"

  private func report(_ source: Source, found: Int) -> GateReport {
    GateReport(rule: source.orphansRule, severity: .reject, passed: true, found: found, about: Self.about)
  }

  private func references(of target: String) throws -> [Reference] {
    let names = """
      (SELECT string_agg(a.attname, ',' ORDER BY x.place) FROM unnest(%) WITH ORDINALITY x(attnum, place)
        JOIN pg_attribute a ON a.attrelid = & AND a.attnum = x.attnum)
      """
    let own = names.replacing("%", with: "k.conkey").replacing("&", with: "k.conrelid")
    let others = names.replacing("%", with: "k.confkey").replacing("&", with: "k.confrelid")
    return try connect().query(
      """
      SELECT \(own), n.nspname || '.' || c.relname, \(others)
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.confrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE k.contype = 'f' AND k.conrelid = to_regclass($1) ORDER BY k.conname
      """, [.text(Quote.qualified(target))]
    ).rows.map { row in
      Reference(
        columns: (row[0] ?? "").split(separator: ",").map(String.init), parent: try row.value(1),
        parentColumns: (row[2] ?? "").split(separator: ",").map(String.init))
    }
  }

  /// The records that have all columns of a foreign key and no row that they mean. A key of which a part is
  /// null means none, as the server has it, and so does a column that the file does not bring.
  private func query(_ table: StagedTable, _ reference: Reference) -> String {
    let columns = reference.columns.map(Quote.identifier)
    guard reference.columns.allSatisfy(table.columns.contains) else {
      return "SELECT source_file_id, source_line FROM \(Quote.qualified(table.name)) WHERE false"
    }
    let isMeant = zip(reference.parentColumns, columns).map { "p.\(Quote.identifier($0)) = s.\($1)" }
      .joined(separator: " AND ")
    let mark = Quote.identifier(StagedTable.deletionMark)
    var places = ["SELECT FROM \(Quote.qualified(reference.parent)) p WHERE \(isMeant)"]
    if let parent = tables[reference.parent] {
      let isAlive = parent.marksDeletions ? " AND NOT p.\(mark)" : ""
      places.append("SELECT FROM \(Quote.qualified(parent.name)) p WHERE \(isMeant)\(isAlive)")
    }
    let conditions =
      columns.map { "s.\($0) IS NOT NULL" } + (table.marksDeletions ? ["NOT s.\(mark)"] : [])
      + places.map { "NOT EXISTS (\($0))" }
    return """
      SELECT s.source_file_id, s.source_line FROM \(Quote.qualified(table.name)) s
      WHERE \(conditions.joined(separator: "\n  AND "))
      """
  }
}
