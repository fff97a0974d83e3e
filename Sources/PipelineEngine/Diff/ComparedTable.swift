import Definitions
import PipelineCore
import PostgreSQL

/// Where the rows of one side of a comparison are: the target itself, or a table that is staged for it.
struct ComparedSide: Sendable {
  /// `schema.table`.
  let relation: String
  /// The rows of this release.
  let release: String
}

/// The statements that compare a table's rows of one release with those of another, or with those that are
/// staged.
///
/// Rows are matched by their key, in one FULL JOIN of the two partitions. Where nothing but its place in the
/// file tells a record from the others, one new record would make all that follow it look changed; such rows
/// are matched by their whole content, and are added or removed but never changed.
struct ComparedTable: Sendable {
  let name: String
  /// The columns that rows are matched by.
  let key: [String]
  /// The columns that are compared, in the order of the table; none where rows are matched by their content.
  let compared: [String]
  private let sensitive: Set<String>
  private let isMatchedByContent: Bool
  private let standsForAll: [String: String]

  /// What the engine adds to every row, which says nothing about the data.
  private static let provenance: Set = ["release", "source_file_id", "source_line"]

  /// `key`: the columns that tell rows of one release apart.
  /// `columns`: the columns as the layout has them, in all of its versions.
  init(
    _ target: TargetTable, key sourceKey: [String], columns: [LayoutColumn], standsForAll: [String: String]
  ) {
    // Where a record stood is no more a part of its content than its line is.
    let places = Set(columns.filter { $0.origin == .recordNumber }.map(\.name))
    let content = target.columns.filter { !Self.provenance.contains($0) && !places.contains($0) }
    name = target.name
    self.standsForAll = standsForAll.filter { sourceKey.contains($0.key) }
    sensitive = Set(columns.filter(\.isSensitive).map(\.name))
    isMatchedByContent = !places.isDisjoint(with: sourceKey)
    key = isMatchedByContent ? content : sourceKey
    compared = isMatchedByContent ? [] : content.filter { !sourceKey.contains($0) }
  }

  func isWithheld(_ column: String) -> Bool { sensitive.contains(column) }

  // MARK: Counting

  /// One row: added, removed, changed, then for each compared column in how many changed rows it differs.
  func counts(from: ComparedSide, to: ComparedSide) -> String {
    if isMatchedByContent { return surpluses(from: from, to: to) }
    let flags = compared.indices.map { "d\($0)" }
    let differences = zip(compared, flags).map { "\(Self.differs($0)) AS \($1)" }
    let counted = flags.map { "count(*) FILTER (WHERE in_from AND in_to AND \($0))" }
    let changed = flags.isEmpty ? "false" : flags.joined(separator: " OR ")
    // OFFSET keeps the planner from comparing again for each count.
    return """
      SELECT \((["count(*) FILTER (WHERE in_from IS NULL)", "count(*) FILTER (WHERE in_to IS NULL)",
        "count(*) FILTER (WHERE in_from AND in_to AND (\(changed)))"] + counted).joined(separator: ", "))
      FROM (SELECT \((["f.\(Self.here) AS in_from", "t.\(Self.here) AS in_to"] + differences)
        .joined(separator: ", "))
        FROM \(joined(from: from, to: to)) OFFSET 0) pairs
      """
  }

  /// One row: added, removed, changed, at less cost than counting column by column.
  ///
  /// Rows of both are joined alone, which several processes of the server can do at once; what is left is new
  /// or gone.
  func totals(from: ComparedSide, to: ComparedSide) -> String {
    if isMatchedByContent { return surpluses(from: from, to: to) }
    func row(_ side: String) -> String {
      "ROW(" + compared.map { "\(side).\(Quote.identifier($0))" }.joined(separator: ", ") + ")"
    }
    let changed = compared.isEmpty ? "false" : "\(row("f")) IS DISTINCT FROM \(row("t"))"
    let (old, new) = (part(of: from, against: to), part(of: to, against: from))
    return """
      SELECT (SELECT count(*) FROM (\(new)) n) - same, (SELECT count(*) FROM (\(old)) o) - same, changed
      FROM (SELECT count(*) AS same, count(*) FILTER (WHERE \(changed)) AS changed
        FROM (\(old)) f JOIN (\(new)) t USING (\(key.map(Quote.identifier).joined(separator: ", ")))) pairs
      """
  }

  private func surpluses(from: ComparedSide, to: ComparedSide) -> String {
    """
    SELECT (SELECT count(*) FROM (\(surplus(of: to, over: from))) a),
      (SELECT count(*) FROM (\(surplus(of: from, over: to))) r), 0
    """
  }

  // MARK: Rows

  /// A row for each difference, in the order of the key: what became of it, the key's columns, then two for
  /// each compared column: the value before and after, both NULL where it is the same.
  func rows(from: ComparedSide, to: ComparedSide) -> String {
    if isMatchedByContent {
      return """
        SELECT \(([Self.kind] + key.map(shown)).joined(separator: ", ")) FROM (
          SELECT 'added' AS \(Self.kind), * FROM (\(surplus(of: to, over: from))) a
          UNION ALL SELECT 'removed', * FROM (\(surplus(of: from, over: to))) r) differences
        ORDER BY \((key.map(Quote.identifier) + [Self.kind]).joined(separator: ", "))
        """
    }
    let values = compared.flatMap { column -> [String] in
      let name = Quote.identifier(column)
      let differs = Self.differs(column)
      // A value that is withheld does not leave the server.
      if isWithheld(column) { return ["CASE WHEN \(differs) THEN true END", "NULL"] }
      return ["CASE WHEN \(differs) THEN f.\(name) END", "CASE WHEN \(differs) THEN t.\(name) END"]
    }
    let kind = """
      CASE WHEN f.\(Self.here) IS NULL THEN 'added' WHEN t.\(Self.here) IS NULL THEN 'removed' ELSE 'changed' END
      """
    let different =
      ["f.\(Self.here) IS NULL", "t.\(Self.here) IS NULL"] + compared.map(Self.differs)
    return """
      SELECT \(([kind] + key.map(shown) + values).joined(separator: ", "))
      FROM \(joined(from: from, to: to))
      WHERE \(different.joined(separator: " OR "))
      ORDER BY \(key.map(Quote.identifier).joined(separator: ", "))
      """
  }

  // MARK: Pieces

  // Names that no column of a table has: those of definitions hold no blank.
  private static let here = Quote.identifier("is here")
  private static let kind = Quote.identifier("kind of change")

  private static func differs(_ column: String) -> String {
    let name = Quote.identifier(column)
    return "f.\(name) IS DISTINCT FROM t.\(name)"
  }

  private func shown(_ column: String) -> String {
    isWithheld(column) ? "NULL" : Quote.identifier(column)
  }

  /// A release's rows, as they are to be held against those of another.
  ///
  /// The releases are in the statement as they are, so that the planner opens their two partitions only.
  private func part(of side: ComparedSide, against other: ComparedSide) -> String {
    let widened = standsForAll.keys.sorted()
    let columns = (key + compared).map { column in
      let name = Quote.identifier(column)
      guard let index = widened.firstIndex(of: column) else { return "r." + name }
      return "w\(index).shown AS \(name)"
    }
    let joins = widened.enumerated().map { index, column in
      "JOIN (\(values(column, of: side, against: other))) w\(index) ON w\(index).own = r.\(Quote.identifier(column))"
    }
    return """
      SELECT \((["true AS \(Self.here)"] + columns).joined(separator: ", ")) \
      FROM \(Quote.qualified(side.relation)) r \(joins.joined(separator: " ")) \
      WHERE r.release = \(Quote.literal(side.release))
      """
  }

  /// The values of a key column, each with those that it is compared as: itself, or all values of the other
  /// release where it stands for them.
  private func values(_ column: String, of side: ComparedSide, against other: ComparedSide) -> String {
    func distinct(_ side: ComparedSide) -> String {
      """
      SELECT DISTINCT \(Quote.identifier(column)) AS v FROM \(Quote.qualified(side.relation)) \
      WHERE release = \(Quote.literal(side.release))
      """
    }
    let all = Quote.literal(standsForAll[column] ?? "")
    return """
      SELECT o.v AS own, coalesce(n.v, o.v) AS shown FROM (\(distinct(side))) o \
      LEFT JOIN (\(distinct(other))) n ON o.v = \(all) \
      AND NOT EXISTS (SELECT FROM (\(distinct(other))) s WHERE s.v = \(all))
      """
  }

  private func joined(from: ComparedSide, to: ComparedSide) -> String {
    """
    (\(part(of: from, against: to))) f FULL JOIN (\(part(of: to, against: from))) t \
    USING (\(key.map(Quote.identifier).joined(separator: ", ")))
    """
  }

  private func surplus(of side: ComparedSide, over other: ComparedSide) -> String {
    "\(part(of: side, against: other)) EXCEPT ALL \(part(of: other, against: side))"
  }
}
