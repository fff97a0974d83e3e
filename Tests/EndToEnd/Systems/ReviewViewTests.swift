import PostgreSQL
import TestSupport
import Testing

/// What Clara Provider's providers see of their queue, and users of their conversations.
@Suite("The review of triage conversations")
struct ReviewViewTests {
  private func make() throws -> (TestDatabase, Program, Connection) {
    let (database, program) = try Loaded.migrated()
    let connection = try database.connect()
    try connection.execute(
      """
      INSERT INTO clara.patient (id, user_id) VALUES ('\(People.id(31))', '\(People.ana)'), ('\(People.id(32))', '\(People.ben)');
      INSERT INTO clara.conversation (id, user_id, patient_id, title, updated_at, deleted_at) VALUES
        ('\(People.id(41))', '\(People.ana)', '\(People.id(31))', 'older', '2026-01-01', NULL),
        ('\(People.id(42))', '\(People.ana)', '\(People.id(31))', 'newer', '2026-01-02', NULL),
        ('\(People.id(43))', '\(People.ana)', '\(People.id(31))', 'gone', '2026-01-03', now()),
        ('\(People.id(44))', '\(People.ben)', NULL, 'of nobody', '2026-01-03', NULL);
      SET timezone = 'UTC';
      """)
    return (database, program, connection)
  }

  /// A request for review, made at a moment and answered at one or never.
  private func request(
    _ number: Int, _ created: String, status: String = "pending", triage: String? = nil,
    answered: String? = nil,
    by provider: String? = nil, deleted: Bool = false, messages: String = "[]", of conversation: Int = 41,
    on connection: Connection
  ) throws {
    try connection.query(
      """
      INSERT INTO clara.provider_review_request (id, user_id, conversation_id, created_at, status, triage_outcome,
        responded_at, provider_id, provider_name, deleted_at, conversation_messages)
      VALUES ($1::uuid, $2::uuid, $3::uuid, $4::timestamptz, $5, $6, $7::timestamptz, $8::text::uuid, $8::text, $9::timestamptz, $10::jsonb)
      """,
      [
        .text(People.id(number)), .text(People.ana), .text(People.id(conversation)), .text(created),
        .text(status),
        Parameter(triage), Parameter(answered), Parameter(provider), Parameter(deleted ? "2026-01-09" : nil),
        .text(messages),
      ])
  }

  private func refresh(_ program: Program, on date: String? = nil) throws {
    let outcome = try program.run(["refresh"] + (date.map { ["--on", $0] } ?? []))
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("counts requests by status and by triage, and tells since when the oldest waits, as they change")
  func counts() throws {
    let (_, program, connection) = try make()
    try request(51, "2026-01-05 10:00+00", triage: "er_911", on: connection)
    try request(52, "2026-01-05 09:00+00", triage: "er_911", on: connection)
    try request(53, "2026-01-05 08:00+00", on: connection)
    try request(54, "2026-01-05 07:00+00", status: "flagged", triage: "home_care", on: connection)
    try request(55, "2026-01-05 06:00+00", triage: "home_care", deleted: true, on: connection)
    try refresh(program)
    let byStatus = "SELECT * FROM mart.review_status_count ORDER BY 1"
    let byTriage = "SELECT * FROM mart.review_pending_by_triage ORDER BY 1"
    #expect(
      try connection.lines(byStatus) == [
        "flagged|1|2026-01-05 07:00:00+00", "pending|3|2026-01-05 08:00:00+00",
      ])
    #expect(
      try connection.lines(byTriage) == ["er_911|2|2026-01-05 09:00:00+00", "-|1|2026-01-05 08:00:00+00"])
    try connection.execute(
      """
      UPDATE clara.provider_review_request SET status = 'responded' WHERE id IN ('\(People.id(52))', '\(People.id(54))');
      UPDATE clara.provider_review_request SET deleted_at = NULL WHERE id = '\(People.id(55))';
      DELETE FROM clara.provider_review_request WHERE id = '\(People.id(53))';
      """)
    try refresh(program)
    #expect(
      try connection.lines(byStatus) == [
        "pending|2|2026-01-05 06:00:00+00", "responded|2|2026-01-05 07:00:00+00",
      ])
    #expect(
      try connection.lines(byTriage) == [
        "er_911|1|2026-01-05 10:00:00+00", "home_care|1|2026-01-05 06:00:00+00",
      ])
  }

  @Test("tells the median and the 95th percentile of the minutes until an answer, by the project's days")
  func responseTime() throws {
    let (_, program, connection) = try make()
    // On the 8th of March clocks go from two to three: that day has 23 hours, from 5:00 to 4:00 of UTC.
    for (number, minutes) in [10, 20, 30, 40].enumerated() {
      try request(
        51 + number, "2026-03-08 12:00+00", status: "responded", answered: "2026-03-08 12:\(minutes)+00",
        on: connection)
    }
    try request(
      61, "2026-03-08 03:59:59+00", status: "responded", answered: "2026-03-08 04:59:59+00", on: connection)
    try request(
      62, "2026-03-08 03:00+00", status: "responded", answered: "2026-03-08 05:00+00", on: connection)
    try request(
      63, "2026-03-09 03:54+00", status: "responded", answered: "2026-03-09 03:59+00", on: connection)
    try request(
      64, "2026-03-09 03:00+00", status: "responded", answered: "2026-03-09 04:00+00", on: connection)
    try request(65, "2026-03-09 03:00+00", on: connection)
    try request(66, "2026-03-08 12:00+00", answered: "2026-03-08 13:00+00", deleted: true, on: connection)
    try refresh(program)
    let days = "SELECT day, responded, median_minutes, p95_minutes FROM mart.review_response_time ORDER BY 1"
    // Of 5, 10, 20, 30, 40 and 120 minutes: between 20 and 30, and three quarters of the way from 40 to 120.
    #expect(
      try connection.lines(days) == [
        "2026-03-07|1|60.0|60.0", "2026-03-08|6|25.0|100.0", "2026-03-09|1|60.0|60.0",
      ])
    try connection.execute(
      "UPDATE clara.provider_review_request SET responded_at = '2026-03-10 12:00+00' WHERE id = '\(People.id(62))'"
    )
    try refresh(program)
    #expect(
      try connection.lines(days) == [
        "2026-03-07|1|60.0|60.0", "2026-03-08|5|20.0|38.0", "2026-03-09|1|60.0|60.0",
        "2026-03-10|1|3420.0|3420.0",
      ])
  }

  @Test("counts what was answered today by provider, today being the project's day, 23 or 25 hours long")
  func respondedToday() throws {
    let (_, program, connection) = try make()
    let moments = [
      "2026-03-08 04:59:59+00", "2026-03-08 05:00+00", "2026-03-09 03:59:59+00", "2026-03-09 04:00+00",
      "2026-11-01 03:59:59+00", "2026-11-01 04:00+00", "2026-11-01 05:30+00", "2026-11-01 06:30+00",
      "2026-11-02 04:59:59+00", "2026-11-02 05:00+00", "2026-12-31 23:00-05", "2027-01-01 00:00-05",
    ]
    for (number, moment) in moments.enumerated() {
      try request(
        51 + number, "2026-01-01", status: "responded", answered: moment, by: People.carol, on: connection)
    }
    try request(
      71, "2026-01-01", status: "responded", answered: "2026-11-01 12:00+00", by: People.ben, on: connection)
    let expected = [
      "2026-03-07": [1], "2026-03-08": [2], "2026-03-09": [1], "2026-10-31": [1], "2026-11-01": [1, 4],
      "2026-11-02": [1], "2026-12-31": [1], "2027-01-01": [1], "2027-01-02": [],
    ]
    for (day, counts) in expected {
      try refresh(program, on: day)
      let found = try connection.lines("SELECT responded FROM mart.responded_today ORDER BY provider_id").map
      { Int($0) }
      #expect(found == counts, "\(day)")
    }
  }

  @Test("counts follow-ups of users that nobody has read, by conversation")
  func unread() throws {
    let (_, program, connection) = try make()
    try connection.execute(
      """
      INSERT INTO clara.follow_up_message (id, conversation_id, user_id, is_from_user, sent_at, is_read, deleted_at)
      SELECT gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad(c::text, 12, '0'))::uuid, '\(People.ana)', f, s, r, d
      FROM (VALUES (41, true, timestamptz '2026-01-05 10:00+00', false, NULL::timestamptz),
        (41, true, '2026-01-05 09:00+00', false, NULL), (41, true, '2026-01-05 08:00+00', true, NULL),
        (41, false, '2026-01-05 07:00+00', false, NULL), (41, true, '2026-01-05 06:00+00', false, now()),
        (42, true, '2026-01-05 05:00+00', true, NULL)) v(c, f, s, r, d)
      """)
    try refresh(program)
    let unread = "SELECT right(conversation_id::text, 2), unread, oldest, newest FROM mart.unread_follow_up"
    #expect(try connection.lines(unread) == ["41|2|2026-01-05 09:00:00+00|2026-01-05 10:00:00+00"])
    try connection.execute("UPDATE clara.follow_up_message SET is_read = NOT is_read WHERE is_from_user")
    try refresh(program)
    #expect(
      try connection.lines(unread + " ORDER BY 1") == [
        "41|1|2026-01-05 08:00:00+00|2026-01-05 08:00:00+00",
        "42|1|2026-01-05 05:00:00+00|2026-01-05 05:00:00+00",
      ])
    // Nobody is to read what a user has deleted.
    try connection.execute("UPDATE clara.conversation SET deleted_at = now() WHERE id = '\(People.id(41))'")
    try refresh(program)
    #expect(try connection.lines(unread).map { $0.prefix(4) } == ["42|1"])
  }

  @Test("shows a patient's conversations, the newest first, without those that are gone")
  func recent() throws {
    let (_, _, connection) = try make()
    #expect(
      try connection.lines(
        "SELECT right(patient_id::text, 2), title, place FROM mart.patient_recent_conversations ORDER BY place"
      )
        == ["31|newer|1", "31|older|2"])
  }

  @Test("shows the newest request's messages and the follow-ups in the order of time, what is in both once")
  func timeline() throws {
    let (_, _, connection) = try make()
    let first =
      #"[{"content": "of a request that a newer one replaces", "isFromUser": true, "timestamp": "2026-01-05T08:00:00Z"}]"#
    let newest = """
      [{"content": "it hurts", "isFromUser": true, "timestamp": "2026-01-05T10:00:00Z", "imageURL": "i"},
       {"content": "where?", "isFromUser": false, "timestamp": "2026-01-05T10:01:00.250Z"},
       {"content": "it hurts", "isFromUser": true, "timestamp": "2026-01-05T05:00:00-05:00"},
       {"content": "no zone", "isFromUser": true, "timestamp": "2026-01-05T10:02:00"},
       {"content": "no time", "isFromUser": true, "timestamp": "yesterday"},
       {"content": "ear", "isFromUser": true, "timestamp": "2026-01-05T10:03:00Z"},
       {"content": "she fell", "isFromUser": true, "timestamp": "2026-01-05T10:06:00Z"},
       {"content": "awake?", "isFromUser": false, "timestamp": "2026-01-05T10:06:00Z"},
       {"content": "yes", "isFromUser": true, "timestamp": "2026-01-05T10:06:30.123Z"},
       {"content": "no time", "isFromUser": true}]
      """
    try request(51, "2026-01-05 08:00+00", messages: first, on: connection)
    try request(52, "2026-01-05 10:30+00", messages: newest, on: connection)
    try request(53, "2026-01-05 11:00+00", deleted: true, messages: first, on: connection)
    try connection.execute(
      """
      INSERT INTO clara.follow_up_message (id, conversation_id, user_id, message_content, is_from_user, sent_at, is_read, deleted_at)
      VALUES
        -- Equal in sender, time and content: once. Another sender, time or content: again.
        ('\(People.id(61))', '\(People.id(41))', '\(People.ana)', 'ear', true, '2026-01-05 10:03+00', false, NULL),
        ('\(People.id(62))', '\(People.id(41))', '\(People.ana)', 'ear', true, '2026-01-05 10:03:00.001+00', false, NULL),
        ('\(People.id(63))', '\(People.id(41))', '\(People.ana)', 'where?', false, '2026-01-05 10:01:00.250+00', true, NULL),
        ('\(People.id(64))', '\(People.id(41))', '\(People.ana)', 'gone', true, '2026-01-05 10:04+00', false, now()),
        ('\(People.id(65))', '\(People.id(41))', '\(People.ana)', 'come in', false, '2026-01-05 10:05+00', false, NULL),
        -- The server knows the same moment more exactly.
        ('\(People.id(66))', '\(People.id(41))', '\(People.ana)', 'yes', true, '2026-01-05 10:06:30.123456+00', false, NULL);
      """)
    for zone in ["UTC", "America/New_York"] {
      try connection.execute("SET timezone = '\(zone)'")
      #expect(
        try connection.lines(
          """
          SELECT to_char(at AT TIME ZONE 'UTC', 'HH24:MI:SS.MS'), sender, content, image_url
          FROM mart.conversation_timeline WHERE conversation_id = '\(People.id(41))'
          """) == [
            "10:00:00.000|patient|it hurts|i", "10:01:00.250|clara|where?|-",
            "10:01:00.250|provider|where?|-",
            "10:02:00.000|patient|no zone|-", "10:03:00.000|patient|ear|-", "10:03:00.001|patient|ear|-",
            "10:05:00.000|provider|come in|-",
            // Of one moment, as they were written.
            "10:06:00.000|patient|she fell|-", "10:06:00.000|clara|awake?|-",
            "10:06:30.123|patient|yes|-",
            // Equal in all but a time that nobody can read.
            "-|patient|no time|-", "-|patient|no time|-",
          ])
    }
    #expect(
      try connection.lines(
        "SELECT content, is_read FROM mart.conversation_timeline WHERE content IN ('ear', 'yes') AND NOT is_read"
      ) == ["ear|f", "ear|f", "yes|f"])
    // Workers may not catch errors, and many messages have workers.
    try connection.execute(
      "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0")
    if try connection.execute("SELECT FROM pg_settings WHERE name = 'force_parallel_mode'").count > 0 {
      try connection.execute("SET force_parallel_mode = on")
    }
    #expect(
      try connection.lines("SELECT count(*) FROM mart.conversation_timeline WHERE sender = 'patient'") == [
        "8"
      ])
  }
}
