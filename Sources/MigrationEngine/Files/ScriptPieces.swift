import SQLText

/// A script with transactions of its own, taken apart into what is one transaction each: what is between a
/// BEGIN and its COMMIT, what comes before a COMMIT without a BEGIN, and each other statement.
struct ScriptPieces {
  struct Piece {
    /// The statements, from 0, those that begin and end the transaction left out.
    let statements: [Int]
    /// What BEGIN says of it: `ISOLATION LEVEL SERIALIZABLE`; empty where it says nothing.
    let modes: String
    /// Whether the script says that they are one transaction.
    let isTransaction: Bool
  }

  private(set) var pieces: [Piece] = []

  /// The pieces of a section's statements.
  ///
  /// - Throws: `MigrationError.malformed` where something is rolled back, or prepared for two phases.
  init(_ statements: [SQLStatement], of section: Migration.Section) throws(MigrationError) {
    var open: [Int] = []
    var modes: String?
    for (index, statement) in statements.enumerated() {
      if let beginning = statement.beginning {
        // Within a transaction the server ignores it.
        if modes != nil { continue }
        addSingles(open)
        (open, modes) = ([], beginning.joined(separator: " "))
      } else if statement.controlsTransaction {
        guard ["COMMIT", "END"].contains(statement.keyword), !statement.words.contains("CHAIN"),
          !statement.words.contains("PREPARED")
        else {
          throw section.unfit(
            statement.place, "\(statement.keyword) of part of a script is not known to a migration",
            "leave it out, with what it rolls back")
        }
        add(open, modes ?? "")
        (open, modes) = ([], nil)
      } else {
        open.append(index)
      }
    }
    if let modes { add(open, modes) } else { addSingles(open) }
  }

  /// A script each of whose statements is alone.
  init(_ statements: [SQLStatement]) { addSingles(Array(statements.indices)) }

  /// The statements that are alone.
  var singles: [Int] { pieces.filter { !$0.isTransaction }.flatMap(\.statements) }

  private mutating func add(_ statements: [Int], _ modes: String) {
    if statements.isEmpty { return }
    pieces.append(Piece(statements: statements, modes: modes, isTransaction: true))
  }

  private mutating func addSingles(_ statements: [Int]) {
    pieces += statements.map { Piece(statements: [$0], modes: "", isTransaction: false) }
  }
}
