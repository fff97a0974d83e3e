import TestSupport
import Testing

/// What Clara Provider's providers see of their queue, and users of their conversations.
@Suite("The review of triage conversations")
struct ReviewViewTests {
  private let clara: SystemDatabase

  init() throws {
    clara = try SystemDatabase()
    try clara.execute(
      """
      INSERT INTO clara.patient (id, user_id) VALUES (#31, @ana), (#32, @ben);
      INSERT INTO clara.conversation (id, user_id, patient_id, title, updated_at, deleted_at) VALUES
        (#41, @ana, #31, 'older', '2026-01-01', NULL), (#42, @ana, #31, 'newer', '2026-01-02', NULL),
        (#43, @ana, #31, 'gone', '2026-01-03', now()), (#44, @ben, NULL, 'of nobody', '2026-01-03', NULL);
      ALTER TABLE clara.provider_review_request ALTER id SET DEFAULT gen_random_uuid(),
        ALTER user_id SET DEFAULT @ana, ALTER conversation_id SET DEFAULT #41;
      """)
  }

  /// Makes requests for review, of these columns.
  private func request(_ columns: String, _ values: String) throws {
    try clara.execute("INSERT INTO clara.provider_review_request (\(columns)) VALUES \(values)")
  }

  @Test("counts requests by status and by triage, and tells since when the oldest waits, as they change")
  func counts() throws {
    try request(
      "id, created_at, status, triage_outcome, deleted_at",
      """
      (#51, '2026-01-05 10:00+00', 'pending', 'er_911', NULL),
      (#52, '2026-01-05 09:00+00', 'pending', 'er_911', NULL), (#53, '2026-01-05 08:00+00', 'pending', NULL, NULL),
      (#54, '2026-01-05 07:00+00', 'flagged', 'home_care', NULL),
      (#55, '2026-01-05 06:00+00', 'pending', 'home_care', '2026-01-09')
      """)
    try clara.refresh()
    let byStatus = "SELECT * FROM mart.review_status_count ORDER BY 1"
    let byTriage = "SELECT * FROM mart.review_pending_by_triage ORDER BY 1"
    try clara.expect(byStatus, "flagged|1|2026-01-05 07:00:00+00", "pending|3|2026-01-05 08:00:00+00")
    try clara.expect(byTriage, "er_911|2|2026-01-05 09:00:00+00", "-|1|2026-01-05 08:00:00+00")
    try clara.execute(
      """
      UPDATE clara.provider_review_request SET status = 'responded' WHERE id IN (#52, #54);
      UPDATE clara.provider_review_request SET deleted_at = NULL WHERE id = #55;
      DELETE FROM clara.provider_review_request WHERE id = #53;
      """)
    try clara.refresh()
    try clara.expect(byStatus, "pending|2|2026-01-05 06:00:00+00", "responded|2|2026-01-05 07:00:00+00")
    try clara.expect(byTriage, "er_911|1|2026-01-05 10:00:00+00", "home_care|1|2026-01-05 06:00:00+00")
  }

  @Test("tells the median and the 95th percentile of the minutes until an answer, by the project's days")
  func responseTime() throws {
    // On the 8th of March clocks go from two to three: that day has 23 hours, from 5:00 to 4:00 of UTC.
    try request(
      "id, status, created_at, responded_at, deleted_at",
      """
      (#51, 'responded', '2026-03-08 12:00+00', '2026-03-08 12:10+00', NULL),
      (#52, 'responded', '2026-03-08 12:00+00', '2026-03-08 12:20+00', NULL),
      (#53, 'responded', '2026-03-08 12:00+00', '2026-03-08 12:30+00', NULL),
      (#54, 'responded', '2026-03-08 12:00+00', '2026-03-08 12:40+00', NULL),
      (#61, 'responded', '2026-03-08 03:59:59+00', '2026-03-08 04:59:59+00', NULL),
      (#62, 'responded', '2026-03-08 03:00+00', '2026-03-08 05:00+00', NULL),
      (#63, 'responded', '2026-03-09 03:54+00', '2026-03-09 03:59+00', NULL),
      (#64, 'responded', '2026-03-09 03:00+00', '2026-03-09 04:00+00', NULL),
      (#65, 'pending', '2026-03-09 03:00+00', NULL, NULL),
      (#66, 'pending', '2026-03-08 12:00+00', '2026-03-08 13:00+00', '2026-01-09')
      """)
    try clara.refresh()
    let days = "SELECT day, responded, median_minutes, p95_minutes FROM mart.review_response_time ORDER BY 1"
    // Of 5, 10, 20, 30, 40 and 120 minutes: between 20 and 30, and three quarters of the way from 40 to 120.
    try clara.expect(days, "2026-03-07|1|60.0|60.0", "2026-03-08|6|25.0|100.0", "2026-03-09|1|60.0|60.0")
    try clara.execute(
      "UPDATE clara.provider_review_request SET responded_at = '2026-03-10 12:00+00' WHERE id = #62")
    try clara.refresh()
    try clara.expect(
      days, "2026-03-07|1|60.0|60.0", "2026-03-08|5|20.0|38.0", "2026-03-09|1|60.0|60.0",
      "2026-03-10|1|3420.0|3420.0")
  }

  @Test("counts what was answered today by provider, today being the project's day, 23 or 25 hours long")
  func respondedToday() throws {
    let moments = [
      "2026-03-08 04:59:59+00", "2026-03-08 05:00+00", "2026-03-09 03:59:59+00", "2026-03-09 04:00+00",
      "2026-11-01 03:59:59+00", "2026-11-01 04:00+00", "2026-11-01 05:30+00", "2026-11-01 06:30+00",
      "2026-11-02 04:59:59+00", "2026-11-02 05:00+00", "2026-12-31 23:00-05", "2027-01-01 00:00-05",
    ]
    let answers = moments.map { ($0, "carol") } + [("2026-11-01 12:00+00", "ben")]
    try request(
      "status, created_at, responded_at, provider_id, provider_name",
      answers.map { "('responded', '2026-01-01', '\($0)', @\($1), '\($1)')" }.joined(separator: ", "))
    let expected = [
      "2026-03-07": [1], "2026-03-08": [2], "2026-03-09": [1], "2026-10-31": [1], "2026-11-01": [1, 4],
      "2026-11-02": [1], "2026-12-31": [1], "2027-01-01": [1], "2027-01-02": [],
    ]
    for (day, counts) in expected {
      try clara.refresh("mart.responded_today", "--on", day)
      let found = try clara.rows("SELECT responded FROM mart.responded_today ORDER BY provider_id")
      #expect(found == counts.map { "\($0)" }, "\(day)")
    }
  }

  @Test("counts follow-ups of users that nobody has read, by conversation")
  func unread() throws {
    try clara.execute(
      """
      INSERT INTO clara.follow_up_message (id, conversation_id, user_id, is_from_user, sent_at, is_read, deleted_at)
      SELECT gen_random_uuid(), c, @ana, f, s, r, d
      FROM (VALUES (#41::uuid, true, timestamptz '2026-01-05 10:00+00', false, NULL::timestamptz),
        (#41, true, '2026-01-05 09:00+00', false, NULL), (#41, true, '2026-01-05 08:00+00', true, NULL),
        (#41, false, '2026-01-05 07:00+00', false, NULL), (#41, true, '2026-01-05 06:00+00', false, now()),
        (#42, true, '2026-01-05 05:00+00', true, NULL)) v(c, f, s, r, d)
      """)
    try clara.refresh()
    let unread =
      "SELECT right(conversation_id::text, 2), unread, oldest, newest FROM mart.unread_follow_up ORDER BY 1"
    try clara.expect(unread, "41|2|2026-01-05 09:00:00+00|2026-01-05 10:00:00+00")
    try clara.execute("UPDATE clara.follow_up_message SET is_read = NOT is_read WHERE is_from_user")
    try clara.refresh()
    let second = "42|1|2026-01-05 05:00:00+00|2026-01-05 05:00:00+00"
    try clara.expect(unread, "41|1|2026-01-05 08:00:00+00|2026-01-05 08:00:00+00", second)
    // Nobody is to read what a user has deleted.
    try clara.execute("UPDATE clara.conversation SET deleted_at = now() WHERE id = #41")
    try clara.refresh()
    try clara.expect(unread, second)
  }

  @Test(
    "shows a patient's conversations, the newest first, and the newest request's messages and the follow-ups in the order of time, what is in both once"
  )
  func timeline() throws {
    try clara.expect(
      "SELECT right(patient_id::text, 2), title, place FROM mart.patient_recent_conversations ORDER BY place",
      "31|newer|1", "31|older|2")
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
    try request(
      "created_at, conversation_messages, deleted_at",
      """
      ('2026-01-05 08:00+00', '\(first)', NULL), ('2026-01-05 10:30+00', '\(newest)', NULL),
      ('2026-01-05 11:00+00', '\(first)', '2026-01-09')
      """)
    try clara.execute(
      """
      INSERT INTO clara.follow_up_message (id, conversation_id, user_id, message_content, is_from_user, sent_at, is_read, deleted_at)
      VALUES
        -- Equal in sender, time and content: once. Another sender, time or content: again.
        (#61, #41, @ana, 'ear', true, '2026-01-05 10:03+00', false, NULL),
        (#62, #41, @ana, 'ear', true, '2026-01-05 10:03:00.001+00', false, NULL),
        (#63, #41, @ana, 'where?', false, '2026-01-05 10:01:00.250+00', true, NULL),
        (#64, #41, @ana, 'gone', true, '2026-01-05 10:04+00', false, now()),
        (#65, #41, @ana, 'come in', false, '2026-01-05 10:05+00', false, NULL),
        -- The server knows the same moment more exactly.
        (#66, #41, @ana, 'yes', true, '2026-01-05 10:06:30.123456+00', false, NULL);
      """)
    for zone in ["UTC", "America/New_York"] {
      try clara.execute("SET timezone = '\(zone)'")
      try clara.expect(
        """
        SELECT to_char(at AT TIME ZONE 'UTC', 'HH24:MI:SS.MS'), sender, content, image_url
        FROM mart.conversation_timeline WHERE conversation_id = #41
        """, "10:00:00.000|patient|it hurts|i", "10:01:00.250|clara|where?|-",
        "10:01:00.250|provider|where?|-", "10:02:00.000|patient|no zone|-", "10:03:00.000|patient|ear|-",
        "10:03:00.001|patient|ear|-", "10:05:00.000|provider|come in|-",
        // Of one moment, as they were written.
        "10:06:00.000|patient|she fell|-", "10:06:00.000|clara|awake?|-", "10:06:30.123|patient|yes|-",
        // Equal in all but a time that nobody can read.
        "-|patient|no time|-", "-|patient|no time|-")
    }
    try clara.expect(
      "SELECT content, is_read FROM mart.conversation_timeline WHERE content IN ('ear', 'yes') AND NOT is_read",
      "ear|f", "ear|f", "yes|f")
    // Workers may not catch errors, and many messages have workers.
    try clara.execute(
      "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0")
    if try !clara.rows("SELECT FROM pg_settings WHERE name = 'force_parallel_mode'").isEmpty {
      try clara.execute("SET force_parallel_mode = on")
    }
    try clara.expect("SELECT count(*) FROM mart.conversation_timeline WHERE sender = 'patient'", "8")
  }
}
