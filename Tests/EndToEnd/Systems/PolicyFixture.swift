import PostgreSQL
import TestSupport
import Testing

/// Rows of three people in the five systems, for what each of them may see and do: what is Ana's ends in 1,
/// what is Ben's in 2. Carol is a provider to Clara, and has sent nothing to Ana.
enum PolicyFixture {
  /// Tests roll back what they do there.
  static let database: Result<TestDatabase, any Error> = Result {
    let (database, program) = try Loaded.migrated()
    try database.connect().execute(People.identified(rows))
    try program.run("refresh").succeeded()
    return database
  }

  private static let rows = """
    INSERT INTO rvutrack.app_user (id, name) VALUES (@ana, 'A'), (@ben, 'B');
    INSERT INTO rvutrack.visit (id, user_id, visit_date) VALUES
      (#11, @ana, '2026-01-05'), (#12, @ben, '2026-01-05');
    INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu) VALUES
      (#21, #11, '99213', 1.30), (#22, #12, '99214', 1.92);
    INSERT INTO rvutrack.favorite (user_id, hcpcs, position) VALUES (@ana, '99213', 1), (@ben, '99214', 1);

    INSERT INTO clara.provider (user_id, name) VALUES (@carol, 'C');
    INSERT INTO clara.patient (id, user_id) VALUES (#31, @ana), (#32, @ben);
    INSERT INTO clara.conversation (id, user_id, patient_id) VALUES
      (#41, @ana, #31), (#42, @ben, #32);
    INSERT INTO clara.provider_review_request (id, user_id, conversation_id, conversation_messages) VALUES
      (#51, @ana, #41, '[{"content": "c", "isFromUser": true, "timestamp": "2026-01-05T10:00:00Z"}]'),
      (#52, @ben, #42, '[]');
    INSERT INTO clara.provider_review_request (id, user_id, conversation_id, status, provider_id, created_at, responded_at) VALUES
      (#53, @ben, #42, 'responded', @carol, '2026-01-01', '2026-01-02');
    INSERT INTO clara.follow_up_message (id, conversation_id, user_id, is_from_user, sent_at) VALUES
      (#61, #41, @ana, true, '2026-01-05'), (#62, #42, @ben, true, '2026-01-05'),
      (#63, #42, @ben, false, '2026-01-06');

    INSERT INTO oncall.schedule (id, starts_at, specialty, provider) VALUES
      (#71, '2026-01-05 05:00+00', 'cardiology', 'Dr. A');
    INSERT INTO oncall.directory (id, provider_name, specialty, phone_number) VALUES
      (#81, 'A', 'Cardiology', '+12125550100');

    INSERT INTO doula.doula_profile (id) VALUES (@ana), (@ben);
    INSERT INTO doula.client (id, doula_id, name, edd) VALUES
      (#91, @ana, 'x', '2026-06-01'), (#92, @ben, 'y', '2026-06-01');
    INSERT INTO doula.template (id, doula_id, kind, name, content) VALUES
      (#101, @ana, 'birth_plan', 't', '[]'), (#102, @ben, 'birth_plan', 't', '[]'),
      (#103, NULL, 'birth_plan', 't', '[]');
    INSERT INTO doula.birth_plan (id, client_id) VALUES (#111, #91), (#112, #92);
    INSERT INTO doula.recommendation (id, client_id) VALUES (#121, #91), (#122, #92);
    INSERT INTO doula.client_file (client_id, slug, storage_path) VALUES (#91, 'f', 'p'), (#92, 'f', 'p');
    INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at) VALUES
      (#131, #91, sha256('1'), '2126-01-01'), (#132, #92, sha256('2'), '2126-01-01');

    INSERT INTO ccc.app_user (id) VALUES (@ana), (@ben), (@carol);
    INSERT INTO ccc.message (id, sender_id, recipient_id, content, sent_at, attachments) VALUES
      (#141, @ana, @ben, 'x', '2026-01-05', '[{"id": "{151}"}]'),
      (#142, @ben, @carol, 'x', '2026-01-05', '[]');
    INSERT INTO ccc.secure_file (id, url, owner_id) VALUES (#151, 'u', @ana), (#152, 'u', @ben);
    INSERT INTO ccc.call (id, caller_id, callee_id, started_at) VALUES
      (#161, @ana, @ben, '2026-01-05'), (#162, @ben, @carol, '2026-01-05');
    INSERT INTO ccc.emergency (id, reported_by, severity, opened_at, status) VALUES
      (#171, @ana, 'high', '2026-01-05', 'open'), (#172, @ben, 'high', '2026-01-05', 'open');
    INSERT INTO ccc.analytics_event (id, name, at) VALUES (#181, 'opened', '2026-01-05');
    """
}
