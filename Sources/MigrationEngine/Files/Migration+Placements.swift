import SQLText

extension Migration.Section {
  /// What begins the line of a mark, behind the dashes.
  private static let placementMark = "rivulet:place"

  /// Whether something in it may be a mark.
  var hasPlacements: Bool { sql.hasBytes(of: Self.placementMark) }

  /// Where the tables go that it makes, each with the place of its statement, from 0.
  ///
  /// - Throws: `MigrationError.malformed`.
  func placements(of script: SQLScript, in filled: FilledText) throws(MigrationError)
    -> [(statement: Int, mark: PlacementMark)]
  {
    guard filled.text.hasBytes(of: Self.placementMark) else { return [] }
    let bytes = Array(filled.text.utf8)
    var found: [(statement: Int, mark: PlacementMark)] = []
    var end = 0
    for (index, statement) in script.statements.enumerated() {
      let range = end..<statement.range.lowerBound
      if let comment = try mark(Self.placementMark, in: range, of: bytes, PlacementMark.hint) {
        found.append((index, try placement(comment, of: statement)))
      }
      end = statement.copyData?.upperBound ?? statement.range.upperBound
      if let comment = marks(Self.placementMark, in: statement.range, of: bytes).first {
        throw unfit(comment.place, "the mark is within a statement", PlacementMark.hint)
      }
    }
    if let comment = marks(Self.placementMark, in: end..<bytes.count, of: bytes).first {
      throw unfit(comment.place, "no statement follows the mark", PlacementMark.hint)
    }
    return found
  }

  /// Nothing in it says where a table goes.
  ///
  /// - Throws: `MigrationError.malformed`.
  func refusePlacements() throws(MigrationError) {
    guard hasPlacements,
      let comment = marks(Self.placementMark, in: 0..<sql.utf8.count, of: Array(sql.utf8)).first
    else { return }
    throw unfit(
      comment.place, "no table is placed here",
      "put the mark before a statement of the section 'up' or 'down' of a migration")
  }

  private func placement(_ comment: MarkComment, of statement: SQLStatement) throws(MigrationError)
    -> PlacementMark
  {
    guard let table = statement.placedTable else {
      throw unfit(comment.place, "the statement below the mark is about no table", PlacementMark.hint)
    }
    guard table.schema != nil else {
      throw unfit(
        comment.place, "the table below the mark is named without its schema", PlacementMark.hint)
    }
    do throws(PlacementMark.Fault) {
      var mark = try PlacementMark(comment.text, of: table)
      mark.position = comment.place
      return mark
    } catch {
      throw unfit(comment.place, error.message, PlacementMark.hint)
    }
  }
}

extension SQLStatement {
  /// The table that it makes, alters or comments on.
  fileprivate var placedTable: SQLName? {
    if ["CREATE", "ALTER"].contains(keyword) {
      return objectKind == "TABLE" ? targets.first?.name : nil
    }
    var cursor = SQLCursor(self)
    return cursor.take("COMMENT", "ON", "TABLE") ? cursor.qualifiedName() : nil
  }
}

extension MigrationFolder {
  /// Where the migrations of some folders, one after the other, say that tables go, in the order in which they are
  /// made; of a table that is made twice the last word counts.
  ///
  /// - Throws: `MigrationError.malformed`.
  public static func placements(of folders: [MigrationFolder]) throws(MigrationError) -> [PlacementMark] {
    var found: [PlacementMark] = []
    for folder in folders {
      for migration in folder.migrations + folder.repeatables
      where folder.uses(migration) && migration.up.hasPlacements {
        let filled = try migration.up.filled(isForReading: true)
        for (_, mark) in try migration.up.placements(of: try migration.up.script(of: filled), in: filled) {
          found.removeAll { $0.table == mark.table }
          found.append(mark)
        }
      }
    }
    return found
  }
}
