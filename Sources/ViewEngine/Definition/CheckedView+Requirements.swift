import Definitions
import PostgreSQL

/// What a definition must have, beside a SELECT and sources that the database knows. Each throws
/// ``ViewProblem``.
extension CheckedView {
  /// Throws where the SELECT uses functions that answer otherwise from one call to the next, or by the moment,
  /// such as `random()`: directly, through other plain views, and through functions whose bodies the server
  /// has taken apart. What is computed with them is not what a later look at the same rows would give.
  ///
  /// On the server's own functions nothing depends in its catalog, so that these are looked for in the parsed
  /// queries.
  static func requireStability(
    of view: ViewDefinition, in twin: String, on connection: Connection
  ) throws {
    let unstable = try connection.query(
      """
      WITH uses AS MATERIALIZED (SELECT class, id FROM rivulet.view_uses(to_regclass($1))), parsed(tree) AS (
        SELECT ev_action::text FROM pg_rewrite WHERE ev_class = to_regclass($1)
          OR ev_class IN (SELECT id FROM uses WHERE class = 'pg_class'::regclass)
        UNION ALL
        SELECT prosqlbody::text FROM pg_proc
          WHERE oid IN (SELECT id FROM uses WHERE class = 'pg_proc'::regclass)
      ), called(id) AS (
        SELECT id FROM uses WHERE class = 'pg_proc'::regclass
        UNION
        SELECT f[1]::oid FROM parsed,
          regexp_matches(tree, ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\\d+)', 'g') f)
      SELECT id::regprocedure::text FROM called JOIN pg_proc p ON p.oid = id
      WHERE p.provolatile = 'v' OR id = ANY (ARRAY[\(moments)]::regprocedure[])
      ORDER BY 1
      """, [.text(Quote.qualified(twin))])
    guard let function = unstable.first?[0] else { return }
    throw ViewProblem(
      view, at: Mark(line: view.line, column: 1),
      "what is stored cannot depend on \(function), which answers otherwise from one time to the next",
      hint:
        "a function of one's own that only reads what it is given, or tables, "
        + "is to be marked IMMUTABLE or STABLE"
    )
  }

  /// Those that are stable within a statement only.
  private static let moments = [
    "now()", "transaction_timestamp()", "statement_timestamp()", "age(timestamp)", "age(timestamptz)",
  ].map { Quote.literal("pg_catalog.\($0)") }.joined(separator: ", ")

  func requireColumns() throws {
    let names = columns.map(\.name)
    func require(_ column: Marked<String>, in what: String) throws {
      guard names.contains(column.value) else {
        throw ViewProblem(
          view, at: column.mark, "the SELECT gives no column '\(column.value)', which '\(what)' names",
          hint: NearestName.hint(column.value, among: names, called: "it gives"))
      }
    }
    for column in view.key { try require(column, in: "key") }
    for column in view.unique { try require(column, in: "unique") }
    for column in view.indexes.joined() { try require(column, in: "indexes") }
    if let column = view.ownerColumn { try require(column, in: "owner_column") }
  }

  /// What distinguishes rows, or captured values, must be of types that have an equality; JSON has none.
  func requireEquality(on connection: Connection) throws {
    for column in view.key + view.unique { try requireEquality(of: column, in: twin, on: connection) }
    for source in view.sources {
      guard case .groups(let capture, _) = source.change else { continue }
      for column in capture { try requireEquality(of: column, in: source.name.value, on: connection) }
    }
  }

  private func requireEquality(
    of column: Marked<String>, in table: String, on connection: Connection
  ) throws {
    let name = Quote.identifier(column.value)
    let answer = Result {
      try connection.query("SELECT DISTINCT \(name) FROM \(Quote.qualified(table)) LIMIT 0")
    }
    guard case .failure(let error) = answer else { return }
    guard (error as? PostgreSQLError)?.sqlState == "42883" else { throw error }
    throw ViewProblem(
      view, at: column.mark, "values of '\(column.value)' cannot be distinguished: their type has no equality"
    )
  }

  func requireTypes(_ found: [(source: ViewSource, types: [Int])]) throws {
    for (source, types) in found where !view.key.isEmpty {
      guard case .groups(_, let keys) = source.change else { continue }
      for (column, type) in zip(view.key, types) {
        guard let wanted = columns.first(where: { $0.name == column.value }), wanted.type != type else {
          continue
        }
        throw ViewProblem(
          view, at: keys.place(of: 1),
          "'keys' of \(source.name.value) gives '\(column.value)' as another type than the SELECT, "
            + "which gives \(wanted.typeName)",
          hint: "cast one of them")
      }
    }
  }

  func requireRoles(on connection: Connection) throws {
    for role in view.readers {
      let found = try connection.query("SELECT FROM pg_roles WHERE rolname = $1", [.text(role.value)])
      guard found.count == 0, role.value != "public" else { continue }
      throw ViewProblem(
        view, at: role.mark, "there is no role '\(role.value)'",
        hint: "a migration makes it where it is missing")
    }
  }
}
