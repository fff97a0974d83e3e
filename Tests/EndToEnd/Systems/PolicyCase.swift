import PostgreSQL
import TestSupport
import Testing

/// Who does what with which outcome, in words for a failure.
struct PolicyCase: CustomTestStringConvertible, Sendable {
  let user: String?
  let sql: String
  let outcome: Client.Outcome

  init(_ user: String?, _ sql: String, _ outcome: Client.Outcome) {
    (self.user, self.sql, self.outcome) = (user, sql, outcome)
  }

  var testDescription: String { "\(user.map { String($0.suffix(1)) } ?? "anon"): \(sql)" }

  /// SELECT, INSERT, UPDATE or DELETE.
  var command: String { String(sql.prefix { $0 != " " }) }

  /// What it reads or writes, with its schema.
  var table: String? {
    let words = sql.split(whereSeparator: { " (".contains($0) })
    let before = ["SELECT": "FROM", "INSERT": "INTO", "DELETE": "FROM", "UPDATE": "UPDATE"][command]
    guard let place = words.firstIndex(where: { $0 == before ?? "" }), place + 1 < words.count else {
      return nil
    }
    return String(words[place + 1])
  }

  /// Something is seen or done.
  var isAllowed: Bool {
    if case .rows(let count) = outcome { count > 0 } else { false }
  }

  /// Compares the outcome in a database.
  func check(in database: TestDatabase) throws {
    let found = try Client(user, in: database).outcome(of: sql)
    #expect(found == outcome, "\(testDescription)")
  }
}

/// The cases of all systems.
enum PolicyCases {
  static let ana: String = PolicyFixture.ana
  static let ben: String = PolicyFixture.ben
  static let carol: String = PolicyFixture.carol

  static func row(_ number: Int) -> String { PolicyFixture.row(number) }

  static let all: [PolicyCase] = rvuTracker + clara + onCall + doula + ccc

  /// Of a table in which one row is Ana's and one is Ben's: all that Ana can do to hers, and nothing to his.
  ///
  /// `rows`: conditions that pick hers and his.
  /// `owner`: what says whose a row is: a column, and its values for what is hers and for what is not.
  /// `columns`: those of a new row, the owner's last.
  /// `values`: theirs, but for the owner's.
  static func ownOnly(
    _ table: String, rows: (mine: String, his: String), owner: (column: String, mine: String, his: String),
    columns: String, values: String
  ) -> [PolicyCase] {
    let insert: (String) -> String = {
      "INSERT INTO \(table) (\(columns), \(owner.column)) VALUES (\(values), \($0))"
    }
    return [
      PolicyCase(ana, "SELECT * FROM \(table)", .rows(1)),
      PolicyCase(ana, "SELECT * FROM \(table) WHERE \(rows.mine)", .rows(1)),
      PolicyCase(ana, "SELECT * FROM \(table) WHERE \(rows.his)", .rows(0)),
      PolicyCase(ana, "UPDATE \(table) SET updated_at = now() WHERE \(rows.mine)", .rows(1)),
      PolicyCase(ana, "UPDATE \(table) SET updated_at = now() WHERE \(rows.his)", .rows(0)),
      // Nobody gives away what is theirs.
      PolicyCase(ana, "UPDATE \(table) SET \(owner.column) = \(owner.his) WHERE \(rows.mine)", .forbidden),
      PolicyCase(ana, "DELETE FROM \(table) WHERE \(rows.mine)", .rows(1)),
      PolicyCase(ana, "DELETE FROM \(table) WHERE \(rows.his)", .rows(0)),
      PolicyCase(ana, insert(owner.mine), .rows(1)),
      PolicyCase(ana, insert(owner.his), .forbidden),
    ]
  }

  /// The same of a table with an identifier: `number` is hers, the next one his.
  static func ownOnly(
    _ table: String, _ number: Int, owner: (column: String, mine: String, his: String), columns: String = "",
    values: String = ""
  ) -> [PolicyCase] {
    let new = number / 10 * 10 + 9
    return ownOnly(
      table, rows: ("id = \(row(number))", "id = \(row(number + 1))"), owner: owner,
      columns: "id" + (columns.isEmpty ? "" : ", ") + columns,
      values: row(new) + (values.isEmpty ? "" : ", ") + values)
  }

  /// A table of people themselves: Carol can add herself, and only herself.
  static func ownPerson(_ table: String) -> [PolicyCase] {
    [
      PolicyCase(ana, "SELECT * FROM \(table)", .rows(1)),
      PolicyCase(ana, "SELECT * FROM \(table) WHERE id = '\(ben)'", .rows(0)),
      PolicyCase(ana, "UPDATE \(table) SET updated_at = now() WHERE id = '\(ana)'", .rows(1)),
      PolicyCase(ana, "UPDATE \(table) SET updated_at = now() WHERE id = '\(ben)'", .rows(0)),
      PolicyCase(ana, "UPDATE \(table) SET id = '\(carol)' WHERE id = '\(ana)'", .forbidden),
      PolicyCase(ana, "DELETE FROM \(table) WHERE id = '\(ana)'", .rows(1)),
      PolicyCase(ana, "DELETE FROM \(table) WHERE id = '\(ben)'", .rows(0)),
      PolicyCase(carol, "INSERT INTO \(table) (id) VALUES ('\(carol)')", .rows(1)),
      PolicyCase(ana, "INSERT INTO \(table) (id) VALUES ('\(carol)')", .forbidden),
    ]
  }

  /// Nobody who has signed in may do any of these to a table.
  static func refused(_ table: String, _ commands: String..., setting column: String = "updated_at")
    -> [PolicyCase]
  {
    commands.map { command in
      let sql =
        switch command {
        case "SELECT": "SELECT * FROM \(table)"
        case "INSERT": "INSERT INTO \(table) DEFAULT VALUES"
        case "UPDATE": "UPDATE \(table) SET \(column) = \(column)"
        default: "DELETE FROM \(table)"
        }
      return PolicyCase(ana, sql, .forbidden)
    }
  }
}
