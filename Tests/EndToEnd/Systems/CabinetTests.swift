import PostgreSQL
import TestSupport
import Testing

/// The one door that is open to who has not signed in.
@Suite("A client's cabinet, opened by a link", .serialized)
struct CabinetTests {
  /// Links enough that an index is used, and what is wrong with some of them.
  private static let database = Result { () throws -> TestDatabase in
    let (database, _) = try Loaded.migrated()
    try database.connect().execute(People.identified(rows))
    for table in ["public_link", "client"] { try database.connect().execute("VACUUM ANALYZE doula.\(table)") }
    return database
  }

  private static let rows = """
    INSERT INTO doula.doula_profile (id) VALUES (@ana);
    INSERT INTO doula.client (id, doula_id, name, edd, status, deleted_at) VALUES
      (#1, @ana, 'x', rivulet.today() + 70, 'preparing', NULL),
      (#2, @ana, 'y', rivulet.today() - 7, 'postpartum', NULL),
      (#3, @ana, 'z', NULL, 'onboarding', now()),
      -- Looked for where a token is not good.
      ('00000000-0000-0000-0000-000000000000', @ana, 'nobody''s', NULL, 'preparing', NULL);
    INSERT INTO doula.birth_plan (id, client_id, content) VALUES
      (#11, #1, '[{"id": "a", "title": "t", "body": "b", "lastUpdated": "2026-01-05"}]');
    INSERT INTO doula.recommendation (id, client_id, content, created_at, deleted_at) VALUES
      (#21, #1, 'second', '2026-01-02', NULL),
      (#22, #1, 'first', '2026-01-01', NULL),
      (#23, #1, 'gone', '2026-01-01', now());
    INSERT INTO doula.client_file (client_id, slug, mime_type, bytes, storage_path) VALUES
      (#1, 'f', 'text/plain', 3, 'secret/path');
    INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at, disabled)
      SELECT gen_random_uuid(), #2, sha256(convert_to('other ' || n, 'UTF8')), now() + interval '1 day',
        n % 2 = 0
      FROM generate_series(1, 3000) n;
    INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at, disabled) VALUES
      (gen_random_uuid(), #1, sha256('good'), now() + interval '1 day', false),
      (gen_random_uuid(), #1, sha256('revoked'), now() + interval '1 day', true),
      (gen_random_uuid(), #1, sha256('expired'), now() - interval '1 second', false),
      (gen_random_uuid(), #1, sha256('both'), now() - interval '1 second', true),
      (gen_random_uuid(), #3, sha256('deleted'), now() + interval '1 day', false);
    """

  @Test(
    "holds the name, the day, the week, the plan, recommendations and files, and no place where a file lies")
  func content() throws {
    let database = try Self.database.get()
    let client = try Client(nil, in: database)
    let found = try #require(try client.value("SELECT doula.client_cabinet('good')"))
    let expected = try database.connect().query(
      """
      SELECT $1::jsonb = jsonb_build_object('name', 'x', 'edd', rivulet.today() + 70, 'week', 30,
        'plan', '[{"id": "a", "title": "t", "body": "b", "lastUpdated": "2026-01-05"}]'::jsonb,
        'recommendations', '[{"content": "first", "attachments": []}, {"content": "second", "attachments": []}]'::jsonb,
        'files', '[{"slug": "f", "mime_type": "text/plain", "bytes": 3}]'::jsonb)
      """, [.text(found)])
    #expect(expected[0][0] == "t", "\(found)")
    // After the birth there is no week.
    let after = try client.value("SELECT doula.client_cabinet('other 1') -> 'week'")
    #expect(after == "null")
  }

  @Test(
    "is made by a link whose token is nowhere in the database, until the link is revoked or its time is over")
  func life() throws {
    let database = try Self.database.get()
    let owner = try database.connect()
    try owner.execute(
      "SET ROLE authenticated; SELECT set_config('request.jwt.claims', '{\"sub\": \"\(People.ana)\"}', false);"
    )
    let generate = { (ttl: String) in
      try owner.lines("SELECT doula.generate_public_link('\(People.id(1))', \(ttl))").first
    }
    let token = try #require(try generate("'1 hour'"))
    #expect(token.utf8.count == 64)
    let opens = { try Client(nil, in: database).value("SELECT doula.client_cabinet('\(token)')") != nil }
    #expect(try opens())
    #expect(try owner.execute("SELECT FROM doula.public_link l WHERE l::text LIKE '%\(token)%'").count == 0)
    for isThere in ["t", "f"] {
      #expect(try owner.lines("SELECT doula.revoke_public_link('\(token)')") == [isThere])
    }
    #expect(try !opens())
    for ttl in ["'0'", "'-1 day'", "NULL"] {
      #expect(throws: PostgreSQLError.self) { try generate(ttl) }
    }
  }

  /// What the server does for one token: the scans of each table and index, what they give and the rows that
  /// are fetched, and how many pages are read.
  private func work(_ token: String, on connection: Connection) throws -> [String] {
    let ask = "SELECT doula.client_cabinet(\(Quote.literal(token)))"
    // Plans, and what the session keeps of the catalog, are made by the first; what was counted is reported.
    for _ in 0..<3 { try connection.execute(ask) }
    try connection.execute("SELECT pg_stat_force_next_flush()")
    try connection.execute("BEGIN")
    defer { _ = try? connection.execute("ROLLBACK") }
    let plan = try connection.lines(
      "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, FORMAT JSON) " + ask)
    return try connection.lines(
      """
      SELECT relname, pg_stat_get_xact_numscans(oid), pg_stat_get_xact_tuples_returned(oid),
        pg_stat_get_xact_tuples_fetched(oid)
      FROM pg_class WHERE relnamespace = 'doula'::regnamespace AND relkind IN ('r', 'i')
        AND pg_stat_get_xact_numscans(oid) > 0
      UNION ALL SELECT 'pages', (p ->> 'Shared Hit Blocks')::int + (p ->> 'Shared Read Blocks')::int, 0, 0
      FROM (SELECT \(Quote.literal(plan.joined(separator: "\n")))::jsonb -> 0 -> 'Plan' AS p) plan
      ORDER BY 1
      """)
  }

  @Test(
    "cannot be distinguished from none by answer or by work, whether the link is revoked, expired or was never there"
  )
  func alike() throws {
    let database = try Self.database.get()
    let connection = try database.connect()
    // Some lie between others', one before them all, one after.
    let unknown = [
      "unknown", "", "good ", "GOOD", try outermost(connection, "<"), try outermost(connection, ">"),
    ]
    let anonymous = try Client(nil, in: database)
    for token in ["revoked", "expired", "both", "deleted"] + unknown {
      #expect(try anonymous.outcome(of: "SELECT doula.client_cabinet('\(token)')") == .rows(1))
      #expect(try anonymous.value("SELECT doula.client_cabinet('\(token)')") == nil, "\(token)")
    }
    try connection.execute("SET plan_cache_mode = force_generic_plan")
    let expected = try work("revoked", on: connection)
    #expect(expected.count > 1, "\(expected)")
    for token in ["expired", "both"] + unknown {
      #expect(try work(token, on: connection) == expected, "\(token)")
    }
    // The measure does see a difference where there is one.
    #expect(try work("good", on: connection) != expected)
  }

  /// A token whose hash lies before, or after, those of all links.
  private func outermost(_ connection: Connection, _ sign: String) throws -> String {
    let found = try connection.execute(
      """
      SELECT 'token ' || n FROM generate_series(1, 1000000) n
      WHERE sha256(convert_to('token ' || n, 'UTF8')) \(sign) ALL (SELECT token_sha256 FROM doula.public_link) LIMIT 1
      """)
    return try #require(found.first?[0])
  }
}
