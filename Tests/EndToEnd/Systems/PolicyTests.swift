import PostgreSQL
import TestSupport
import Testing

/// What clients see of the five systems, and what they can do: of each policy something that it lets through,
/// and something that it does not.
@Suite("What a client of the five systems may")
struct PolicyTests {
  private static let schemas = "('rvutrack', 'clara', 'oncall', 'doula', 'ccc')"

  @Test("is as each case says", arguments: PolicyCases.all)
  func each(_ item: PolicyCase) throws {
    #expect(try Client(item.user, in: PolicyFixture.database.get()).outcome(of: item.sql) == item.outcome)
  }

  @Test("is refused where figures cannot be made of a value, as everybody is", arguments: PolicyCases.bounds)
  func bounds(_ item: PolicyCase) throws { try each(item) }

  @Test("is tried on every table with every command, and refused what is not its own")
  func everyTableIsTried() throws {
    let found = try PolicyFixture.database.get().connect().execute(
      """
      SELECT format('%I.%I', n.nspname, c.relname), v.command, c.relrowsecurity, EXISTS (SELECT FROM pg_policies p
          WHERE p.schemaname = n.nspname AND p.tablename = c.relname AND p.cmd IN ('ALL', v.command))
        -- A policy for all commands may be narrowed by what is granted.
        AND CASE v.command WHEN 'DELETE' THEN has_table_privilege('authenticated', c.oid, 'DELETE')
          ELSE has_any_column_privilege('authenticated', c.oid, v.command) END
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) v(command)
      WHERE c.relkind IN ('r', 'p') AND n.nspname IN \(Self.schemas) ORDER BY 1, 2
      """)
    #expect(found.count == 4 * 26)
    for row in found.rows {
      let (table, command) = (row[0] ?? "", row[1] ?? "")
      #expect(row[2] == "t", "\(table) has no row level security")
      let cases = PolicyCases.all.filter { $0.table == table && $0.command == command && $0.user != nil }
      #expect(
        cases.contains(where: \.isAllowed) == (row[3] == "t"), "\(command) on \(table): what is allowed")
      // What everybody reads has no rows of others.
      let isOpen = table.hasPrefix("oncall.") && command == "SELECT"
      #expect(isOpen || cases.contains { !$0.isAllowed }, "\(command) on \(table): what is refused")
    }
  }

  @Test(
    "is let through by each policy and held back by it: without the policy, or with one for all, a case fails"
  )
  func everyPolicyIsTried() throws {
    let connection = try PolicyFixture.database.get().connect()
    let policies = try connection.execute(
      """
      SELECT format('%I.%I', schemaname, tablename), policyname, cmd, roles, with_check IS NOT NULL FROM pg_policies ORDER BY 1, 2
      """)
    #expect(policies.count > 30)
    for policy in policies.rows {
      let (table, name, command) = (policy[0] ?? "", policy[1] ?? "", policy[2] ?? "")
      // Those of stored views are the engine's: grants say for whom.
      #expect(policy[3] == "{authenticated}" || name == "rivulet_owner", "\(name) on \(table)")
      let cases = PolicyCases.all.filter { $0.table == table && [$0.command, "ALL"].contains(command) }
      let identifier = "\(Quote.identifier(name)) ON \(table)"
      let isNoticed = { (change: String) in
        try connection.execute("BEGIN; \(change)")
        defer { _ = try? connection.execute("ROLLBACK") }
        return try cases.contains { try Client($0.user, on: connection).outcome(of: $0.sql) != $0.outcome }
      }
      #expect(try isNoticed("DROP POLICY \(identifier)"), "no case needs policy \(name) on \(table)")
      let opened =
        (command == "INSERT" ? "" : " USING (true)")
        + (["SELECT", "DELETE"].contains(command) ? "" : " WITH CHECK (true)")
      // What everybody reads holds nothing back.
      let isOpen = table.hasPrefix("oncall.")
      #expect(
        try isNoticed("ALTER POLICY \(identifier)\(opened)") != isOpen,
        "policy \(name) on \(table) holds nothing back")
    }
  }

  @Test("is, without having signed in, shown a cabinet and nothing else")
  func anonymous() throws {
    let database = try PolicyFixture.database.get()
    let connection = try database.connect()
    let others =
      "n.nspname <> ALL ('{pg_catalog,information_schema,public,auth}') AND n.nspname !~ '^pg_'"
    let functions = try connection.execute(
      """
      SELECT f.oid::regprocedure FROM pg_proc f JOIN pg_namespace n ON n.oid = f.pronamespace
      WHERE \(others) AND has_schema_privilege('anon', n.oid, 'USAGE') AND has_function_privilege('anon', f.oid, 'EXECUTE')
      """)
    #expect(functions.rows.map { $0[0] } == ["doula.client_cabinet(text)"])
    let relations = try connection.execute(
      """
      SELECT format('%I.%I', n.nspname, c.relname),
        has_schema_privilege('anon', n.oid, 'USAGE') AND (
          has_any_column_privilege('anon', c.oid, 'SELECT, INSERT, UPDATE') OR has_table_privilege('anon', c.oid, 'DELETE'))
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE \(others) AND c.relkind IN ('r', 'p', 'v', 'm')
      """)
    #expect(relations.count > 60)
    #expect(relations.rows.filter { $0[1] == "t" }.map { $0[0] } == [])
    let anonymous = try Client(nil, in: database)
    for relation in relations.rows {
      #expect(
        try anonymous.outcome(of: "SELECT * FROM \(relation[0] ?? "")") == .forbidden, "\(relation[0] ?? "")")
    }
  }

  @Test("is nobody with empty claims, and sees nothing")
  func emptyClaims() throws {
    let connection = try PolicyFixture.database.get().connect()
    for claims in ["", "{}", "{\"sub\": \"\"}", "{\"sub\": null}"] {
      try connection.execute("BEGIN; SET LOCAL ROLE authenticated")
      try connection.query("SELECT set_config('request.jwt.claims', $1, true)", [.text(claims)])
      #expect(try connection.execute("SELECT auth.uid()").first?[0] == nil, "\(claims)")
      for table in ["rvutrack.visit", "clara.patient", "doula.client", "ccc.message", "mart.rvu_by_period"] {
        #expect(try connection.execute("SELECT * FROM \(table)").count == 0, "\(table)")
      }
      try connection.execute("ROLLBACK")
    }
    try connection.execute("BEGIN")
    try connection.query("SELECT set_config('request.jwt.claim.sub', $1, true)", [.text(People.ana)])
    #expect(try connection.execute("SELECT auth.uid()").first?[0] == People.ana)
  }
}
