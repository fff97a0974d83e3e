import PostgreSQL

/// A column that is to be changed, with what belongs to it, as the catalog has it. Names are quoted where they
/// have to be.
struct ChangedColumn {
  /// A constraint or an index that has the column in it.
  struct Part {
    /// `p`, `u`, `c` or `f` as PostgreSQL has them for constraints, `i` for an index of its own.
    let kind: String
    let name: String
    /// What the one on the new column is called while both are there.
    let newName: String
    /// As it would be made again: all of an index, of a constraint what follows its name.
    let definition: String
    /// The index behind a key, as it would be made again.
    let index: String?
    /// What of it is computed from the column, as expressions with commas between them; nil where nothing is.
    let expressions: String?
  }

  /// Who may do what to the column alone.
  struct Grant {
    let privilege: String
    let role: String
    let isGrantable: Bool
  }

  let table: String
  let isPartitioned: Bool
  let name: String
  let type: String
  /// What the new column is called while both are there.
  let newName: String
  let newType: String
  let isRequired: Bool
  let defaultValue: String?
  /// `ALWAYS` or `BY DEFAULT`; nil where it is no identity.
  let identity: String?
  /// The sequence that belongs to it, and what that of the new column is called while both are there.
  let sequence: (name: String, new: String)?
  let comment: String?
  /// The columns of a key that a batch can go along; empty where there is none.
  let key: [String]
  /// What keeps both columns in step.
  let function: String
  let trigger: String
  /// The check that the new column has a value.
  let check: String
  /// Whether values of both types can be compared.
  let isComparable: Bool
  let grants: [Grant]
  let parts: [Part]
  /// Other triggers that run for each row.
  let triggers: [String]
  /// The names of ``parts`` whose expressions the new type does not fit.
  private(set) var unfit: Set<String> = []
  /// What else depends on the column, as people name it: it is to be seen to by hand.
  let others: [String]

  /// The table's number, the column and the new name, as the catalog has them.
  typealias Place = (table: String, column: String, new: String?)

  /// Where the change is, for names as the session understands them.
  ///
  /// - Throws: `MigrationError.unusableColumn`, and `PostgreSQLError`.
  static func place(of change: ColumnChange, on connection: Connection) throws -> Place {
    var new: String?
    if case .rename(let name) = change.kind { new = name }
    do {
      let found = try connection.query(
        "SELECT to_regclass($1)::oid, (parse_ident($2))[1], (parse_ident($3))[1]",
        [.text(change.table), .text(change.column), new.map { .text($0) } ?? .null])[0]
      guard let table = found[0] else { throw change.unusable("there is no table \(change.table)") }
      return (table, try found.value(1), found[2])
    } catch PostgreSQLError.server(let error) where ["22023", "42602"].contains(error.sqlState) {
      throw change.unusable(error.message)
    }
  }

  /// Reads it; `connection` is in a transaction in which every name is qualified.
  ///
  /// - Throws: `MigrationError.unusableColumn`, and `PostgreSQLError`.
  init(_ change: ColumnChange, _ place: Place, on connection: Connection) throws {
    let (table, column, newName) = place
    let rows = try connection.query(
      ChangedColumn.columnQuery, [.text(table), .text(column), newName.map { .text($0) } ?? .null])
    guard let row = rows.first else { throw change.unusable("the table has no column \(column)") }
    self.table = try row.value(0)
    isPartitioned = try row.value(1)
    name = try row.value(2)
    type = try row.value(3)
    isRequired = try row.value(4)
    defaultValue = row[5]
    identity = row[6]
    sequence = try row[7].map { ($0, try row.value(8)) }
    comment = row[9]
    self.newName = try row.value(10)
    function = try row.value(11)
    trigger = try row.value(12)
    check = try row.value(13)
    key = try row.value(14)
    triggers = try row.value(15)
    if let fault = row[16] { throw change.unusable(fault) }
    if case .retype(let new, _, _) = change.kind { newType = new } else { newType = type }
    let address = [Parameter.text(table), .text(column)]
    grants = try connection.query(ChangedColumn.grantQuery, address).rows.map {
      Grant(privilege: try $0.value(0), role: try $0.value(1), isGrantable: try $0.value(2))
    }
    parts = try connection.query(ChangedColumn.partQuery, address).rows.map {
      Part(
        kind: try $0.value(0), name: try $0.value(1), newName: try $0.value(2), definition: try $0.value(3),
        index: $0[4], expressions: $0[5])
    }
    others = try connection.query(ChangedColumn.otherQuery, address).rows.map { try $0.value(0) }
    isComparable = try change.areComparable([type, newType], on: connection)
    for part in parts where try !fits(part, on: connection) { unfit.insert(part.name) }
  }

  /// Whether the expressions of a constraint or an index can be computed from the new type.
  private func fits(_ part: Part, on connection: Connection) throws -> Bool {
    guard let expressions = part.expressions else { return true }
    let query = """
      SELECT \(renaming.replaced(in: expressions))
      FROM (SELECT *, NULL::\(newType) AS \(newName) FROM \(table) LIMIT 0) AS "table"
      """
    do {
      _ = try connection.transaction { try connection.query(query) }
      return true
    } catch PostgreSQLError.server(let error) where error.sqlState.hasPrefix("42") {
      return false
    }
  }

  /// The new name in the place of the old one.
  var renaming: RenamedColumn { RenamedColumn(column: name, replacement: newName) }
}

extension ColumnChange {
  fileprivate func unusable(_ sentence: String) -> MigrationError {
    .unusableColumn("\(table).\(column)", sentence)
  }

  /// Whether values of all types can be compared.
  fileprivate func areComparable(_ types: [String], on connection: Connection) throws -> Bool {
    for type in types {
      do {
        _ = try connection.transaction {
          try connection.query("SELECT NULL::\(type) IS DISTINCT FROM NULL::\(type)")
        }
      } catch PostgreSQLError.server(let error) where error.sqlState == "42883" {
        return false
      } catch PostgreSQLError.server(let error) where ["42704", "42601"].contains(error.sqlState) {
        throw unusable("'\(type)' is no type: \(error.message)")
      }
    }
    return true
  }
}
