import PipelineCore
import PostgreSQL

extension TableProfile {
  /// What to count, in one statement over both tables.
  struct Query: Sendable {
    /// The columns that tell classes apart.
    var classes: [String] = []
    /// The columns whose values are counted.
    var shares: [String] = []
    /// The columns that are summed up.
    var sums: [String] = []
    /// Values with a smaller share than this in each class of both tables, in percent, are not distinguished:
    /// they cannot have moved by more.
    var leastShare = 0.0

    /// Nothing has to be asked but how many rows there are.
    var isCountOnly: Bool { classes.isEmpty && shares.isEmpty && sums.isEmpty }

    /// Counts two tables of the same columns.
    func count(_ now: String, _ before: String, on connection: Connection) throws -> (
      now: TableProfile, before: TableProfile
    ) {
      var profiles = [TableProfile(), TableProfile()]
      for row in try connection.query(sql(now, before)).rows {
        try add(row, to: &profiles[try row.value(0)])
      }
      // A table without rows has no groups.
      for index in profiles.indices where classes.isEmpty && profiles[index].classes.isEmpty {
        profiles[index] = TableProfile(rows: 0)
      }
      return (profiles[0], profiles[1])
    }

    private func add(_ row: Row, to profile: inout TableProfile) throws {
      let own = classes.indices.map { row[3 + $0] ?? "" }
      let rows: Int = try row.value(2)
      // Which of the columns the group is by; none for all rows of the class.
      guard let share: Int = try row.optional(1) else {
        profile.classes[own, default: Counts()].rows = rows
        for (index, column) in sums.enumerated() {
          profile.classes[own]?.sums[column] = row[3 + classes.count + shares.count + index]
        }
        return
      }
      let value = row[3 + classes.count + share]
      profile.classes[own, default: Counts()].values[shares[share], default: [:]][value] = rows
    }

    /// A group for each class of each table, and one for each of its values.
    private func sql(_ now: String, _ before: String) -> String {
      let names =
        classes.indices.map { "c\($0)" } + shares.indices.map { "v\($0)" } + sums.indices.map { "w\($0)" }
      let grouping = zip(classes + shares, names).map { "\(Quote.identifier($0)) AS \($1)" }
      let totals = sums.enumerated().map { "sum(\(Quote.identifier($1))) AS w\($0)" }
      let by =
        (classes + shares).isEmpty
        ? "" : "GROUP BY " + grouping.indices.map { "\($0 + 2)" }.joined(separator: ", ")
      // Grouped at once, so that what is grouped again is a few rows.
      func side(_ number: Int, _ table: String) -> String {
        let columns = ["\(number) AS side"] + grouping + ["count(*) AS n"] + totals
        return "SELECT \(columns.joined(separator: ", ")) FROM \(Quote.qualified(table)) \(by)"
      }
      let own = ["side"] + names.prefix(classes.count)
      let values = Array(names.dropFirst(classes.count).prefix(shares.count))
      let sets = ([own] + values.map { own + [$0] }).map { "(\($0.joined(separator: ", ")))" }
      let which =
        values.isEmpty
        ? "NULL::int"
        : "CASE \(values.enumerated().map { "WHEN GROUPING(\($1)) = 0 THEN \($0)" }.joined(separator: " ")) END"
      let grouped = """
        SELECT \((own + values).joined(separator: ", ")), \(which) AS share, sum(n)::bigint AS n\
        \(sums.indices.map { ", sum(w\($0)) AS w\($0)" }.joined())
        FROM (\(side(0, now)) UNION ALL \(side(1, before))) pooled
        GROUP BY GROUPING SETS (\(sets.joined(separator: ", ")))
        """
      let shown =
        ["side", "share", "n"] + own.dropFirst() + values.map { $0 + "::text" }
        + sums.indices.map { "w\($0)::text" }
      // What is small everywhere stays on the server.
      return """
        SELECT \(shown.joined(separator: ", ")) FROM (
          SELECT *, max(part) OVER (PARTITION BY \((["share"] + values).joined(separator: ", "))) AS largest FROM (
            SELECT *, n * 100.0 / nullif(sum(n) OVER (PARTITION BY \((own + ["share"]).joined(separator: ", "))), 0) AS part
            FROM (\(grouped)) grouped) parts) ranked
        WHERE share IS NULL OR largest >= \(leastShare)
        """
    }
  }
}
