import Foundation
import PostgreSQL
import TestSupport
import Testing

/// A random export of RVU Tracker, and its figures computed one visit after the other, without the database.
struct RVUExport {
  struct Visit {
    var user: Int
    /// Since 1970-01-01.
    var day: Int
    var isNoShow: Bool
    var isDeleted: Bool
  }

  struct Procedure {
    var visit: Int
    var code: Int
    /// Work relative value units of one, in hundredths.
    var hundredths: Int
    var quantity: Int
    var isDeleted: Bool
    /// It is no longer in the table.
    var isGone = false
  }

  static let codes = ["99213", "99214", "99215", "G0439", "0001F"]

  private(set) var visits: [Visit]
  private(set) var procedures: [Procedure]
  private var numbers: RandomNumbers
  private let users: Int
  private var changedVisits: [Int]
  private var changedProcedures: [Int]

  init(seed: UInt64, procedures count: Int, users: Int) {
    var numbers = RandomNumbers(seed: seed)
    self.users = users
    let visitCount = count * 3 / 10
    visits = (0..<visitCount).map { _ in Self.visit(&numbers, users: users) }
    procedures = (0..<count).map { _ in Self.procedure(&numbers, visits: visitCount) }
    changedVisits = Array(visits.indices)
    changedProcedures = Array(procedures.indices)
    self.numbers = numbers
  }

  private static func visit(_ numbers: inout RandomNumbers, users: Int) -> Visit {
    Visit(
      user: numbers.below(users), day: day(&numbers), isNoShow: numbers.oneIn(12),
      isDeleted: numbers.oneIn(15))
  }

  /// A day of 2019 to 2027, often one where a year ends.
  private static func day(_ numbers: inout RandomNumbers) -> Int {
    let first = CalendarDate.number(2019, 12, 20)
    guard numbers.oneIn(5) else { return first + numbers.below(CalendarDate.number(2027, 1, 12) - first) }
    return CalendarDate.number(2020 + numbers.below(8), 1, 1) - 5 + numbers.below(10)
  }

  private static func procedure(_ numbers: inout RandomNumbers, visits: Int) -> Procedure {
    Procedure(
      visit: numbers.below(visits), code: numbers.below(codes.count), hundredths: numbers.below(4_000),
      quantity: 1 + numbers.below(4), isDeleted: numbers.oneIn(20))
  }

  /// Changes some rows: visits move to other days and users, are missed, deleted and restored; procedures
  /// come, go, and move to other visits.
  mutating func change(_ count: Int) {
    for _ in 0..<count {
      let visit = numbers.below(visits.count)
      switch numbers.below(5) {
      case 0: visits[visit].day = Self.day(&numbers)
      case 1: visits[visit].isNoShow.toggle()
      case 2: visits[visit].isDeleted.toggle()
      case 3: visits[visit].user = numbers.below(users)
      default: visits[visit] = Self.visit(&numbers, users: users)
      }
      changedVisits.append(visit)
      let procedure = numbers.below(procedures.count)
      switch numbers.below(5) {
      case 0: procedures[procedure].isGone = true
      case 1: procedures[procedure].isDeleted.toggle()
      case 2: procedures[procedure].quantity = 1 + numbers.below(9)
      case 3: procedures[procedure].visit = numbers.below(visits.count)
      default: procedures[procedure] = Self.procedure(&numbers, visits: visits.count)
      }
      changedProcedures.append(procedure)
      procedures.append(Self.procedure(&numbers, visits: visits.count))
      changedProcedures.append(procedures.count - 1)
    }
  }

  /// Writes the files of it, as somebody's database would, into a folder.
  func write(to folder: String) throws {
    let files = [
      ("users.csv", "id", (0..<users).lazy.map { Self.id(1, $0) }.joined(separator: "\n")),
      (
        "visits.csv", "id,user_id,date,is_no_show,deleted_at",
        visits.indices.lazy.map { number in
          let visit = visits[number]
          let date = Self.date(visit.day)
          return "\(Self.id(2, number)),\(Self.id(1, visit.user)),\(date),\(visit.isNoShow ? "t" : "f"),"
            + (visit.isDeleted ? "2026-01-01T00:00:00Z" : "")
        }.joined(separator: "\n")
      ),
      (
        "procedures.csv", "id,visit_id,code,work_rvu,quantity,deleted_at",
        procedures.indices.lazy.map { number in
          let one = procedures[number]
          let units = "\(one.hundredths / 100).\(one.hundredths % 100 / 10)\(one.hundredths % 10)"
          return
            "\(Self.id(3, number)),\(Self.id(2, one.visit)),\(Self.codes[one.code]),\(units),\(one.quantity),"
            + (one.isDeleted ? "2026-01-01T00:00:00Z" : "")
        }.joined(separator: "\n")
      ),
    ]
    for (name, header, lines) in files {
      try "\(header)\n\(lines)\n".write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
  }

  private static func id(_ table: Int, _ number: Int) -> String {
    let digits = String(number)
    return "0000000\(table)-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
  }

  private static func date(_ day: Int) -> String {
    let (year, month) = CalendarDate.yearAndMonth(day)
    let rest = day - CalendarDate.number(year, month, 1) + 1
    return "\(year)-\(month < 10 ? "0" : "")\(month)-\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Brings the tables to what the export is now.
  mutating func write(on connection: Connection) throws {
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS new_visit (n int, user_n int, day int, no_show bool, deleted bool);
      CREATE TEMP TABLE IF NOT EXISTS new_procedure
        (n int, visit_n int, code int, hundredths int, quantity int, deleted bool, gone bool);
      TRUNCATE new_visit, new_procedure;
      """)
    try connection.copy(into: "new_visit", columns: ["n", "user_n", "day", "no_show", "deleted"]) { rows in
      for number in Set(changedVisits) {
        let visit = visits[number]
        for field in [number, visit.user, visit.day] { rows.field(field) }
        for flag in [visit.isNoShow, visit.isDeleted] { rows.field(flag ? 1 : 0) }
        try rows.endRow()
      }
    }
    try connection.copy(
      into: "new_procedure",
      columns: ["n", "visit_n", "code", "hundredths", "quantity", "deleted", "gone"]
    ) { rows in
      for number in Set(changedProcedures) {
        let procedure = procedures[number]
        for field in [number, procedure.visit, procedure.code, procedure.hundredths, procedure.quantity] {
          rows.field(field)
        }
        for flag in [procedure.isDeleted, procedure.isGone] { rows.field(flag ? 1 : 0) }
        try rows.endRow()
      }
    }
    (changedVisits, changedProcedures) = ([], [])
    let codes = Self.codes.map { Quote.literal($0) }.joined(separator: ", ")
    let id = { (table: Int, column: String) in
      "('0000000\(table)-0000-4000-8000-' || lpad(\(column)::text, 12, '0'))::uuid"
    }
    try connection.execute(
      """
      INSERT INTO rvutrack.app_user (id) SELECT \(id(1, "n")) FROM generate_series(0, \(users - 1)) n ON CONFLICT DO NOTHING;
      INSERT INTO rvutrack.visit (id, user_id, visit_date, is_no_show, deleted_at)
        SELECT \(id(2, "n")), \(id(1, "user_n")), date '1970-01-01' + day, no_show, CASE WHEN deleted THEN now() END
        FROM new_visit
        ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, visit_date = excluded.visit_date,
          is_no_show = excluded.is_no_show, deleted_at = excluded.deleted_at;
      INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu, quantity, deleted_at)
        SELECT \(id(3, "n")), \(id(2, "visit_n")), (ARRAY[\(codes)])[code + 1], hundredths / 100.0, quantity,
          CASE WHEN deleted THEN now() END
        FROM new_procedure WHERE NOT gone
        ON CONFLICT (id) DO UPDATE SET visit_id = excluded.visit_id, hcpcs = excluded.hcpcs,
          work_rvu = excluded.work_rvu, quantity = excluded.quantity, deleted_at = excluded.deleted_at;
      DELETE FROM rvutrack.procedure WHERE id IN (SELECT \(id(3, "n")) FROM new_procedure WHERE gone);
      """)
  }
}

/// Days of the Gregorian calendar, counted from 1970-01-01, which was a Thursday.
enum CalendarDate {
  /// The number of a day: years are taken to begin in March, so that a leap day is the last of one.
  static func number(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  /// The year and month of a day from 1600 on, found by trying.
  static func yearAndMonth(_ day: Int) -> (year: Int, month: Int) {
    var year = 1970 + day / 366
    while number(year + 1, 1, 1) <= day { year += 1 }
    var month = 12
    while number(year, month, 1) > day { month -= 1 }
    return (year, month)
  }

  /// The first days of the day itself, its ISO week, month and year.
  static func periods(_ day: Int) -> [Int] {
    let (year, month) = yearAndMonth(day)
    return [day, day - (day + 3) % 7, number(year, month, 1), number(year, 1, 1)]
  }
}
