import PostgreSQL
import TestSupport
import Testing

/// The one door that is open to who has not signed in.
@Suite("A client's cabinet, opened by a link")
struct CabinetTests {
  /// Links enough that an index is used, and what is wrong with some of them.
  private func make() throws -> TestDatabase {
    let (database, _) = try Loaded.migrated()
    try database.connect().execute(
      """
      INSERT INTO doula.doula_profile (id) VALUES ('\(People.ana)');
      INSERT INTO doula.client (id, doula_id, name, edd, status, deleted_at) VALUES
        ('\(People.id(1))', '\(People.ana)', 'x', rivulet.today() + 70, 'preparing', NULL),
        ('\(People.id(2))', '\(People.ana)', 'y', rivulet.today() - 7, 'postpartum', NULL),
        ('\(People.id(3))', '\(People.ana)', 'z', NULL, 'onboarding', now()),
        -- Looked for where a token is not good.
        ('00000000-0000-0000-0000-000000000000', '\(People.ana)', 'nobody''s', NULL, 'preparing', NULL);
      INSERT INTO doula.birth_plan (id, client_id, content) VALUES
        ('\(People.id(11))', '\(People.id(1))', '[{"id": "a", "title": "t", "body": "b", "lastUpdated": "2026-01-05"}]');
      INSERT INTO doula.recommendation (id, client_id, content, created_at, deleted_at) VALUES
        ('\(People.id(21))', '\(People.id(1))', 'second', '2026-01-02', NULL),
        ('\(People.id(22))', '\(People.id(1))', 'first', '2026-01-01', NULL),
        ('\(People.id(23))', '\(People.id(1))', 'gone', '2026-01-01', now());
      INSERT INTO doula.client_file (client_id, slug, mime_type, bytes, storage_path) VALUES
        ('\(People.id(1))', 'f', 'text/plain', 3, 'secret/path');
      INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at, disabled)
        SELECT gen_random_uuid(), '\(People.id(2))', sha256(convert_to('other ' || n, 'UTF8')), now() + interval '1 day',
          n % 2 = 0
        FROM generate_series(1, 3000) n;
      INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at, disabled) VALUES
        (gen_random_uuid(), '\(People.id(1))', sha256('good'), now() + interval '1 day', false),
        (gen_random_uuid(), '\(People.id(1))', sha256('revoked'), now() + interval '1 day', true),
        (gen_random_uuid(), '\(People.id(1))', sha256('expired'), now() - interval '1 second', false),
        (gen_random_uuid(), '\(People.id(1))', sha256('both'), now() - interval '1 second', true),
        (gen_random_uuid(), '\(People.id(3))', sha256('deleted'), now() + interval '1 day', false);
      """)
    for table in ["public_link", "client"] { try database.connect().execute("VACUUM ANALYZE doula.\(table)") }
    return database
  }

  @Test(
    "holds the name, the day, the week, the plan, recommendations and files, and no place where a file lies")
  func content() throws {
    let database = try make()
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
    let database = try make()
    let owner = try database.connect()
    let doula =
      "SET ROLE authenticated; SELECT set_config('request.jwt.claims', '{\"sub\": \"\(People.ana)\"}', false);"
    try owner.execute(doula)
    let token = try #require(
      try owner.execute("SELECT doula.generate_public_link('\(People.id(1))', '1 hour')").first?[0])
    #expect(token.utf8.count == 64)
    let opens = { try Client(nil, in: database).value("SELECT doula.client_cabinet('\(token)')") != nil }
    #expect(try opens())
    #expect(try owner.execute("SELECT FROM doula.public_link l WHERE l::text LIKE '%\(token)%'").count == 0)
    #expect(try owner.execute("SELECT doula.revoke_public_link('\(token)')").first?[0] == "t")
    #expect(try owner.execute("SELECT doula.revoke_public_link('\(token)')").first?[0] == "f")
    #expect(try !opens())
    for ttl in ["'0'", "'-1 day'", "NULL"] {
      #expect(throws: PostgreSQLError.self) {
        try owner.execute("SELECT doula.generate_public_link('\(People.id(1))', \(ttl))")
      }
    }
  }

  /// What the server has done for one statement.
  private struct Work: Equatable, CustomStringConvertible {
    /// Scans of each table and index, what they gave, and the rows that were fetched.
    let counts: [String: [Int]]
    /// Pages that were read.
    let pages: Int

    var description: String { "\(pages) pages, \(counts.filter { $0.value != [0, 0, 0] })" }
  }

  /// The counts of this session so far.
  private func counts(_ connection: Connection) throws -> [String: [Int]] {
    let found = try connection.execute(
      """
      SELECT relname, pg_stat_get_xact_numscans(oid), pg_stat_get_xact_tuples_returned(oid),
        pg_stat_get_xact_tuples_fetched(oid)
      FROM pg_class WHERE relnamespace = 'doula'::regnamespace AND relkind IN ('r', 'i')
      """)
    return try Dictionary(
      uniqueKeysWithValues: found.rows.map { row in
        (row[0] ?? "", try (1...3).map { try row.value($0, Int.self) })
      })
  }

  private func work(_ token: String, on connection: Connection) throws -> Work {
    let ask = "SELECT doula.client_cabinet(\(Quote.literal(token)))"
    // Plans, and what the session keeps of the catalog, are made by the first.
    for _ in 0..<3 { _ = try connection.execute(ask) }
    // What was counted before is not reported to others in the middle of a transaction.
    try connection.execute("BEGIN")
    defer { _ = try? connection.execute("ROLLBACK") }
    let before = try counts(connection)
    let plan = try connection.execute(
      "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, FORMAT JSON) " + ask)
    let after = try counts(connection)
    let pages = try connection.query(
      """
      SELECT (p ->> 'Shared Hit Blocks')::int + (p ->> 'Shared Read Blocks')::int
      FROM (SELECT $1::jsonb -> 0 -> 'Plan' AS p) plan
      """, [.text(plan.rows.compactMap { $0[0] }.joined(separator: "\n"))])
    let done = after.merging(before) { now, former in zip(now, former).map { $0 - $1 } }
    return Work(counts: done, pages: try pages[0].value(0, Int.self))
  }

  @Test(
    "cannot be distinguished from none by answer or by work, whether the link is revoked, expired or was never there"
  )
  func alike() throws {
    let database = try make()
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
    #expect(expected.pages > 0)
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
