import PostgreSQL
import TestSupport

/// Makes transactions that change ``ShardedFacts`` in every way that Citus lets a session do it.
struct ShardedChanges {
  private var random: RandomNumbers

  init(seed: UInt64) { random = RandomNumbers(seed: seed) }

  /// Does some transactions, of which some are rolled back.
  mutating func run(_ transactions: Int, on connection: Connection) throws {
    for _ in 0..<transactions {
      let isUndone = random.oneIn(4)
      struct Undone: Error {}
      do {
        try connection.transaction {
          for _ in 0...random.below(3) { try change(on: connection) }
          if isUndone { throw Undone() }
        }
      } catch is Undone {
      } catch let error as PostgreSQLError where Self.isConflict(error.sqlState) {
        continue
      }
    }
  }

  /// Keys that are there by now, and what another session prevents.
  static func isConflict(_ state: String?) -> Bool {
    state.map { $0.hasPrefix("23") || $0.hasPrefix("40") || ["55P03", "21000"].contains($0) } ?? false
  }

  private mutating func user() -> Int { random.below(30) }
  private mutating func id() -> Int { random.below(40) }
  private mutating func day() -> String { "date '2025-01-01' + \(random.below(120))" }
  private mutating func code() -> String { random.oneIn(5) ? "NULL" : "'c\(random.below(9))'" }
  private mutating func units() -> String {
    random.pick(["NULL", "1", "1.0", "1.00", "\(random.below(50))"])
  }
  private mutating func moment() -> String {
    "timestamptz '2025-01-01Z' + interval '1 h' * \(random.below(100))"
  }

  private mutating func change(on connection: Connection) throws {
    switch random.below(12) {
    case 0:
      let first = 1_000 + random.below(1_000_000)
      let lines = (0...random.below(40)).map { "\(user())\t\(first + $0)\t2025-0\(1 + random.below(4))-10" }
      let text = Array((lines.joined(separator: "\n") + "\n").utf8)
      try connection.copy(into: "app.visit", columns: ["user_id", "id", "day"]) { try $0.raw(text.span) }
    case 11 where random.oneIn(8):
      try connection.execute(random.oneIn(2) ? "TRUNCATE app.visit" : "TRUNCATE app.procedure")
    default: try connection.execute(statement())
    }
  }

  private mutating func statement() -> String {
    switch random.below(11) {
    case 0:
      "INSERT INTO app.visit VALUES (\(user()), \(id()), \(day()), 'a'), (\(user()), \(id()), \(day()), NULL) ON CONFLICT DO NOTHING"
    case 1:
      """
      INSERT INTO app.visit AS v VALUES (\(user()), \(id()), \(day()), 'b') ON CONFLICT (user_id, id) DO UPDATE
      SET day = excluded.day, status = v.status || '+'
      """
    case 2: "UPDATE app.visit SET day = \(day()) WHERE user_id = \(user())"
    case 3: "UPDATE app.visit SET status = 'x' WHERE id % 20 = \(random.below(20))"
    case 4: "DELETE FROM app.visit WHERE id = \(id())"
    case 5:
      """
      INSERT INTO app.procedure (user_id, id, visit_id, code, units, at)
      SELECT user_id, id + \(random.below(3)), id, \(code()), \(units()), \(moment()) FROM app.visit
      WHERE id % 10 = \(random.below(10)) ON CONFLICT (user_id, id) DO UPDATE SET units = excluded.units, at = excluded.at
      """
    case 6:
      "UPDATE app.procedure SET code = \(code()), visit_id = nullif(visit_id, \(id())) WHERE user_id = \(user())"
    case 7: "UPDATE app.procedure SET units = units::numeric(10, \(random.below(4))) WHERE id = \(id())"
    case 8:
      "DELETE FROM app.procedure p USING app.visit v WHERE p.user_id = v.user_id AND p.id = v.id AND v.id = \(id())"
    case 9:
      """
      MERGE INTO app.procedure p USING app.visit v ON p.user_id = v.user_id AND p.id = v.id
      WHEN MATCHED AND v.status IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET units = p.units + 1
      WHEN NOT MATCHED AND v.id < 5 THEN INSERT (user_id, id, code) VALUES (v.user_id, v.id, \(code()))
      """
    default: "UPDATE app.procedure SET at = \(moment()) WHERE user_id = \(user()) AND id < \(id())"
    }
  }
}
