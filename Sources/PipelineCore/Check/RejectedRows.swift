package import Definitions

/// Records whose rows a rule took out of the staged tables, to be kept in the quarantine.
package struct RejectedRows: Sendable {
  /// The rule.
  package let check: Check
  /// The number that the rows carry.
  package let sourceFileID: Int
  /// The lines of the records, as the rows have them.
  package let lines: [Int]

  package init(check: Check, sourceFileID: Int, lines: [Int]) {
    (self.check, self.sourceFileID, self.lines) = (check, sourceFileID, lines)
  }
}
