import PostgreSQL
import TestSupport
import Testing

/// The figures of CCC.
@Suite("Messages, calls, emergencies and measurements")
struct CommunicationViewTests {
  private func make() throws -> (Program, Connection) {
    let (database, program) = try Loaded.migrated()
    let connection = try database.connect()
    try connection.execute(
      "INSERT INTO ccc.app_user (id) VALUES ('\(People.ana)'), ('\(People.ben)'); SET timezone = 'UTC'")
    return (program, connection)
  }

  private func refresh(_ program: Program) throws {
    let outcome = try program.run("refresh")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("are counted by status, but for messages that were revoked")
  func messages() throws {
    let (program, connection) = try make()
    try connection.execute(
      """
      INSERT INTO ccc.message (id, sender_id, recipient_id, content, sent_at, status, deleted_at)
      SELECT gen_random_uuid(), '\(People.ana)', '\(People.ben)', 'x', at, status, gone FROM (VALUES
        (timestamptz '2026-01-05 10:00+00', 'sent', NULL::timestamptz), ('2026-01-05 11:00+00', 'sent', NULL),
        ('2026-01-05 12:00+00', 'failed', NULL), ('2026-01-05 09:00+00', 'sent', now())) v(at, status, gone)
      """)
    try refresh(program)
    let counts = "SELECT * FROM mart.message_status_count ORDER BY 1"
    #expect(
      try connection.lines(counts) == [
        "failed|1|2026-01-05 12:00:00+00|2026-01-05 12:00:00+00",
        "sent|2|2026-01-05 10:00:00+00|2026-01-05 11:00:00+00",
      ])
    try connection.execute("UPDATE ccc.message SET status = 'read' WHERE status = 'sent'")
    try refresh(program)
    #expect(
      try connection.lines(counts) == [
        "failed|1|2026-01-05 12:00:00+00|2026-01-05 12:00:00+00",
        "read|2|2026-01-05 10:00:00+00|2026-01-05 11:00:00+00",
      ])
  }

  @Test(
    "are counted by the project's days, also where those have 23 or 25 hours; a call that goes on has no length"
  )
  func calls() throws {
    let (program, connection) = try make()
    let calls = [
      ("2026-03-08 04:59:59+00", "10 seconds"), ("2026-03-08 05:00+00", "1 second"),
      ("2026-03-09 03:59:59+00", "2 seconds"),
      ("2026-03-09 03:00+00", "0"), ("2026-03-09 03:30+00", nil), ("2026-03-09 04:00+00", nil),
      ("2026-11-01 04:00+00", "3 seconds"), ("2026-11-02 04:59:59+00", "4.5 seconds"),
      ("2026-11-02 05:00+00", "5 seconds"),
    ]
    for (start, length) in calls {
      try connection.query(
        """
        INSERT INTO ccc.call (id, caller_id, callee_id, started_at, ended_at)
        VALUES (gen_random_uuid(), '\(People.ana)', '\(People.ben)', $1::timestamptz, $1::timestamptz + $2::interval)
        """, [.text(start), Parameter(length)])
    }
    try refresh(program)
    #expect(
      try connection.lines(
        """
        SELECT day, calls, average_seconds, trim_scale(minimum_seconds), trim_scale(maximum_seconds)
        FROM mart.call_daily ORDER BY 1
        """) == [
          "2026-03-07|1|10.0|10|10", "2026-03-08|4|1.0|0|2", "2026-03-09|1|-|-|-", "2026-11-01|2|3.8|3|4.5",
          "2026-11-02|1|5.0|5|5",
        ])
    // One that ends before it begins is no call.
    #expect(throws: PostgreSQLError.self) {
      try connection.execute("UPDATE ccc.call SET ended_at = started_at - interval '1 second'")
    }
  }

  @Test("are counted by name and the project's day, and what was measured is summed up")
  func events() throws {
    let (program, connection) = try make()
    try connection.execute(
      """
      INSERT INTO ccc.analytics_event (id, name, properties, at)
      SELECT gen_random_uuid(), name, properties::jsonb, at FROM (VALUES
        ('opened', '{}', timestamptz '2026-11-01 03:59:59+00'), ('opened', '{}', '2026-11-01 04:00+00'),
        ('opened', '{}', '2026-11-02 04:59:59+00'), ('closed', '{}', '2026-11-01 12:00+00'),
        ('performance.start', '{"value": 1.5}', '2026-11-01 12:00+00'),
        ('performance.start', '{"value": 2}', '2026-11-02 12:00+00'),
        ('performance.start', '{"value": -0.25}', '2026-11-03 12:00+00'),
        ('performance.start', '{"value": "fast"}', '2026-11-03 12:00+00'),
        ('performance.start', '{}', '2026-11-03 12:00+00'),
        ('performance.none', '{}', '2026-11-03 12:00+00'),
        ('performances', '{"value": 9}', '2026-11-03 12:00+00')) v(name, properties, at)
      """)
    try refresh(program)
    #expect(
      try connection.lines("SELECT * FROM mart.event_daily WHERE name IN ('opened', 'closed') ORDER BY 1, 2")
        == [
          "2026-10-31|opened|1", "2026-11-01|closed|1", "2026-11-01|opened|2",
        ])
    let metrics = "SELECT * FROM mart.performance_metric ORDER BY 1"
    #expect(try connection.lines(metrics) == ["none|0|-|-|-", "start|3|1.083|2|-0.25"])
    try connection.execute(
      """
      DELETE FROM ccc.analytics_event WHERE name = 'performance.none';
      UPDATE ccc.analytics_event SET name = 'performance.end' WHERE properties ->> 'value' = '2';
      """)
    try refresh(program)
    #expect(try connection.lines(metrics) == ["end|1|2.000|2|2", "start|2|0.625|1.5|-0.25"])
    for key in ["patientId", "medicalData"] {
      #expect(throws: PostgreSQLError.self) {
        try connection.execute(
          "INSERT INTO ccc.analytics_event (id, name, properties, at) VALUES (gen_random_uuid(), 'n', '{\"\(key)\": 1}', now())"
        )
      }
    }
  }

  @Test("are open until they are closed")
  func emergencies() throws {
    let (_, connection) = try make()
    try connection.execute(
      """
      INSERT INTO ccc.emergency (id, reported_by, severity, opened_at, closed_at, status) VALUES
        ('\(People.id(1))', '\(People.ana)', 'high', '2026-01-05 10:00+00', NULL, 'open'),
        ('\(People.id(2))', '\(People.ana)', 'low', '2026-01-05 09:00+00', '2026-01-05 09:30+00', 'closed')
      """)
    #expect(
      try connection.lines("SELECT right(id::text, 1), severity, status, opened_at FROM mart.emergency_open")
        == [
          "1|high|open|2026-01-05 10:00:00+00"
        ])
  }
}
