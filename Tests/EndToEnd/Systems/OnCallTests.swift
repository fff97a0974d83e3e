import PostgreSQL
import TestSupport
import Testing

/// Who is on call, until when, and when nobody is.
@Suite("Who is on call")
struct OnCallTests {
  private let oncall: SystemDatabase

  init() throws { oncall = try SystemDatabase() }

  /// Shifts, each `specialty|plan|provider|start|end` of January 2026 in UTC, an end of `-` being none; and
  /// entries of the directory, each `name|specialty|phone`.
  private func add(_ shifts: [String], directory: [String] = []) throws {
    for (table, columns, rows) in [
      ("schedule", "specialty, healthcare_plan, provider, starts_at, ends_at", shifts),
      ("directory", "provider_name, specialty, phone_number", directory),
    ] {
      for row in rows {
        let fields = row.split(separator: "|", omittingEmptySubsequences: false).map {
          $0 == "-" ? "NULL" : Quote.literal(String($0))
        }
        try oncall.execute(
          "INSERT INTO oncall.\(table) (id, \(columns)) VALUES (gen_random_uuid(), \(fields.joined(separator: ", ")))"
        )
      }
    }
  }

  private func now(_ at: String, _ specialty: String = "") throws -> [String] {
    try oncall.rows(
      """
      SELECT specialty, healthcare_plan, provider, phone_number FROM mart.on_call_now('\(at)')
      WHERE starts_with(specialty || '|' || healthcare_plan, '\(specialty)') ORDER BY 1, 2, 3
      """)
  }

  @Test("is nobody whom a placeholder names: the record is refused with its reason")
  func placeholders() throws {
    let names = ["Ada Exley", "N/A", "--", "None", "tbd", "<UNAVAIL>", "Nan Zane"].enumerated()
    try oncall.scratch.write(
      "schedules.csv",
      People.identified(
        "id,starts_at,specialty,provider\n"
          + names.map { "{\($0)},2026-01-05T08:00:00Z,Urology,\($1)\n" }.joined()))
    try oncall.scratch.write(
      "directory.csv",
      People.identified(
        "id,provider_name,specialty,phone_number\n"
          + names.map { "{\($0)},\($1),Urology,203-555-1000\n" }.joined()))
    try oncall.program.run("run", "oncall", oncall.scratch.path).failed(3, saying: "the value is missing")
    try oncall.program.run("run", "oncall", oncall.scratch.path, "--max-rejects", "10").succeeded()
    try oncall.expect("SELECT provider_name FROM oncall.directory ORDER BY 1", "Ada Exley", "Nan Zane")
    try oncall.expect("SELECT provider FROM oncall.schedule ORDER BY 1", "Ada Exley", "Nan Zane")
  }

  @Test("is who began last, until the end that is known, else the next start, at most a day")
  func now() throws {
    try add([
      "cardiology|A|Early|2026-01-05 08:00+00|2026-01-05 12:00+00",
      "cardiology|A|Open|2026-01-05 14:00+00|-",
      "cardiology|A|Next|2026-01-05 20:00+00|-",
      // Another plan, and another specialty, end no shift of these.
      "cardiology|B|Other plan|2026-01-05 16:00+00|2026-01-05 17:00+00",
      "urology|A|Other specialty|2026-01-05 16:00+00|2026-01-05 17:00+00",
      // Two that begin together are on call together.
      "surgery||One|2026-01-05 08:00+00|-", "surgery||Two|2026-01-05 08:00+00|-",
    ])
    func expect(_ moments: [(String, [String])]) throws {
      for (at, providers) in moments {
        let found = try now("2026-01-\(at):00+00", "cardiology|A")
        #expect(found == providers.map { "cardiology|A|\($0)|-" }, "\(at)")
      }
    }
    try expect([
      ("05 07:59", []), ("05 08:00", ["Early"]), ("05 11:59", ["Early"]), ("05 12:00", []),
      ("05 14:00", ["Open"]), ("05 19:59", ["Open"]), ("05 20:00", ["Next"]), ("06 19:59", ["Next"]),
      ("06 20:00", []),
    ])
    #expect(try now("2026-01-06 07:59:59+00", "surgery") == ["surgery||One|-", "surgery||Two|-"])
    #expect(try now("2026-01-06 08:00+00", "surgery") == [])
    // The limit is a setting.
    try oncall.execute("UPDATE oncall.setting SET value = '12 hours' WHERE name = 'longest_shift'")
    try expect([("06 07:59", ["Next"]), ("06 08:00", [])])
    // Without an argument it is who is on call now.
    try oncall.execute(
      """
      INSERT INTO oncall.schedule (id, specialty, provider, starts_at)
      VALUES (#1, 'now', 'N', now() - interval '1 hour'), (#2, 'late', 'L', now() + interval '1 hour')
      """)
    try oncall.expect("SELECT specialty FROM mart.on_call_now()", "now")
  }

  @Test("is for 24 hours where clocks are changed too, in whatever time zone somebody asks")
  func clocks() throws {
    try add(["c||Spring|2026-03-07 20:00-05|-", "c||Autumn|2026-10-31 20:00-04|-"])
    for zone in ["America/New_York", "UTC", "Pacific/Auckland"] {
      try oncall.execute("SET timezone = '\(zone)'")
      // Twenty-four hours later it is nine in the evening in spring, and seven in autumn.
      #expect(try now("2026-03-08 20:59:59-04") == ["c||Spring|-"])
      #expect(try now("2026-03-08 21:00-04") == [])
      #expect(try now("2026-11-01 18:59:59-05") == ["c||Autumn|-"])
      #expect(try now("2026-11-01 19:00-05") == [])
    }
  }

  @Test("is found under a name, a specialty and a plan however somebody writes them")
  func spellings() throws {
    try add(
      [
        "OB/GYN|Plan A|Dr. Zoë Núñez, M.D.|2026-01-05 08:00+00|-",
        "ob-gyn|PLAN A|Anna Do|2026-01-05 12:00+00|-",
        "Ob Gyn|plan  a|Anna Lee DO|2026-01-05 16:00+00|2026-01-05 20:00+00",
      ],
      directory: [
        "Zoe\u{308} Nu\u{301}n\u{303}ez|Ob / Gyn|+12125550101", "ANNA DO, D.O.|OB GYN|+12125550102",
        "Prof. Dr. Anna Lee (DO), MPH|ob/gyn|+12125550103", "Anna|OB/GYN|+12125550104",
      ])
    // Each shift ends where the next one of the specialty and plan begins.
    for (at, phone) in [("09:00", "+12125550101"), ("12:00", "+12125550102"), ("16:00", "+12125550103")] {
      try oncall.expect("SELECT phone_number FROM mart.on_call_now('2026-01-05 \(at)+00')", phone)
    }
    try oncall.expect("SELECT * FROM mart.on_call_unmatched")
    try oncall.expect("SELECT gap_starts_at FROM mart.on_call_gap", "2026-01-05 20:00:00+00")
  }

  @Test("is found in the directory by name and specialty, whatever the title, case, accents and punctuation")
  func phone() throws {
    let start = "2026-01-05 08:00+00|-"
    try add(
      [
        "Cardiology|1|Dr. Ana de la Cruz|\(start)", "cardiology|2|O'Brien, Pat|\(start)",
        "Cardiology|3|ÁLVAREZ José MD, PhD|\(start)", "Cardiology|4|Alvarez Jose|\(start)",
        "Surgery|5|Ana de la Cruz|\(start)", "Surgery|6|Nobody|\(start)",
        "Surgery|7|Nobody|2026-01-07 08:00+00|-",
      ],
      directory: [
        "ANA DE-LA CRUZ, M.D.|cardiology|+12125550101", "OBrien Pat|CARDIOLOGY|+12125550102",
        "Álvarez José|Cardiology|+12125550103", "Alvarez Jose|Urology|+12125550104",
      ])
    try oncall.expect(
      "SELECT healthcare_plan, phone_number FROM mart.on_call_now('2026-01-05 09:00+00') ORDER BY 1",
      "1|+12125550101", "2|+12125550102", "3|+12125550103", "4|+12125550103", "5|-", "6|-")
    try oncall.expect(
      """
      SELECT provider, specialty, shifts, first_shift = '2026-01-05 08:00+00', last_shift::date
      FROM mart.on_call_unmatched ORDER BY 1
      """, "Ana de la Cruz|Surgery|1|t|2026-01-05", "Nobody|Surgery|2|t|2026-01-07")
    // Both ask by the program, too.
    let answer = try oncall.program.run("query", "mart.on_call_unmatched", "--as", "csv")
    #expect(answer.output.contains("Nobody,Surgery,2,"), "\(answer.errors)")
  }

  @Test("is nobody in the gaps, which long shifts cover, by specialty and plan")
  func gaps() throws {
    try add([
      // Covered until 12, nobody until 14:30, then a day at most, then nobody for six hours.
      "c|A|p|2026-01-05 08:00+00|2026-01-05 12:00+00", "c|A|p|2026-01-05 14:30+00|-",
      "c|A|p|2026-01-06 20:30+00|2026-01-06 21:00+00",
      // A shift that ends as the next begins leaves none.
      "c|A|p|2026-01-06 21:00+00|2026-01-06 22:00+00",
      // A long one covers the time between two short ones.
      "d|A|long|2026-01-05 08:00+00|2026-01-05 18:00+00", "d|A|p|2026-01-05 09:00+00|2026-01-05 10:00+00",
      "d|A|p|2026-01-05 17:00+00|2026-01-05 19:00+00", "d|A|p|2026-01-05 19:00+00|2026-01-05 20:00+00",
      // Plans have gaps of their own.
      "d|B|p|2026-01-05 08:00+00|2026-01-05 09:00+00", "d|B|p|2026-01-05 09:45+00|2026-01-05 10:00+00",
    ])
    try oncall.expect(
      "SELECT * FROM mart.on_call_gap WHERE gap_ends_at IS NOT NULL ORDER BY specialty, healthcare_plan, gap_starts_at",
      "c|A|2026-01-05 12:00:00+00|2026-01-05 14:30:00+00|2.50",
      "c|A|2026-01-06 14:30:00+00|2026-01-06 20:30:00+00|6.00",
      "d|B|2026-01-05 09:00:00+00|2026-01-05 09:45:00+00|0.75")
    // Since the last shift there is nobody, until somebody is.
    let open =
      "SELECT specialty, healthcare_plan, gap_starts_at FROM mart.on_call_gap WHERE gap_ends_at IS NULL AND hours > 24 ORDER BY 1, 2"
    let (c, d) = ("c|A|2026-01-06 22:00:00+00", "d|A|2026-01-05 20:00:00+00")
    try oncall.expect(open, c, d, "d|B|2026-01-05 10:00:00+00")
    try oncall.execute(
      """
      INSERT INTO oncall.schedule (id, specialty, healthcare_plan, provider, starts_at)
      VALUES (#1, 'd', 'B', 'p', now() - interval '1 hour')
      """)
    try oncall.expect(open, c, d)
  }

  @Test(
    "can be narrowed down to what is there, and is searched by parts of names in any case, percent signs and underscores being just that"
  )
  func search() throws {
    let names = ["Ana Cruz", "ANABEL", "100% Care", "a_b", "axb", "back\\slash", "Joan"]
    try add(
      names.map { "\($0 == "Joan" ? "d|B" : "c|")|\($0)|2026-01-05 08:00+00|-" },
      directory: names.map { "\($0)|c|+12125550100" })
    let cases: [(String, Set<String>)] = [
      ("ana", ["Ana Cruz", "ANABEL"]), ("an", ["Ana Cruz", "ANABEL", "Joan"]), ("%", ["100% Care"]),
      ("_", ["a_b"]), ("A_B", ["a_b"]), ("\\", ["back\\slash"]), ("", Set(names)), ("a%z", []),
      ("n' OR true --", []),
    ]
    for (words, expected) in cases {
      for (function, column) in [("search_directory", "provider_name"), ("search_schedule", "provider")] {
        let found = try oncall.rows("SELECT \(column) FROM oncall.\(function)(\(Quote.literal(words)))")
        #expect(Set(found) == expected, "\(function) \(words)")
      }
    }
    try oncall.refresh("mart.on_call_filter_values")
    try oncall.expect(
      "SELECT * FROM mart.on_call_filter_values WHERE filter <> 'provider' OR value = 'Joan' ORDER BY 1, 2",
      "healthcare_plan|B|1", "provider|Joan|1", "specialty|c|6", "specialty|d|1")
  }

  @Test("is searched by an index, for a client as for the owner")
  func index() throws {
    try oncall.execute(
      """
      INSERT INTO oncall.directory (id, provider_name, specialty, phone_number)
        SELECT gen_random_uuid(), md5(n::text), 'c', '+12125550100' FROM generate_series(1, 20000) n;
      INSERT INTO oncall.schedule (id, provider, specialty, starts_at)
        SELECT gen_random_uuid(), md5(n::text), 'c', now() FROM generate_series(1, 20000) n;
      ANALYZE oncall.directory, oncall.schedule;
      """)
    for (function, index) in [
      ("search_directory", "directory_provider_idx"), ("search_schedule", "schedule_provider_idx"),
    ] {
      for role in ["RESET ROLE", "SET ROLE authenticated"] {
        try oncall.execute(role)
        let plan = try oncall.rows("EXPLAIN SELECT * FROM oncall.\(function)('abcde')")
        #expect(plan.contains { $0.contains(index) }, "\(role): \(plan)")
      }
    }
  }
}
