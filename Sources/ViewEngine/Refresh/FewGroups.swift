import Definitions
import PostgreSQL

/// A few groups, each given as values, that are computed, examined and written by one statement.
///
/// A table of the transaction for what was computed takes longer to make, fill, look at and drop than small groups take to
/// be computed.
struct FewGroups {
  private let view: ViewDefinition
  private let difference: RowDifference
  private let present: PresentGroups
  private let connection: Connection
  private let groups: [PresentGroups.Group]

  /// What came of it.
  struct Outcome {
    /// All rows belong to the groups that they were computed for.
    let staysInGroups: Bool
    /// No two of them are the same by what tells rows apart.
    let tellsRowsApart: Bool
    let count: RowDifference.Count
  }

  /// More rows than these are written by way of a table: the planner knows how large that is, and not what this statement
  /// has computed so far.
  private static let rows = 1_000

  /// Nil where rows are not told apart by plain conditions on exact values, or where there are many of them to be expected.
  /// - Parameter expected: how many rows a group has, as far as that is known.
  init?(
    _ dirty: DirtyGroups, _ present: PresentGroups, view: ViewDefinition, expecting expected: Int,
    _ difference: RowDifference, on connection: Connection
  ) throws {
    let key = Set(difference.key)
    guard dirty.count <= DirtyGroups.few, expected <= Self.rows, !key.isEmpty,
      key.isSubset(of: difference.unique),
      difference.unique.allSatisfy({ difference.types[$0]?.isExact == true }),
      difference.key.allSatisfy({ dirty.types[$0]?.isExact == true })
    else { return nil }
    let values = try dirty.read(on: connection)
    guard values.allSatisfy({ !$0.contains(nil) }) else { return nil }
    groups = values.enumerated().map { index, values in
      PresentGroups.Group(values, difference.key, dirty.types, after: index * values.count)
    }
    self.view = view
    self.difference = difference
    self.present = present
    self.connection = connection
  }

  /// Computes the groups and writes what differs, where every row belongs to them and is told apart; nil, with nothing
  /// written, where a column that tells rows apart is null somewhere, or there are many rows.
  func write() throws -> Outcome? {
    let found: Row
    do {
      found = try connection.query(statement, groups.flatMap(\.parameters))[0]
    } catch {
      throw view.located(error, after: head, keys: groups[0].row)
    }
    guard try !found.value(2, Bool.self) else { return nil }
    return Outcome(
      staysInGroups: try !found.value(0, Bool.self), tellsRowsApart: try !found.value(1, Bool.self),
      count: RowDifference.Count(
        inserted: try found.value(5), updated: try found.value(4), deleted: try found.value(3)))
  }

  // MARK: The statement

  private var table: String { difference.table }
  private var names: [String] { difference.columns.map(Quote.identifier) }
  private var unique: NullPattern { .none(of: difference.unique, difference.types) }
  /// A condition on a row `s`: it is of one of the groups.
  private var isOfGroups: String { groups.map { "(\($0.condition))" }.joined(separator: " OR ") }

  /// The columns of what was computed. Lengths are left for the server to judge where a row is written.
  private var casts: String {
    difference.columns.map { column in
      "\(Quote.identifier(column))::\((difference.types[column] ?? .boolean).bareName)"
    }.joined(separator: ", ")
  }

  /// What comes before the view's own words, where it is computed first. These could mean a name without a schema, so that
  /// ours are none that a table has.
  private var head: String {
    """
    WITH rivulet_stored AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM \(table) s WHERE (\(isOfGroups)) AND NOT (\(unique.describes("s")))) AS has_null
    ), fresh (\(names.joined(separator: ", "))) AS MATERIALIZED (
    SELECT \(casts) FROM (

    """
  }

  private var computed: String {
    groups.map { group in
      """
      \(view.sql(keys: group.row))
      ) computed WHERE (\(present.isPresent(group))) AND NOT (SELECT has_null FROM rivulet_stored)
      """
    }.joined(separator: "\nUNION ALL\nSELECT \(casts) FROM (\n")
  }

  /// What is written waits for what goes: the server promises no order, and a row makes room for another under an index of
  /// somebody's.
  private var statement: String {
    let list = names.joined(separator: ", ")
    let told = difference.unique.map { "s.\(Quote.identifier($0))" }.joined(separator: ", ")
    return head + computed + """

      ), found AS MATERIALIZED (
        SELECT count(*) FILTER (WHERE (\(isOfGroups)) IS NOT TRUE) > 0 AS strays,
          count(*) > count(DISTINCT ROW(\(told))) AS twins,
          (SELECT has_null FROM rivulet_stored) OR count(*) > \(Self.rows)
            OR count(*) FILTER (WHERE NOT (\(unique.describes("s")))) > 0 AS is_unsuited
        FROM (SELECT * FROM fresh LIMIT \(Self.rows + 1)) s
      ), sound AS MATERIALIZED (
        SELECT NOT (strays OR twins OR is_unsuited) AS is_so FROM found
      ), deleted AS (
        DELETE FROM \(table) s
        WHERE (\(isOfGroups)) AND (SELECT is_so FROM sound)
          AND NOT EXISTS (SELECT FROM fresh n WHERE \(unique.matches("s", "n")))
        RETURNING true
      ), updated AS (
        UPDATE \(table) s SET (\(list)) = ROW(\(names.map { "n.\($0)" }.joined(separator: ", ")))
        FROM fresh n
        WHERE \(unique.matches("s", "n")) AND s.* OPERATOR(pg_catalog.*<>) n.*
          AND (SELECT is_so FROM sound) AND (SELECT count(*) FROM deleted) >= 0
        RETURNING true
      ), inserted AS (
        INSERT INTO \(table) (\(list)) SELECT n.* FROM fresh n
        WHERE NOT EXISTS (SELECT FROM \(table) s WHERE \(unique.matches("s", "n")))
          AND (SELECT is_so FROM sound) AND (SELECT count(*) FROM updated) >= 0
        RETURNING true
      )
      SELECT strays, twins, is_unsuited, (SELECT count(*) FROM deleted), (SELECT count(*) FROM updated),
        (SELECT count(*) FROM inserted)
      FROM found
      """
  }
}
