/// Roles and what they may see.
extension LintCitusTests {
  static let roles = [
    anywhere(
      "policy", "CREATE POLICY own ON app.t FOR SELECT USING (a IN (▲SELECT id FROM app.ref));",
      "CREATE POLICY own ON app.t FOR SELECT USING (b = current_user);"),
    example(
      "policy", "CREATE POLICY own ON app.visit USING (id IN (▲SELECT id FROM app.part));",
      "CREATE POLICY own ON app.code USING (n IN (▲SELECT v FROM app.visit));",
      "CREATE POLICY own ON app.ledger USING (id IN (SELECT n FROM app.code));",
      "CREATE POLICY own ON app.visit USING (n = current_setting('app.who', true));"),
    example(
      "set-role",
      "▲SET ROLE citus_reader;\nSELECT count(*) FROM app.visit;",
      "▲SET LOCAL ROLE citus_reader;\nCREATE FUNCTION app.f() RETURNS int LANGUAGE sql AS 'SELECT 1';",
      "▲SET SESSION AUTHORIZATION citus_reader;\nCREATE TYPE app.y AS (a int);",
      """
      SET ROLE citus_reader;
      SELECT count(*) FROM app.ledger;
      RESET ROLE;
      SELECT count(*) FROM app.visit;
      """,
      "SET ROLE citus_reader;\nSELECT count(*) FROM app.code;",
      "SET ROLE citus_reader;\nCREATE TABLE app.mine (a int);",
      "SET ROLE citus_account;\nSELECT count(*) FROM app.visit;",
      """
      DO $$ BEGIN IF true THEN CREATE ROLE citus_other NOLOGIN; END IF; END $$;
      GRANT USAGE, CREATE ON SCHEMA app TO citus_other;
      ▲SET ROLE citus_other;
      CREATE PROCEDURE app.f() LANGUAGE sql AS 'SELECT 1';
      """),
    example(
      "grant", "GRANT SELECT, INSERT ON app.ledger, app.visit TO citus_account, ▲citus_reader;",
      "GRANT SELECT ON ALL TABLES IN SCHEMA app TO ▲citus_reader WITH GRANT OPTION;",
      "GRANT SELECT ON app.ledger, app.code TO citus_reader;", "GRANT SELECT ON app.visit TO citus_account;",
      "GRANT USAGE ON SCHEMA app TO citus_reader;", "GRANT citus_reader TO citus_account;"),
    anywhere("grant", "CREATE ROLE citus_new;\nGRANT SELECT ON app.t TO ▲citus_new;"),
  ].flatMap(\.self)
}
