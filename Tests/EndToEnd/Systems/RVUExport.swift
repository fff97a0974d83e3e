import Foundation
import TestSupport

/// A random export of RVU Tracker, whose rows change at random.
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
  }

  static let codes = ["99213", "99214", "99215", "G0439", "0001F"]
  static let users = 25

  private(set) var visits: [Visit] = []
  private(set) var procedures: [Procedure] = []
  private var numbers: RandomNumbers

  init(seed: UInt64, procedures count: Int) {
    numbers = RandomNumbers(seed: seed)
    for _ in 0..<count * 3 / 10 { visits.append(visit()) }
    for _ in 0..<count { procedures.append(procedure()) }
  }

  private mutating func visit() -> Visit {
    Visit(
      user: numbers.below(Self.users), day: day(), isNoShow: numbers.oneIn(12), isDeleted: numbers.oneIn(15))
  }

  /// A day of 2019 to 2027, often one where a year ends.
  private mutating func day() -> Int {
    guard numbers.oneIn(5) else {
      return CalendarDay.known.lowerBound + numbers.below(CalendarDay.known.count)
    }
    return numbers.pick(CalendarDay.newYears) - 5 + numbers.below(10)
  }

  private mutating func procedure() -> Procedure {
    Procedure(
      visit: numbers.below(visits.count), code: numbers.below(Self.codes.count),
      hundredths: numbers.below(4_000), quantity: 1 + numbers.below(4), isDeleted: numbers.oneIn(20))
  }

  /// Changes some rows: visits move to other days and users, are missed, deleted and restored; procedures
  /// come, go, and move to other visits. None comes to a visit that was deleted before, which would not take it.
  mutating func change(_ count: Int) {
    let kept = visits.indices.filter { !visits[$0].isDeleted }
    for _ in 0..<count {
      let visit = numbers.below(visits.count)
      switch numbers.below(5) {
      case 0: visits[visit].day = day()
      case 1: visits[visit].isNoShow.toggle()
      case 2: visits[visit].isDeleted.toggle()
      case 3: visits[visit].user = numbers.below(Self.users)
      default: visits[visit] = self.visit()
      }
      let procedure = numbers.below(procedures.count)
      switch numbers.below(4) {
      case 0: procedures[procedure].isDeleted.toggle()
      case 1: procedures[procedure].quantity = 1 + numbers.below(9)
      case 2: procedures[procedure].visit = numbers.below(visits.count)
      default: procedures[procedure] = self.procedure()
      }
      procedures.append(self.procedure())
      procedures[procedures.count - 1].visit = numbers.pick(kept)
    }
  }

  /// Forgets the last procedure; gives its identifier.
  mutating func remove() -> String {
    procedures.removeLast()
    return Self.id(3, procedures.count)
  }

  /// Writes the files of it, as somebody's database would, into a folder.
  func write(to folder: String) throws {
    let deleted = { (isDeleted: Bool) in isDeleted ? "2026-01-01T00:00:00Z" : "" }
    let files = [
      ("users.csv", "id", (0..<Self.users).map { Self.id(1, $0) }),
      (
        "visits.csv", "id,user_id,date,is_no_show,deleted_at",
        visits.enumerated().map { number, visit in
          "\(Self.id(2, number)),\(Self.id(1, visit.user)),\(CalendarDay.texts[visit.day] ?? ""),"
            + "\(visit.isNoShow),\(deleted(visit.isDeleted))"
        }
      ),
      (
        "procedures.csv", "id,visit_id,code,work_rvu,quantity,deleted_at",
        procedures.enumerated().map { number, one in
          let units = "\(one.hundredths / 100).\(one.hundredths % 100 / 10)\(one.hundredths % 10)"
          return "\(Self.id(3, number)),\(Self.id(2, one.visit)),\(Self.codes[one.code]),\(units),"
            + "\(one.quantity),\(deleted(one.isDeleted))"
        }
      ),
    ]
    for (name, header, lines) in files {
      try "\(header)\n\(lines.joined(separator: "\n"))\n".write(
        toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }
  }

  private static func id(_ table: Int, _ number: Int) -> String {
    "0000000\(table)" + People.id(number).dropFirst(8)
  }
}

/// Days as Foundation has them, counted from 1970-01-01.
enum CalendarDay {
  /// From 2019-12-20 to 2027-01-12.
  static let known = 18_250..<20_831

  /// `2019-12-20` and so on.
  static let texts = Dictionary(
    uniqueKeysWithValues: known.map { ($0, date($0).formatted(.iso8601.year().month().day())) })

  /// The first days of the day itself, its ISO week, month and year.
  static let periods: [Int: [Int]] = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return Dictionary(
      uniqueKeysWithValues: known.map { day in
        let starts = [.weekOfYear, .month, .year].compactMap { component in
          calendar.dateInterval(of: component, for: date(day))?.start
        }
        return (day, [day] + starts.map { Int($0.timeIntervalSince1970) / 86_400 })
      })
  }()

  static let newYears = known.filter { periods[$0]?.last == $0 }

  private static func date(_ day: Int) -> Date { Date(timeIntervalSince1970: Double(day) * 86_400) }
}
