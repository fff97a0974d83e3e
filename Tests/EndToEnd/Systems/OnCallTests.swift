import PostgreSQL
import TestSupport
import Testing

/// Who is on call, until when, and when nobody is.
@Suite("Who is on call")
struct OnCallTests {
  /// A database with shifts, each `specialty|plan|provider|start|end`, an end of `-` being none.
  private func make(_ shifts: [String], directory: [String] = []) throws -> (TestDatabase, Program) {
    let (database, program) = try Loaded.migrated()
    let connection = try database.connect()
    for shift in shifts {
      let fields = shift.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
      try connection.query(
        """
        INSERT INTO oncall.schedule (id, specialty, healthcare_plan, provider, starts_at, ends_at)
        VALUES (gen_random_uuid(), $1, $2, $3, $4::timestamptz, nullif($5, '-')::timestamptz)
        """, fields.map { .text($0) })
    }
    for entry in directory {
      let fields = entry.split(separator: "|").map { String($0) }
      try connection.query(
        """
        INSERT INTO oncall.directory (id, provider_name, specialty, phone_number)
        VALUES (gen_random_uuid(), $1, $2, $3)
        """, fields.map { .text($0) })
    }
    return (database, program)
  }

  private func now(_ at: String, on connection: Connection) throws -> [String] {
    try connection.lines(
      "SELECT specialty, healthcare_plan, provider, phone_number FROM mart.on_call_now('\(at)')")
  }

  @Test("is nobody whom a placeholder names: the record is refused with its reason")
  func placeholders() throws {
    let (database, program) = try Loaded.migrated()
    let scratch = try Scratch()
    let names = ["Ada Exley", "N/A", "--", "None", "tbd", "<UNAVAIL>", "Nan Zane"]
    func id(_ number: Int) -> String { "00000000-0000-4000-8200-00000000000\(number)" }
    try scratch.write(
      "schedules.csv",
      "id,starts_at,specialty,provider\n"
        + names.enumerated().map { "\(id($0)),2026-01-05T08:00:00Z,Urology,\($1)\n" }.joined())
    try scratch.write(
      "directory.csv",
      "id,provider_name,specialty,phone_number\n"
        + names.enumerated().map { "\(id($0)),\($1),Urology,203-555-1000\n" }.joined())
    let refused = try program.run("run", "oncall", scratch.path)
    #expect(refused.status == 3 && refused.errors.contains("the value is missing"), "\(refused.errors)")
    let run = try program.run("run", "oncall", scratch.path, "--max-rejects", "10")
    try #require(run.status == 0, "\(run.errors)")
    for column in ["provider_name FROM oncall.directory", "provider FROM oncall.schedule"] {
      let found = try database.value(
        "SELECT string_agg(name, '; ' ORDER BY name) FROM (SELECT \(column)) t (name)")
      #expect(found == "Ada Exley; Nan Zane")
    }
  }

  @Test("is who began last, until the end that is known, else the next start, at most a day")
  func now() throws {
    let (database, _) = try make([
      "cardiology|A|Early|2026-01-05 08:00+00|2026-01-05 12:00+00",
      "cardiology|A|Open|2026-01-05 14:00+00|-",
      "cardiology|A|Next|2026-01-05 20:00+00|-",
      // Another plan, and another specialty, end no shift of these.
      "cardiology|B|Other plan|2026-01-05 16:00+00|2026-01-05 17:00+00",
      "urology|A|Other specialty|2026-01-05 16:00+00|2026-01-05 17:00+00",
      // Two that begin together are on call together.
      "surgery||One|2026-01-05 08:00+00|-",
      "surgery||Two|2026-01-05 08:00+00|-",
    ])
    let connection = try database.connect()
    let cardiology = { (at: String) in
      try now("2026-01-\(at):00+00", on: connection).filter { $0.hasPrefix("cardiology|A") }.map {
        $0.split(separator: "|")[2]
      }
    }
    #expect(try cardiology("05 07:59") == [])
    #expect(try cardiology("05 08:00") == ["Early"])
    #expect(try cardiology("05 11:59") == ["Early"])
    #expect(try cardiology("05 12:00") == [])
    #expect(try cardiology("05 14:00") == ["Open"])
    #expect(try cardiology("05 19:59") == ["Open"])
    #expect(try cardiology("05 20:00") == ["Next"])
    #expect(try cardiology("06 19:59") == ["Next"])
    #expect(try cardiology("06 20:00") == [])
    let together = try now("2026-01-06 07:59:59+00", on: connection).filter { $0.hasPrefix("surgery") }
    #expect(together == ["surgery||One|-", "surgery||Two|-"])
    #expect(try now("2026-01-06 08:00+00", on: connection).filter { $0.hasPrefix("surgery") } == [])
    // The limit is a setting.
    try connection.execute("UPDATE oncall.setting SET value = '12 hours' WHERE name = 'longest_shift'")
    #expect(try cardiology("06 07:59") == ["Next"])
    #expect(try cardiology("06 08:00") == [])
    // Without an argument it is who is on call now.
    try connection.execute(
      """
      INSERT INTO oncall.schedule (id, specialty, provider, starts_at)
      VALUES (gen_random_uuid(), 'now', 'N', now() - interval '1 hour'), (gen_random_uuid(), 'late', 'L', now() + interval '1 hour')
      """)
    #expect(try connection.lines("SELECT specialty FROM mart.on_call_now()") == ["now"])
  }

  @Test("is found under a name, a specialty and a plan however somebody writes them")
  func spellings() throws {
    let (database, _) = try make(
      [
        "OB/GYN|Plan A|Dr. Zoë Núñez, M.D.|2026-01-05 08:00+00|-",
        "ob-gyn|PLAN A|Anna Do|2026-01-05 12:00+00|-",
        "Ob Gyn|plan  a|Anna Lee DO|2026-01-05 16:00+00|2026-01-05 20:00+00",
      ],
      directory: [
        "Zoe\u{308} Nu\u{301}n\u{303}ez|Ob / Gyn|+12125550101", "ANNA DO, D.O.|OB GYN|+12125550102",
        "Prof. Dr. Anna Lee (DO), MPH|ob/gyn|+12125550103", "Anna|OB/GYN|+12125550104",
      ])
    let connection = try database.connect()
    let phone = { (at: String) in
      try connection.lines("SELECT phone_number FROM mart.on_call_now('2026-01-05 \(at)+00')")
    }
    // Each shift ends where the next one of the specialty and plan begins.
    #expect(try phone("09:00") == ["+12125550101"])
    #expect(try phone("12:00") == ["+12125550102"])
    #expect(try phone("16:00") == ["+12125550103"])
    #expect(try connection.lines("SELECT * FROM mart.on_call_unmatched") == [])
    #expect(try connection.lines("SELECT gap_starts_at FROM mart.on_call_gap") == ["2026-01-05 20:00:00+00"])
  }

  @Test("is for 24 hours where clocks are changed too, in whatever time zone somebody asks")
  func clocks() throws {
    let (database, _) = try make(["c||Spring|2026-03-07 20:00-05|-", "c||Autumn|2026-10-31 20:00-04|-"])
    let connection = try database.connect()
    for zone in ["America/New_York", "UTC", "Pacific/Auckland"] {
      try connection.execute("SET timezone = '\(zone)'")
      // Twenty-four hours later it is nine in the evening in spring, and seven in autumn.
      #expect(try now("2026-03-08 20:59:59-04", on: connection) == ["c||Spring|-"])
      #expect(try now("2026-03-08 21:00-04", on: connection) == [])
      #expect(try now("2026-11-01 18:59:59-05", on: connection) == ["c||Autumn|-"])
      #expect(try now("2026-11-01 19:00-05", on: connection) == [])
    }
  }

  @Test("is found in the directory by name and specialty, whatever the title, case, accents and punctuation")
  func phone() throws {
    let start = "2026-01-05 08:00+00|-"
    let (database, program) = try make(
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
    let connection = try database.connect()
    let phones = try now("2026-01-05 09:00+00", on: connection).map { line in
      let fields = line.split(separator: "|")
      return "\(fields[1]) \(fields[3])"
    }
    #expect(
      phones.sorted() == [
        "1 +12125550101", "2 +12125550102", "3 +12125550103", "4 +12125550103", "5 -", "6 -",
      ])
    let unmatched = try connection.lines(
      "SELECT provider, specialty, shifts, first_shift = '2026-01-05 08:00+00', last_shift FROM mart.on_call_unmatched ORDER BY 2, 1"
    )
    #expect(unmatched.filter { $0.hasPrefix("Nobody|Surgery|2|t|2026-01-07") }.count == 1)
    #expect(unmatched.count == 2)
    // Both ask by the program, too.
    let answer = try program.run("query", "mart.on_call_unmatched", "--as", "csv")
    #expect(answer.output.contains("Nobody,Surgery,2,"), "\(answer.errors)")
  }

  @Test("is nobody in the gaps, which long shifts cover, by specialty and plan")
  func gaps() throws {
    let (database, _) = try make([
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
    let connection = try database.connect()
    try connection.execute("SET timezone = 'UTC'")
    #expect(
      try connection.lines(
        "SELECT * FROM mart.on_call_gap WHERE gap_ends_at IS NOT NULL ORDER BY specialty, healthcare_plan, gap_starts_at"
      ) == [
        "c|A|2026-01-05 12:00:00+00|2026-01-05 14:30:00+00|2.50",
        "c|A|2026-01-06 14:30:00+00|2026-01-06 20:30:00+00|6.00",
        "d|B|2026-01-05 09:00:00+00|2026-01-05 09:45:00+00|0.75",
      ])
    // Since the last shift there is nobody, until somebody is.
    let open =
      "SELECT specialty, healthcare_plan, gap_starts_at FROM mart.on_call_gap WHERE gap_ends_at IS NULL AND hours > 24 ORDER BY 1, 2"
    #expect(
      try connection.lines(open) == [
        "c|A|2026-01-06 22:00:00+00", "d|A|2026-01-05 20:00:00+00", "d|B|2026-01-05 10:00:00+00",
      ])
    try connection.execute(
      """
      INSERT INTO oncall.schedule (id, specialty, healthcare_plan, provider, starts_at)
      VALUES (gen_random_uuid(), 'd', 'B', 'p', now() - interval '1 hour')
      """)
    #expect(try connection.lines(open).count == 2)
  }

  @Test("can be narrowed down to what is there, each with its shifts")
  func filters() throws {
    let (database, program) = try make([
      "c|A|p|2026-01-05 08:00+00|-", "c||p|2026-01-06 08:00+00|-", "d|B|q|2026-01-05 08:00+00|-",
    ])
    let refresh = try program.run("refresh", "mart.on_call_filter_values")
    #expect(refresh.status == 0, "\(refresh.errors)")
    #expect(
      try database.connect().lines("SELECT * FROM mart.on_call_filter_values ORDER BY 1, 2") == [
        "healthcare_plan|A|1", "healthcare_plan|B|1", "provider|p|2", "provider|q|1", "specialty|c|2",
        "specialty|d|1",
      ])
  }

  @Test("is searched by parts of names in any case, percent signs and underscores being just that")
  func search() throws {
    let names = ["Ana Cruz", "ANABEL", "100% Care", "a_b", "axb", "back\\slash", "Joan"]
    let (database, _) = try make(
      names.map { "c||\($0)|2026-01-05 08:00+00|-" }, directory: names.map { "\($0)|c|+12125550100" })
    let connection = try database.connect()
    let cases: [(String, Set<String>)] = [
      ("ana", ["Ana Cruz", "ANABEL"]), ("an", ["Ana Cruz", "ANABEL", "Joan"]), ("%", ["100% Care"]),
      ("_", ["a_b"]),
      ("A_B", ["a_b"]), ("\\", ["back\\slash"]), ("", Set(names)), ("a%z", []), ("n' OR true --", []),
    ]
    for (words, expected) in cases {
      for (function, column) in [("search_directory", "provider_name"), ("search_schedule", "provider")] {
        let found = try connection.query("SELECT \(column) FROM oncall.\(function)($1)", [.text(words)])
        #expect(Set(found.rows.compactMap { $0[0] }) == expected, "\(function) \(words)")
      }
    }
  }

  @Test("is searched by an index, for a client as for the owner")
  func index() throws {
    let (database, _) = try Loaded.migrated()
    let owner = try database.connect()
    try owner.execute(
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
        try owner.execute(role)
        let plan = try owner.lines("EXPLAIN SELECT * FROM oncall.\(function)('abcde')").joined(
          separator: "\n")
        #expect(plan.contains(index), "\(role): \(plan)")
      }
    }
  }
}
