import PostgreSQL
import TestSupport
import Testing

/// What clients see of the five systems, and what they can do: of each policy something that it lets through, and
/// something that it does not.
@Suite("What a client of the five systems may")
struct PolicyTests {
  private static let ana: String = People.ana
  private static let ben: String = People.ben
  private static let carol: String = People.carol

  /// Two of everything: what is Ana's ends in 1, what is Ben's in 2.
  private static let database: Result<TestDatabase, any Error> = Result {
    let (database, _) = try Loaded.migrated()
    try database.connect().execute(fixture)
    let refresh = try Program(database: database.url).run("refresh")
    try #require(refresh.status == 0, "\(refresh.errors)")
    return database
  }

  private static func row(_ number: Int) -> String { "'\(People.id(number))'" }

  private static let fixture = """
    INSERT INTO rvutrack.app_user (id, name) VALUES ('\(ana)', 'A'), ('\(ben)', 'B');
    INSERT INTO rvutrack.visit (id, user_id, visit_date) VALUES
      (\(row(11)), '\(ana)', '2026-01-05'), (\(row(12)), '\(ben)', '2026-01-05');
    INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu) VALUES
      (\(row(21)), \(row(11)), '99213', 1.30), (\(row(22)), \(row(12)), '99214', 1.92);
    INSERT INTO rvutrack.favorite (user_id, hcpcs, position) VALUES ('\(ana)', '99213', 1), ('\(ben)', '99214', 1);

    INSERT INTO clara.provider (user_id, name) VALUES ('\(carol)', 'C');
    INSERT INTO clara.patient (id, user_id) VALUES (\(row(31)), '\(ana)'), (\(row(32)), '\(ben)');
    INSERT INTO clara.conversation (id, user_id, patient_id) VALUES
      (\(row(41)), '\(ana)', \(row(31))), (\(row(42)), '\(ben)', \(row(32)));
    INSERT INTO clara.provider_review_request (id, user_id, conversation_id, conversation_messages) VALUES
      (\(row(51)), '\(ana)', \(row(41)), '[{"content": "c", "isFromUser": true, "timestamp": "2026-01-05T10:00:00Z"}]'),
      (\(row(52)), '\(ben)', \(row(42)), '[]');
    INSERT INTO clara.follow_up_message (id, conversation_id, user_id, is_from_user, sent_at) VALUES
      (\(row(61)), \(row(41)), '\(ana)', true, '2026-01-05'), (\(row(62)), \(row(42)), '\(ben)', true, '2026-01-05');

    INSERT INTO oncall.schedule (id, starts_at, specialty, provider) VALUES
      (\(row(71)), '2026-01-05', 'cardiology', 'Dr. A');
    INSERT INTO oncall.directory (id, provider_name, specialty, phone_number) VALUES
      (\(row(81)), 'A', 'Cardiology', '+12125550100');

    INSERT INTO doula.doula_profile (id) VALUES ('\(ana)'), ('\(ben)');
    INSERT INTO doula.client (id, doula_id, name, edd) VALUES
      (\(row(91)), '\(ana)', 'x', '2026-06-01'), (\(row(92)), '\(ben)', 'y', '2026-06-01');
    INSERT INTO doula.template (id, doula_id, kind, name, content) VALUES
      (\(row(101)), '\(ana)', 'birth_plan', 't', '[]'), (\(row(102)), '\(ben)', 'birth_plan', 't', '[]'),
      (\(row(103)), NULL, 'birth_plan', 't', '[]');
    INSERT INTO doula.birth_plan (id, client_id) VALUES (\(row(111)), \(row(91))), (\(row(112)), \(row(92)));
    INSERT INTO doula.recommendation (id, client_id) VALUES (\(row(121)), \(row(91))), (\(row(122)), \(row(92)));
    INSERT INTO doula.client_file (client_id, slug, storage_path) VALUES (\(row(91)), 'f', 'p'), (\(row(92)), 'f', 'p');
    INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at) VALUES
      (\(row(131)), \(row(91)), sha256('1'), '2126-01-01'), (\(row(132)), \(row(92)), sha256('2'), '2126-01-01');

    INSERT INTO ccc.app_user (id) VALUES ('\(ana)'), ('\(ben)'), ('\(carol)');
    INSERT INTO ccc.message (id, sender_id, recipient_id, content, sent_at, attachments) VALUES
      (\(row(141)), '\(ana)', '\(ben)', 'x', '2026-01-05', '[{"id": "\(People.id(151))"}]'),
      (\(row(142)), '\(ben)', '\(carol)', 'x', '2026-01-05', '[]');
    INSERT INTO ccc.secure_file (id, url) VALUES (\(row(151)), 'u'), (\(row(152)), 'u');
    INSERT INTO ccc.call (id, caller_id, callee_id, started_at) VALUES
      (\(row(161)), '\(ana)', '\(ben)', '2026-01-05'), (\(row(162)), '\(ben)', '\(carol)', '2026-01-05');
    INSERT INTO ccc.emergency (id, reported_by, severity, opened_at, status) VALUES
      (\(row(171)), '\(ana)', 'high', '2026-01-05', 'open'), (\(row(172)), '\(ben)', 'high', '2026-01-05', 'open');
    INSERT INTO ccc.analytics_event (id, name, at) VALUES (\(row(181)), 'opened', '2026-01-05');
    """

  /// Of a table in which one row is Ana's and one is Ben's: all that Ana can do to hers, and nothing to his.
  private static func ownOnly(
    _ table: String, where mine: String, and his: String, column: String, giving: String? = nil
  ) -> [PolicyCase] {
    var cases = [
      PolicyCase(ana, "SELECT * FROM \(table)", .rows(1)),
      PolicyCase(ana, "SELECT * FROM \(table) WHERE \(mine)", .rows(1)),
      PolicyCase(ana, "SELECT * FROM \(table) WHERE \(his)", .rows(0)),
      PolicyCase(ana, "UPDATE \(table) SET updated_at = now() WHERE \(mine)", .rows(1)),
      PolicyCase(ana, "UPDATE \(table) SET updated_at = now() WHERE \(his)", .rows(0)),
      PolicyCase(ana, "DELETE FROM \(table) WHERE \(mine)", .rows(1)),
      PolicyCase(ana, "DELETE FROM \(table) WHERE \(his)", .rows(0)),
      PolicyCase(carol, "SELECT * FROM \(table)", .rows(0)),
      PolicyCase(nil, "SELECT * FROM \(table)", .forbidden),
      PolicyCase(nil, "DELETE FROM \(table)", .forbidden),
    ]
    // Nobody gives away what is theirs.
    if let giving {
      cases.append(PolicyCase(ana, "UPDATE \(table) SET \(column) = \(giving) WHERE \(mine)", .forbidden))
    }
    return cases
  }

  private static func byID(_ table: String, _ first: Int, column: String, giving: String? = nil)
    -> [PolicyCase]
  {
    ownOnly(table, where: "id = \(row(first))", and: "id = \(row(first + 1))", column: column, giving: giving)
  }

  static let trackerCases: [PolicyCase] =
    byID("rvutrack.visit", 11, column: "user_id", giving: "'\(ben)'")
    + byID("rvutrack.procedure", 21, column: "visit_id", giving: row(12))
    + ownOnly(
      "rvutrack.favorite", where: "user_id = '\(ana)'", and: "user_id = '\(ben)'", column: "user_id",
      giving: "'\(ben)'")
    + ownOnly("rvutrack.app_user", where: "id = '\(ana)'", and: "id = '\(ben)'", column: "id")
    + [
      PolicyCase(
        ana,
        "INSERT INTO rvutrack.visit (id, user_id, visit_date) VALUES (\(row(19)), '\(ana)', '2026-01-06')",
        .rows(1)),
      PolicyCase(
        ana,
        "INSERT INTO rvutrack.visit (id, user_id, visit_date) VALUES (\(row(19)), '\(ben)', '2026-01-06')",
        .forbidden),
      PolicyCase(
        ana,
        "INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu) VALUES (\(row(29)), \(row(11)), '99213', 1)",
        .rows(1)),
      PolicyCase(
        ana,
        "INSERT INTO rvutrack.procedure (id, visit_id, hcpcs, work_rvu) VALUES (\(row(29)), \(row(12)), '99213', 1)",
        .forbidden),
      PolicyCase(ana, "SELECT * FROM api.visits", .rows(1)),
      PolicyCase(carol, "SELECT * FROM api.visits", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.visit_total", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.rvu_by_period", .rows(4)),
      PolicyCase(carol, "SELECT * FROM mart.rvu_by_period", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.rvu_by_hcpcs", .rows(1)),
      PolicyCase(nil, "SELECT * FROM mart.rvu_by_period", .forbidden),
      PolicyCase(ana, "DELETE FROM mart.rvu_by_period", .forbidden),
      PolicyCase(
        ana, "SELECT * FROM mart.rvu_summary('\(ana)', '2026-01-01', '2026-12-31') WHERE encounters = 1",
        .rows(1)),
      PolicyCase(
        ana, "SELECT * FROM mart.rvu_summary('\(ben)', '2026-01-01', '2026-12-31') WHERE encounters = 0",
        .rows(1)),
    ]

  static let claraCases: [PolicyCase] =
    byID("clara.patient", 31, column: "user_id", giving: "'\(ben)'").filter { $0.user != carol }
    + byID("clara.conversation", 41, column: "user_id", giving: "'\(ben)'").filter { $0.user != carol }
    + byID("clara.provider_review_request", 51, column: "user_id", giving: "'\(ben)'").filter {
      $0.user != carol
    }
    + byID("clara.follow_up_message", 61, column: "user_id", giving: "'\(ben)'").filter { $0.user != carol }
    + ["patient", "conversation", "provider_review_request", "follow_up_message"].map {
      PolicyCase(carol, "SELECT * FROM clara.\($0)", .rows(2))
    }
    + [
      PolicyCase(
        carol, "UPDATE clara.provider_review_request SET status = 'responded' WHERE id = \(row(52))", .rows(1)
      ),
      PolicyCase(ana, "INSERT INTO clara.patient (id, user_id) VALUES (\(row(39)), '\(ana)')", .rows(1)),
      PolicyCase(ana, "INSERT INTO clara.patient (id, user_id) VALUES (\(row(39)), '\(ben)')", .forbidden),
      PolicyCase(carol, "INSERT INTO clara.patient (id, user_id) VALUES (\(row(39)), '\(ben)')", .rows(1)),
      // Nobody makes a provider of himself.
      PolicyCase(ana, "INSERT INTO clara.provider (user_id) VALUES ('\(ana)')", .forbidden),
      PolicyCase(ana, "SELECT * FROM clara.provider", .rows(0)),
      PolicyCase(carol, "SELECT * FROM clara.provider", .rows(1)),
      PolicyCase(carol, "DELETE FROM clara.provider", .forbidden),
      PolicyCase(ana, "SELECT * FROM api.provider_review_requests", .rows(1)),
      PolicyCase(carol, "SELECT * FROM api.provider_review_requests", .rows(2)),
      PolicyCase(ana, "SELECT * FROM mart.conversation_timeline", .rows(2)),
      PolicyCase(ben, "SELECT * FROM mart.conversation_timeline", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.patient_recent_conversations", .rows(1)),
      // Figures over everybody's requests are nobody's but the owner's.
      PolicyCase(ana, "SELECT * FROM mart.review_status_count", .forbidden),
      PolicyCase(nil, "SELECT clara.is_provider()", .forbidden),
    ]

  static let onCallCases: [PolicyCase] =
    ["schedule", "directory", "setting"].flatMap { table in
      [
        PolicyCase(ana, "SELECT * FROM oncall.\(table)", .rows(1)),
        PolicyCase(nil, "SELECT * FROM oncall.\(table)", .forbidden),
        PolicyCase(ana, "DELETE FROM oncall.\(table)", .forbidden),
      ]
    } + [
      PolicyCase(ana, "UPDATE oncall.directory SET phone_number = '+12125550199'", .forbidden),
      PolicyCase(
        ana,
        "INSERT INTO oncall.schedule (id, starts_at, specialty, provider) VALUES (\(row(79)), now(), 's', 'p')",
        .forbidden),
      PolicyCase(
        ana, "SELECT * FROM mart.on_call_now('2026-01-05 12:00+00') WHERE phone_number = '+12125550100'",
        .rows(1)),
      PolicyCase(ana, "SELECT * FROM api.schedules", .rows(1)),
      PolicyCase(ana, "SELECT * FROM api.directory", .rows(1)),
      PolicyCase(ana, "DELETE FROM api.directory", .forbidden),
      PolicyCase(ana, "SELECT * FROM oncall.search('a')", .rows(1)),
      PolicyCase(ana, "SELECT * FROM oncall.search('_')", .rows(0)),
      PolicyCase(ana, "SELECT * FROM oncall.search('%')", .rows(0)),
    ]

  static let doulaCases: [PolicyCase] =
    ownOnly("doula.doula_profile", where: "id = '\(ana)'", and: "id = '\(ben)'", column: "id")
    + byID("doula.client", 91, column: "doula_id", giving: "'\(ben)'")
    + byID("doula.birth_plan", 111, column: "client_id", giving: row(92))
    + byID("doula.recommendation", 121, column: "client_id", giving: row(92))
    + byID("doula.public_link", 131, column: "client_id", giving: row(92))
    + ownOnly(
      "doula.client_file", where: "client_id = \(row(91))", and: "client_id = \(row(92))",
      column: "client_id",
      giving: row(92))
    + [
      PolicyCase(
        ana, "INSERT INTO doula.client (id, doula_id, name) VALUES (\(row(99)), '\(ana)', 'n')", .rows(1)),
      PolicyCase(
        ana, "INSERT INTO doula.client (id, doula_id, name) VALUES (\(row(99)), '\(ben)', 'n')", .forbidden),
      PolicyCase(
        ana, "INSERT INTO doula.birth_plan (id, client_id) VALUES (\(row(119)), \(row(91)))", .rows(1)),
      PolicyCase(
        ana, "INSERT INTO doula.birth_plan (id, client_id) VALUES (\(row(119)), \(row(92)))", .forbidden),
      // What comes with the program everybody reads and nobody writes.
      PolicyCase(ana, "SELECT * FROM doula.template WHERE doula_id IS NULL OR doula_id = '\(ana)'", .rows(2)),
      PolicyCase(ana, "SELECT * FROM doula.template WHERE doula_id = '\(ben)'", .rows(0)),
      PolicyCase(carol, "SELECT * FROM doula.template WHERE id = \(row(103))", .rows(1)),
      PolicyCase(ana, "UPDATE doula.template SET name = 'n'", .rows(1)),
      PolicyCase(ana, "UPDATE doula.template SET doula_id = NULL WHERE id = \(row(101))", .forbidden),
      PolicyCase(ana, "DELETE FROM doula.template", .rows(1)),
      PolicyCase(nil, "SELECT * FROM doula.template", .forbidden),
      PolicyCase(ana, "SELECT * FROM mart.client_pregnancy", .rows(1)),
      PolicyCase(carol, "SELECT * FROM mart.client_pregnancy", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.client_status_count", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.client_list", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.public_link_active", .rows(1)),
      PolicyCase(ana, "SELECT * FROM api.clients", .rows(1)),
      PolicyCase(ana, "SELECT doula.generate_public_link(\(row(91)), '1 day')", .rows(1)),
      PolicyCase(ana, "SELECT doula.generate_public_link(\(row(92)), '1 day')", .forbidden),
      PolicyCase(nil, "SELECT doula.generate_public_link(\(row(91)), '1 day')", .forbidden),
      PolicyCase(nil, "SELECT doula.revoke_public_link('1')", .forbidden),
      PolicyCase(nil, "SELECT 1 WHERE doula.client_cabinet('1') ->> 'name' = 'x'", .rows(1)),
      PolicyCase(nil, "SELECT 1 WHERE doula.client_cabinet('3') IS NOT NULL", .rows(0)),
    ]

  static let cccCases: [PolicyCase] = [
    PolicyCase(ana, "SELECT * FROM ccc.message", .rows(1)),
    PolicyCase(ben, "SELECT * FROM ccc.message", .rows(2)),
    PolicyCase(carol, "SELECT * FROM ccc.message WHERE id = \(row(141))", .rows(0)),
    PolicyCase(
      ana,
      "INSERT INTO ccc.message (id, sender_id, recipient_id, content, sent_at) VALUES (\(row(149)), '\(ana)', '\(carol)', 'x', now())",
      .rows(1)),
    PolicyCase(
      ana,
      "INSERT INTO ccc.message (id, sender_id, recipient_id, content, sent_at) VALUES (\(row(149)), '\(ben)', '\(ana)', 'x', now())",
      .forbidden),
    PolicyCase(ben, "UPDATE ccc.message SET status = 'read' WHERE id = \(row(141))", .rows(1)),
    PolicyCase(carol, "UPDATE ccc.message SET status = 'read' WHERE id = \(row(141))", .rows(0)),
    PolicyCase(
      ana, "UPDATE ccc.message SET sender_id = '\(ben)', recipient_id = '\(carol)' WHERE id = \(row(141))",
      .forbidden),
    PolicyCase(ana, "DELETE FROM ccc.message WHERE id = \(row(141))", .rows(1)),
    PolicyCase(ben, "DELETE FROM ccc.message WHERE id = \(row(141))", .rows(0)),
    PolicyCase(ben, "SELECT * FROM ccc.secure_file", .rows(1)),
    PolicyCase(carol, "SELECT * FROM ccc.secure_file", .rows(0)),
    PolicyCase(ana, "DELETE FROM ccc.secure_file", .forbidden),
    PolicyCase(ana, "SELECT * FROM ccc.call", .rows(1)),
    PolicyCase(carol, "SELECT * FROM ccc.call WHERE id = \(row(161))", .rows(0)),
    PolicyCase(
      ana,
      "INSERT INTO ccc.call (id, caller_id, callee_id, started_at) VALUES (\(row(169)), '\(ben)', '\(ana)', now())",
      .forbidden),
    PolicyCase(ben, "UPDATE ccc.call SET ended_at = started_at WHERE id = \(row(161))", .rows(1)),
    PolicyCase(carol, "UPDATE ccc.call SET ended_at = started_at WHERE id = \(row(161))", .rows(0)),
    PolicyCase(ana, "DELETE FROM ccc.call", .forbidden),
    PolicyCase(ana, "SELECT * FROM ccc.emergency", .rows(1)),
    PolicyCase(ana, "UPDATE ccc.emergency SET status = 'closed' WHERE id = \(row(172))", .rows(0)),
    PolicyCase(ana, "UPDATE ccc.emergency SET reported_by = '\(ben)' WHERE id = \(row(171))", .forbidden),
    PolicyCase(ana, "SELECT * FROM mart.emergency_open", .rows(1)),
    PolicyCase(ana, "SELECT * FROM ccc.app_user", .rows(1)),
    PolicyCase(ana, "UPDATE ccc.app_user SET role = 9 WHERE id = '\(ben)'", .rows(0)),
    PolicyCase(ana, "SELECT * FROM ccc.analytics_event", .forbidden),
    PolicyCase(ana, "SELECT * FROM mart.event_daily", .forbidden),
    PolicyCase(nil, "SELECT * FROM ccc.message", .forbidden),
    PolicyCase(nil, "SELECT * FROM ccc.call", .forbidden),
    PolicyCase(ana, "SELECT * FROM api.messages", .rows(1)),
  ]

  @Test("sees, writes and deletes its own in RVU Tracker", arguments: trackerCases)
  func tracker(_ case: PolicyCase) throws { try `case`.check(in: Self.database.get()) }

  @Test("sees its own in Clara Provider, and all as a provider", arguments: claraCases)
  func clara(_ case: PolicyCase) throws { try `case`.check(in: Self.database.get()) }

  @Test("reads and never writes in Who's On Call", arguments: onCallCases)
  func onCall(_ case: PolicyCase) throws { try `case`.check(in: Self.database.get()) }

  @Test("sees in DoulaFlow what is its own clients'", arguments: doulaCases)
  func doula(_ case: PolicyCase) throws { try `case`.check(in: Self.database.get()) }

  @Test("sees in CCC what it has sent or got", arguments: cccCases)
  func ccc(_ case: PolicyCase) throws { try `case`.check(in: Self.database.get()) }

  @Test("finds a policy on every table that it may reach")
  func everyTableIsCovered() throws {
    let open = try Self.database.get().connect().execute(
      """
      SELECT c.oid::regclass FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('rvutrack', 'clara', 'oncall', 'doula', 'ccc')
        AND NOT c.relrowsecurity
      """)
    #expect(open.count == 0)
  }
}
