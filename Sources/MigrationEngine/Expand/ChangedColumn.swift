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

  /// The sequence that belongs to it.
  struct Sequence {
    let name: String
    /// What that of the new column is called while both are there.
    let newName: String
    /// What it was made with, from a blank on.
    let options: String
    let type: String
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
  let sequence: Sequence?
  let comment: String?
  /// What keeps both columns in step.
  let function: String
  let trigger: String
  /// The check that the new column has a value.
  let check: String
  /// The columns of a key that a batch can go along; empty where there is none.
  let key: [String]
  /// Other triggers that run for each row.
  let triggers: [String]
  /// Whether policies may hide rows from who copies them.
  let hasPolicies: Bool
  let grants: [Grant]
  let parts: [Part]
  /// What else depends on the column, as people name it: it is to be seen to by hand.
  let others: [String]
  /// The names of ``parts`` whose expressions are about the values of the old type.
  private(set) var unfit: Set<String> = []
  /// Whether the new type takes the default.
  private(set) var isDefaultFit = true

  /// Reads it; `connection` is in a transaction in which every name is qualified.
  ///
  /// - Throws: `MigrationError.unusableColumn`, and `PostgreSQLError`.
  init(_ change: ColumnChange, _ place: ColumnChange.Place, on connection: Connection) throws {
    let address = [Parameter.text(place.table), .text(place.column)]
    let new = place.new.map { Parameter.text($0) } ?? .null
    guard let row = try connection.query(ChangedColumn.columnQuery, address + [new]).first else {
      throw change.unusable("the table has no column \(place.column)")
    }
    if let fault = row[19] { throw change.unusable(fault) }
    table = try row.value(0)
    isPartitioned = try row.value(1)
    name = try row.value(2)
    type = try row.value(3)
    isRequired = try row.value(4)
    defaultValue = row[5]
    identity = row[6]
    sequence = try row[7].map {
      Sequence(name: $0, newName: try row.value(8), options: try row.value(17), type: try row.value(18))
    }
    comment = row[9]
    newName = try row.value(10)
    function = try row.value(11)
    trigger = try row.value(12)
    check = try row.value(13)
    key = try row.value(14)
    triggers = try row.value(15)
    hasPolicies = try row.value(16)
    if case .retype(let new, _, _) = change.kind { newType = new } else { newType = type }
    grants = try connection.query(ChangedColumn.grantQuery, address).rows.map {
      Grant(privilege: try $0.value(0), role: try $0.value(1), isGrantable: try $0.value(2))
    }
    parts = try connection.query(ChangedColumn.partQuery, address).rows.map {
      Part(
        kind: try $0.value(0), name: try $0.value(1), newName: try $0.value(2), definition: try $0.value(3),
        index: $0[4], expressions: $0[5])
    }
    others = try connection.query(ChangedColumn.otherQuery, address).rows.map { try $0.value(0) }
    // The new type is named as the session understands it.
    try connection.query("SELECT set_config('search_path', $1, true)", [.text(place.path)])
    try change.requireValues(of: self, on: connection)
    for part in parts where try !fits(part, change, on: connection) { unfit.insert(part.name) }
    isDefaultFit = try fitsDefault(change.defaultValue(of: self), on: connection)
  }

  /// The new name in the place of the old one.
  var renaming: RenamedColumn { RenamedColumn(column: name, replacement: newName) }

  /// Whether the expressions of a constraint or an index can be computed from the new type, and mean the same.
  private func fits(_ part: Part, _ change: ColumnChange, on connection: Connection) throws -> Bool {
    guard let expressions = part.expressions, case .retype(_, let using, _) = change.kind else { return true }
    if using != nil { return false }
    return try works(
      """
      SELECT \(renaming.replaced(in: expressions))
      FROM (SELECT *, NULL::\(newType) AS \(newName) FROM \(table) LIMIT 0) AS "table"
      """, on: connection)
  }

  private func fitsDefault(_ value: String?, on connection: Connection) throws -> Bool {
    guard let value, sequence == nil, newType != type else { return true }
    return try works("SELECT (\(value))::\(newType)", on: connection)
  }

  /// Whether a query can be run; that a function writes says nothing.
  private func works(_ query: String, on connection: Connection) throws -> Bool {
    do {
      _ = try connection.transaction { try connection.query(query) }
      return true
    } catch PostgreSQLError.server(let error) {
      return !error.sqlState.hasPrefix("22") && !error.sqlState.hasPrefix("42")
    }
  }
}
