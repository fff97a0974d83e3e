/// The figures of RVU Tracker, as one loop over an export gives them.
struct RVUFigures {
  struct Totals {
    var hundredths = 0
    var encounters = 0
    var noShows = 0

    /// With the average in ten thousandths, rounded half away from zero, which nobody has without an encounter.
    var text: String {
      let average = encounters == 0 ? "-" : "\((2 * hundredths * 100 + encounters) / (2 * encounters))"
      return "\(hundredths)|\(encounters)|\(noShows)|\(average)"
    }

    static func + (one: Totals, other: Totals) -> Totals {
      Totals(
        hundredths: one.hundredths + other.hundredths, encounters: one.encounters + other.encounters,
        noShows: one.noShows + other.noShows)
    }
  }

  /// By user, day, week, month or year, and its first day.
  var periods: [[Int]: Totals] = [:]
  /// Quantity and hundredths by user, day and code.
  private var codes: [[Int]: (quantity: Int, hundredths: Int)] = [:]
  /// Procedures and hundredths of each visit.
  private var visits: [Int: (procedures: Int, hundredths: Int)] = [:]

  init(of export: RVUExport) {
    var totals = [(procedures: Int, hundredths: Int)](repeating: (0, 0), count: export.visits.count)
    for procedure in export.procedures where !procedure.isDeleted {
      totals[procedure.visit].procedures += 1
      let visit = export.visits[procedure.visit]
      guard !visit.isNoShow, !visit.isDeleted else { continue }
      let units = procedure.hundredths * procedure.quantity
      totals[procedure.visit].hundredths += units
      codes[[visit.user, visit.day, procedure.code], default: (0, 0)].quantity += procedure.quantity
      codes[[visit.user, visit.day, procedure.code], default: (0, 0)].hundredths += units
    }
    for (number, visit) in export.visits.enumerated() where !visit.isDeleted {
      visits[number] = totals[number]
      for (kind, first) in (CalendarDay.periods[visit.day] ?? []).enumerated() {
        let one = Totals(
          hundredths: totals[number].hundredths, encounters: visit.isNoShow ? 0 : 1,
          noShows: visit.isNoShow ? 1 : 0)
        periods[[visit.user, kind, first]] = (periods[[visit.user, kind, first]] ?? Totals()) + one
      }
    }
  }

  /// A line for each figure.
  var lines: Set<String> {
    let text = { (key: [Int]) in key.map { "\($0)" }.joined(separator: "|") }
    return Set(
      periods.map { "period|\(text($0))|\($1.text)" }
        + codes.map { "code|\(text($0))|\($1.quantity)|\($1.hundredths)" }
        + visits.map { "visit|\($0)|\($1.procedures)|\($1.hundredths)" })
  }

  /// The same lines as the views have them.
  static let query = """
    SELECT concat_ws('|', 'period', right(user_id::text, 12)::int,
      array_position(ARRAY['day', 'week', 'month', 'year'], period) - 1, start_date - date '1970-01-01', \(totals))
    FROM mart.rvu_by_period
    UNION ALL SELECT concat_ws('|', 'code', right(user_id::text, 12)::int, visit_date - date '1970-01-01',
      array_position('{\(RVUExport.codes.joined(separator: ","))}'::text[], hcpcs) - 1, quantity, trim_scale(rvu * 100))
    FROM mart.rvu_by_hcpcs
    UNION ALL SELECT concat_ws('|', 'visit', right(id::text, 12)::int, procedures, trim_scale(total_rvu * 100))
    FROM mart.visit_total
    """

  /// What a view has of ``Totals``.
  static let totals = """
    trim_scale(total_rvu * 100), encounters, no_shows, coalesce(trim_scale(avg_rvu_per_encounter * 10000)::text, '-')
    """
}
