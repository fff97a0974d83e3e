import PostgreSQL
import TestSupport
import Testing

/// Schema `api`: what clients of the five systems know, by the names that they know.
@Suite("The tables of the five systems by their own names")
struct ClientNamesTests {
  @Test("are all there, with the reader's rights, and with the rights on the tables behind them")
  func rights() throws {
    let connection = try PolicyFixture.database.get().connect()
    let views = try connection.lines(
      """
      SELECT v.relname, t.oid::regclass, 'security_invoker=true' = ANY (v.reloptions)
      FROM pg_class v
      JOIN pg_rewrite r ON r.ev_class = v.oid
      JOIN LATERAL (SELECT DISTINCT refobjid FROM pg_depend d WHERE d.objid = r.oid AND d.refclassid = 'pg_class'::regclass
        AND d.refobjid <> v.oid) u ON true
      JOIN pg_class t ON t.oid = u.refobjid
      WHERE v.relnamespace = 'api'::regnamespace AND v.relkind = 'v' ORDER BY 1
      """)
    let expected = """
      birth_plans|doula.birth_plan calls|ccc.call ccc_users|ccc.app_user client_files|doula.client_file
      clients|doula.client conversations|clara.conversation directory|oncall.directory
      doula_profiles|doula.doula_profile emergencies|ccc.emergency favorites|rvutrack.favorite
      follow_up_messages|clara.follow_up_message messages|ccc.message patients|clara.patient
      procedures|rvutrack.procedure provider_review_requests|clara.provider_review_request
      providers|clara.provider public_links|doula.public_link recommendations|doula.recommendation
      schedules|oncall.schedule secure_files|ccc.secure_file templates|doula.template users|rvutrack.app_user
      visits|rvutrack.visit
      """
    #expect(views == expected.split(whereSeparator: \.isWhitespace).map { "\($0)|t" })
    // What is granted on a view is granted on its table, and the other way round, column by column.
    let differing = try connection.lines(
      """
      WITH pair AS (SELECT split_part(p, '|', 1) AS view, split_part(p, '|', 2) AS source
        FROM unnest(ARRAY[\(views.map { Quote.literal($0) }.joined(separator: ", "))]) p),
      named AS (SELECT view, source, va.attname AS shown,
          CASE va.attname WHEN 'date' THEN CASE view WHEN 'visits' THEN 'visit_date' ELSE 'starts_at' END
            WHEN 'time' THEN 'visit_time' WHEN 'timestamp' THEN 'sent_at' ELSE va.attname END AS stored
        FROM pair JOIN pg_attribute va ON va.attrelid = ('api.' || view)::regclass AND va.attnum > 0)
      SELECT view, shown, v FROM named CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) v
      WHERE has_column_privilege('authenticated', 'api.' || view, shown, v)
        <> has_column_privilege('authenticated', source, stored, v)
      UNION ALL SELECT view, '*', 'DELETE' FROM pair
      WHERE has_table_privilege('authenticated', 'api.' || view, 'DELETE')
        <> has_table_privilege('authenticated', source, 'DELETE')
      """)
    #expect(differing == [])
    // Nothing but where a row was loaded from is held back.
    let missing = try connection.lines(
      """
      SELECT p, a.attname FROM unnest(ARRAY[\(views.map { Quote.literal($0) }.joined(separator: ", "))]) p
      JOIN pg_attribute a ON a.attrelid = split_part(p, '|', 2)::regclass AND a.attnum > 0 AND NOT a.attisdropped
      WHERE a.attname NOT IN ('source_file_id', 'source_line', 'visit_date', 'visit_time', 'sent_at', 'starts_at')
        AND NOT EXISTS (SELECT FROM pg_attribute v
          WHERE v.attrelid = ('api.' || split_part(p, '|', 1))::regclass AND v.attname = a.attname)
      """)
    #expect(missing == [])
  }

  @Test("are read and written by a client as those tables are, by the columns that the source calls them")
  func columns() throws {
    let connection = try PolicyFixture.database.get().connect()
    try connection.execute(
      People.identified(
        """
        BEGIN;
        SET LOCAL ROLE authenticated;
        SELECT set_config('request.jwt.claims', '{"sub": "{1}"}', true);
        SET LOCAL timezone = 'UTC';
        INSERT INTO api.visits (id, user_id, date, time, is_no_show) VALUES (#18, @ana, '2026-01-06', '09:30', false);
        UPDATE api.visits SET date = '2026-01-07' WHERE id = #18;
        INSERT INTO api.procedures (id, visit_id, hcpcs, work_rvu) VALUES (#28, #18, '99213', 1.30);
        INSERT INTO api.follow_up_messages (id, conversation_id, user_id, message_content, is_from_user, "timestamp")
          VALUES (#68, #41, @ana, 'c', true, '2026-01-06 10:00+00');
        INSERT INTO api.favorites (user_id, hcpcs, position) VALUES (@ana, '99213', 7)
          ON CONFLICT (user_id, hcpcs) DO UPDATE SET position = excluded.position;
        """))
    for (query, found) in [
      ("SELECT date, time FROM api.visits WHERE id = #18", "2026-01-07|09:30:00"),
      ("SELECT hcpcs, quantity, modifier FROM api.procedures WHERE id = #28", "99213|1|"),
      ("SELECT \"timestamp\" FROM api.follow_up_messages WHERE id = #68", "2026-01-06 10:00:00+00"),
      ("SELECT position FROM api.favorites", "7"),
      ("SELECT date, provider FROM api.schedules", "2026-01-05 05:00:00+00|Dr. A"),
    ] { #expect(try connection.lines(People.identified(query)) == [found]) }
    try connection.execute(People.identified("DELETE FROM api.visits WHERE id = #18"))
    #expect(try connection.lines("SELECT FROM api.procedures").count == 1)
    // A change by a client is recorded as of now, and one that names its own time keeps it.
    let recorded = "SELECT updated_at = now() FROM api.visits"
    try connection.execute("UPDATE api.visits SET updated_at = '2026-01-01'")
    #expect(try connection.lines(recorded) == ["f"])
    try connection.execute("UPDATE api.visits SET notes = 'n'")
    #expect(try connection.lines(recorded) == ["t"])
    try connection.execute("ROLLBACK")
  }

  @Test("have no rows of others")
  func others() throws {
    let database = try PolicyFixture.database.get()
    let views = try database.connect().lines(
      """
      SELECT relname FROM pg_class c WHERE relnamespace = 'api'::regnamespace AND relkind = 'v'
        AND has_table_privilege('authenticated', c.oid, 'SELECT')
      """)
    let nobody = try Client(People.id(9), in: database)
    let forEverybody = ["schedules": 1, "directory": 1, "templates": 1]
    for view in views {
      #expect(
        try nobody.outcome(of: "SELECT * FROM api.\(view)") == .rows(forEverybody[view] ?? 0), "\(view)")
    }
    #expect(views.count == 23)
  }
}
