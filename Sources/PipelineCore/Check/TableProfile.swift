/// What is counted of a table to hold it against that of another release: rows, values and sums, apart for
/// each class of its rows.
package struct TableProfile: Sendable {
  /// The values of the class columns, in their order.
  package typealias Class = [String]

  /// What is counted of the rows of one class.
  package struct Counts: Sendable {
    package var rows = 0
    /// By column, how many rows have a value; nil is where there is none.
    package var values: [String: [String?: Int]] = [:]
    /// By column, as the server writes numbers; a column without any number is not there.
    package var sums: [String: String] = [:]

    /// The share of the rows that have a value, in percent.
    package func share(of value: String?, in column: String) -> Double {
      rows == 0 ? 0 : Double(values[column]?[value] ?? 0) * 100 / Double(rows)
    }

    package init(
      rows: Int = 0, values: [String: [String?: Int]] = [:], sums: [String: String] = [:]
    ) {
      self.rows = rows
      self.values = values
      self.sums = sums
    }
  }

  package var classes: [Class: Counts] = [:]

  /// A table of which nothing is known but its rows.
  package init(rows: Int) { classes = [[]: Counts(rows: rows)] }

  /// A table of which nothing is known.
  package init() {}
}
