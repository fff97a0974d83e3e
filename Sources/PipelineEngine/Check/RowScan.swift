import Definitions
import PipelineCore
import PostgreSQL

/// Checks that are asked in one reading of a table: those that look at one row at a time. Any other check is
/// alone.
struct RowScan: Sendable {
  let checks: [Check]
  /// What each of them asks by itself.
  let statements: [DefinedStatement]
  /// What asks all of them; nil where there is one.
  private let together: String?

  /// So many rows at most has a table whose keys the server keeps in memory during the reading. Beyond, a
  /// check that refers to it is alone: the server would rather go through all of them for each row.
  private static let mostKeys = 25_000

  /// Puts checks together that read the same table.
  /// - Parameters:
  ///   - checks: in the order of the pipeline.
  ///   - pipeline: theirs.
  ///   - tables: the staged tables.
  ///   - rows: how many rows each of them has, as far as that is known.
  /// - Returns: each check once.
  static func all(
    of checks: [Check], _ pipeline: Pipeline, _ tables: [String: StagedTable], rows: [String: Int]
  ) -> [Self] {
    var scans: [[Check]] = []
    var places: [String: Int] = [:]
    for check in checks {
      guard let condition = check.condition,
        condition.referenced.map({ rows[$0, default: .max] <= mostKeys }) ?? true
      else {
        scans.append([check])
        continue
      }
      if let place = places[condition.table] {
        scans[place].append(check)
      } else {
        places[condition.table] = scans.count
        scans.append([check])
      }
    }
    return scans.map { Self($0, pipeline, tables) }
  }

  private init(_ checks: [Check], _ pipeline: Pipeline, _ tables: [String: StagedTable]) {
    self.checks = checks
    statements = checks.map {
      DefinedStatement(
        $0, of: pipeline, tables: tables, before: Gates.onlyReading + "SELECT count(*) FROM (",
        after: "\n) found")
    }
    let conditions = checks.compactMap(\.condition)
    guard conditions.count > 1, let table = conditions.first.flatMap({ tables[$0.table] }) else {
      together = nil
      return
    }
    let counts = conditions.map { condition in
      let isBroken = condition.isBroken.filled { name in
        tables[name].map { Quote.qualified($0.name) } ?? Quote.qualified(name)
      }
      return "count(*) FILTER (WHERE \(isBroken))"
    }
    together =
      Gates.onlyReading + "SELECT \(counts.joined(separator: ",\n")) FROM \(Quote.qualified(table.name)) this"
  }

  /// How many rows each of the checks finds, or what is wrong with its SQL.
  func count(on connection: Connection) throws -> [Result<Int, any Error>] {
    if let together {
      do {
        let row = try connection.execute(together)[0]
        return try checks.indices.map { .success(try row.value($0)) }
      } catch {
        // Each by itself says whether it is the one.
        guard let refusal = error as? PostgreSQLError, DefinedStatement.isToBlame(for: refusal) else {
          throw error
        }
      }
    }
    return try statements.map { try Self.count($0, on: connection) }
  }

  private static func count(
    _ statement: DefinedStatement, on connection: Connection
  ) throws -> Result<Int, any Error> {
    do {
      return .success(try connection.execute(statement.text)[0].value(0))
    } catch {
      guard DefinedStatement.isToBlame(for: error) else { throw error }
      return .failure(error)
    }
  }
}
