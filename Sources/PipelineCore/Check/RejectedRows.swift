package import Definitions

/// Records whose rows a rule took out of the staged tables, to be kept in the quarantine.
package struct RejectedRows: Sendable {
  /// The rule.
  package let check: Check
  /// The number that the rows carry.
  package let sourceFileID: Int
  /// The lines of the records, as the rows have them.
  package let lines: [Int]
  /// What the first of them are held against, and they, to follow what is wrong; empty where a line says it all.
  package private(set) var example = ""

  package init(check: Check, sourceFileID: Int, lines: [Int]) {
    (self.check, self.sourceFileID, self.lines) = (check, sourceFileID, lines)
  }

  /// The same, with the places of a record and of the one that is refused because of it.
  package func shown(at places: [GateReport.Place]) -> RejectedRows {
    var rows = self
    if !places.isEmpty { rows.example = ", first \(GateReport.text(of: places))" }
    return rows
  }
}
