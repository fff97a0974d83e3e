import PostgreSQL
import Testing

/// The figures of RVU Tracker: as one loop over an export gives them, and as the database has them.
struct RVUFigures: Equatable {
  /// A user's day, week, month or year.
  struct Period: Hashable {
    let user: Int
    let kind: Int
    let first: Int
  }

  struct Totals: Equatable {
    var hundredths = 0
    var encounters = 0
    var noShows = 0
    /// In ten thousandths, rounded half away from zero; nil without an encounter.
    var average: Int?
  }

  static let kinds = ["day", "week", "month", "year"]

  var periods: [Period: Totals] = [:]
  /// Quantity and hundredths by user, day and code.
  var codes: [[Int]: [Int]] = [:]
  /// Procedures and hundredths of each visit.
  var visits: [Int: [Int]] = [:]

  /// By one loop over everything.
  init(of export: RVUExport, withCodes: Bool) {
    var hundredths = [Int](repeating: 0, count: export.visits.count)
    var counts = hundredths
    for procedure in export.procedures where !procedure.isGone && !procedure.isDeleted {
      let units = procedure.hundredths * procedure.quantity
      counts[procedure.visit] += 1
      let visit = export.visits[procedure.visit]
      guard !visit.isNoShow, !visit.isDeleted else { continue }
      hundredths[procedure.visit] += units
      if withCodes {
        let former = codes[[visit.user, visit.day, procedure.code]] ?? [0, 0]
        codes[[visit.user, visit.day, procedure.code]] = [former[0] + procedure.quantity, former[1] + units]
      }
    }
    for (number, visit) in export.visits.enumerated() where !visit.isDeleted {
      if withCodes { visits[number] = [counts[number], hundredths[number]] }
      for (kind, first) in CalendarDate.periods(visit.day).enumerated() {
        let period = Period(user: visit.user, kind: kind, first: first)
        periods[period, default: Totals()].hundredths += hundredths[number]
        if visit.isNoShow {
          periods[period, default: Totals()].noShows += 1
        } else {
          periods[period, default: Totals()].encounters += 1
        }
      }
    }
    periods = periods.mapValues { totals in
      var totals = totals
      let encounters = totals.encounters
      if encounters > 0 { totals.average = (2 * totals.hundredths * 100 + encounters) / (2 * encounters) }
      return totals
    }
  }

  /// As the views have them.
  init(on connection: Connection, withCodes: Bool) throws {
    let number = { (column: String) in "right(\(column)::text, 12)::int" }
    let day = { (column: String) in "\(column) - date '1970-01-01'" }
    let found = try connection.execute(
      """
      SELECT \(number("user_id")), array_position(ARRAY['day', 'week', 'month', 'year'], period) - 1, \(day("start_date")),
        trim_scale(total_rvu * 100), encounters, no_shows, trim_scale(avg_rvu_per_encounter * 10000)
      FROM mart.rvu_by_period
      """)
    for row in found.rows {
      let period = Period(
        user: try row.value(0, Int.self), kind: try row.value(1, Int.self), first: try row.value(2, Int.self))
      periods[period] = Totals(
        hundredths: try row.value(3, Int.self), encounters: try row.value(4, Int.self),
        noShows: try row.value(5, Int.self), average: try row.optional(6, Int.self))
    }
    try #require(periods.count == found.count)
    guard withCodes else { return }
    let names = RVUExport.codes.map { Quote.literal($0) }.joined(separator: ", ")
    let byCode = try connection.execute(
      """
      SELECT \(number("user_id")), \(day("visit_date")), array_position(ARRAY[\(names)], hcpcs) - 1, quantity,
        trim_scale(rvu * 100)
      FROM mart.rvu_by_hcpcs
      """)
    for row in byCode.rows {
      let values = try (0..<5).map { try row.value($0, Int.self) }
      codes[Array(values[..<3])] = Array(values[3...])
    }
    let byVisit = try connection.execute(
      "SELECT \(number("id")), procedures, trim_scale(total_rvu * 100) FROM mart.visit_total")
    for row in byVisit.rows {
      visits[try row.value(0, Int.self)] = [try row.value(1, Int.self), try row.value(2, Int.self)]
    }
  }

  /// Some of what differs, in words.
  func differences(from other: RVUFigures) -> [String] {
    var found: [String] = []
    for period in Set(periods.keys).union(other.periods.keys) where periods[period] != other.periods[period] {
      found.append("\(period): \(periods[period] as Any), \(other.periods[period] as Any)")
    }
    for code in Set(codes.keys).union(other.codes.keys) where codes[code] != other.codes[code] {
      found.append("code \(code): \(codes[code] as Any), \(other.codes[code] as Any)")
    }
    for visit in Set(visits.keys).union(other.visits.keys) where visits[visit] != other.visits[visit] {
      found.append("visit \(visit): \(visits[visit] as Any), \(other.visits[visit] as Any)")
    }
    return Array(found.prefix(5))
  }
}
