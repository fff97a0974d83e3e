import TestSupport
import Testing

/// The figures of CCC.
@Suite("Messages, calls, emergencies and measurements")
struct CommunicationViewTests {
  @Test(
    "are counted by status, name and the project's days, also where those have 23 or 25 hours, as they change"
  )
  func counts() throws {
    let ccc = try SystemDatabase()
    try ccc.execute(
      """
      INSERT INTO ccc.app_user (id) VALUES (@ana), (@ben);
      -- One was revoked.
      INSERT INTO ccc.message (id, sender_id, recipient_id, content, sent_at, status, deleted_at)
      SELECT gen_random_uuid(), @ana, @ben, 'x', at, status, gone FROM (VALUES
        (timestamptz '2026-01-05 10:00+00', 'sent', NULL::timestamptz), ('2026-01-05 11:00+00', 'sent', NULL),
        ('2026-01-05 12:00+00', 'failed', NULL), ('2026-01-05 09:00+00', 'sent', now())) v(at, status, gone);
      -- A call that goes on has no length.
      INSERT INTO ccc.call (id, caller_id, callee_id, started_at, ended_at)
      SELECT gen_random_uuid(), @ana, @ben, at, at + length::interval FROM (VALUES
        (timestamptz '2026-03-08 04:59:59+00', '10 seconds'), ('2026-03-08 05:00+00', '1 second'),
        ('2026-03-09 03:59:59+00', '2 seconds'), ('2026-03-09 03:00+00', '0'), ('2026-03-09 03:30+00', NULL),
        ('2026-03-09 04:00+00', NULL), ('2026-11-01 04:00+00', '3 seconds'),
        ('2026-11-02 04:59:59+00', '4.5 seconds'), ('2026-11-02 05:00+00', '5 seconds')) v(at, length);
      INSERT INTO ccc.emergency (id, reported_by, severity, opened_at, closed_at, status) VALUES
        (#1, @ana, 'high', '2026-01-05 10:00+00', NULL, 'open'),
        (#2, @ana, 'low', '2026-01-05 09:00+00', '2026-01-05 09:30+00', 'closed');
      INSERT INTO ccc.analytics_event (id, name, properties, at)
      SELECT gen_random_uuid(), name, properties::jsonb, at FROM (VALUES
        ('opened', '{}', timestamptz '2026-11-01 03:59:59+00'), ('opened', '{}', '2026-11-01 04:00+00'),
        ('opened', '{}', '2026-11-02 04:59:59+00'), ('closed', '{}', '2026-11-01 12:00+00'),
        ('performance.start', '{"value": 1.5}', '2026-11-01 12:00+00'),
        ('performance.start', '{"value": 2}', '2026-11-02 12:00+00'),
        ('performance.start', '{"value": -0.25}', '2026-11-03 12:00+00'),
        ('performance.start', '{"value": "fast"}', '2026-11-03 12:00+00'),
        ('performance.start', '{}', '2026-11-03 12:00+00'), ('performance.none', '{}', '2026-11-03 12:00+00'),
        ('performances', '{"value": 9}', '2026-11-03 12:00+00')) v(name, properties, at);
      """)
    try ccc.refresh()
    let messages = "SELECT * FROM mart.message_status_count ORDER BY 1"
    let metrics = "SELECT * FROM mart.performance_metric ORDER BY 1"
    try ccc.expect(
      messages, "failed|1|2026-01-05 12:00:00+00|2026-01-05 12:00:00+00",
      "sent|2|2026-01-05 10:00:00+00|2026-01-05 11:00:00+00")
    try ccc.expect(
      """
      SELECT day, calls, average_seconds, trim_scale(minimum_seconds), trim_scale(maximum_seconds)
      FROM mart.call_daily ORDER BY 1
      """, "2026-03-07|1|10.0|10|10", "2026-03-08|4|1.0|0|2", "2026-03-09|1|-|-|-", "2026-11-01|2|3.8|3|4.5",
      "2026-11-02|1|5.0|5|5")
    try ccc.expect(
      "SELECT * FROM mart.event_daily WHERE name IN ('opened', 'closed') ORDER BY 1, 2",
      "2026-10-31|opened|1", "2026-11-01|closed|1", "2026-11-01|opened|2")
    try ccc.expect(metrics, "none|0|-|-|-", "start|3|1.083|2|-0.25")
    try ccc.expect(
      "SELECT right(id::text, 1), severity, status, opened_at FROM mart.emergency_open",
      "1|high|open|2026-01-05 10:00:00+00")
    try ccc.execute(
      """
      UPDATE ccc.message SET status = 'read' WHERE status = 'sent';
      DELETE FROM ccc.analytics_event WHERE name = 'performance.none';
      UPDATE ccc.analytics_event SET name = 'performance.end' WHERE properties ->> 'value' = '2';
      """)
    try ccc.refresh()
    try ccc.expect(
      messages, "failed|1|2026-01-05 12:00:00+00|2026-01-05 12:00:00+00",
      "read|2|2026-01-05 10:00:00+00|2026-01-05 11:00:00+00")
    try ccc.expect(metrics, "end|1|2.000|2|2", "start|2|0.625|1.5|-0.25")
  }
}
