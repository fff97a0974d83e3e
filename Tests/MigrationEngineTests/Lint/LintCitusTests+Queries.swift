/// Queries and views.
extension LintCitusTests {
  static let queries = [
    anywhere(
      "query", "CREATE VIEW app.w AS SELECT a FROM app.t GROUP BY ▲ROLLUP (a);",
      "CREATE VIEW app.w AS ▲WITH RECURSIVE r AS (SELECT 1) SELECT * FROM r;",
      "CREATE VIEW app.w AS WITH r AS (SELECT 1 AS cube) SELECT count(DISTINCT cube) FROM r;"),
    example(
      "query", "CREATE VIEW app.w AS SELECT n, count(*) FROM app.visit GROUP BY ▲ROLLUP (n);",
      "CREATE VIEW app.w AS SELECT n, count(*) FROM app.visit WHERE source_id = 1 GROUP BY ROLLUP (n);",
      "CREATE VIEW app.w AS SELECT t, count(*) FROM app.ledger GROUP BY ROLLUP (t);"),
    example(
      "names",
      """
      CREATE VIEW app.w AS WITH c (k, a, b) AS (
        SELECT ▲source_id, 'x', n FROM app.visit UNION ALL SELECT source_id, 'y', m FROM app.part)
      SELECT k, a, count(b) FROM c GROUP BY k, a;
      """,
      """
      CREATE TABLE app.found AS WITH c (k, a, b) AS NOT MATERIALIZED (
        SELECT source_id AS k, ▲'x', n FROM app.visit UNION SELECT source_id, 'y', m FROM app.part)
      SELECT k, a, b FROM c;
      """,
      """
      CREATE TABLE app.found AS WITH c (a, b) AS (
        SELECT ▲'x', n FROM app.visit WHERE source_id = 1
        UNION ALL SELECT 'y', m FROM app.part WHERE source_id = 1)
      SELECT a, b FROM c;
      """,
      """
      CREATE VIEW app.w (k, a) AS
      SELECT ▲source_id, 'x' FROM app.visit UNION ALL SELECT source_id, 'y' FROM app.part;
      """,
      """
      CREATE VIEW app.w AS WITH c (k, a, b) AS (
        SELECT source_id AS k, 'x' AS a, n b FROM app.visit UNION ALL SELECT source_id, 'y', m FROM app.part)
      SELECT k, a, count(b) FROM c GROUP BY k, a;
      """,
      "CREATE TABLE app.found AS WITH c (a, b) AS (SELECT 'x', n FROM app.visit) SELECT a, b FROM c;",
      """
      CREATE TABLE app.found AS WITH c (a, b) AS (
        SELECT 'x', n FROM app.visit UNION ALL SELECT 'y', m FROM app.part)
      SELECT a, b FROM c;
      """,
      """
      CREATE TABLE app.found AS WITH c (k, a, b) AS MATERIALIZED (
        SELECT source_id, 'x', n FROM app.visit UNION ALL SELECT source_id, 'y', m FROM app.part)
      SELECT k, a, b FROM c;
      """,
      """
      CREATE TABLE app.found AS WITH c (k, a, b) AS (
        SELECT source_id, 'x', n FROM app.visit UNION ALL SELECT source_id, 'y', m FROM app.part)
      SELECT c.k, d.a FROM c JOIN c d ON c.k = d.k;
      """,
      """
      CREATE TABLE app.found AS WITH c (k, a, b) AS (
        SELECT source_id, 'x', n FROM app.visit UNION ALL SELECT id, 'y', t FROM app.ledger)
      SELECT k, a, b FROM c;
      """,
      """
      CREATE TABLE app.found AS WITH c (k, a, b) AS (
        SELECT source_id, 'x', id FROM app.visit UNION ALL SELECT id, 'y', source_id FROM app.part)
      SELECT k, a, b FROM c;
      """),
    example(
      "row-locks", "SELECT id FROM app.visit WHERE v = 3 ▲FOR NO KEY UPDATE;",
      "SELECT count(*) FROM (SELECT id FROM app.visit ▲FOR UPDATE) x;",
      "SELECT id FROM app.visit WHERE source_id = 1 OR id = 2 ▲FOR SHARE;",
      "SELECT id FROM app.visit WHERE v = 3 ORDER BY id LIMIT 1 ▲FOR KEY SHARE;",
      """
      DO ▲$$ DECLARE r record; BEGIN
        FOR r IN SELECT id FROM app.visit WHERE v = 3 FOR UPDATE LOOP NULL; END LOOP;
      END $$;
      """,
      "SELECT id FROM app.visit WHERE source_id = 1 AND v = 3 FOR NO KEY UPDATE SKIP LOCKED;",
      "SELECT id FROM app.visit AS x WHERE x.source_id = 1::bigint LIMIT 1 FOR UPDATE;",
      "SELECT n FROM app.code FOR UPDATE;", "SELECT id FROM app.ledger FOR UPDATE;",
      "CREATE POLICY own ON app.visit FOR UPDATE USING (n = current_user);",
      "LOCK TABLE app.visit IN SHARE ROW EXCLUSIVE MODE;"),
    example(
      "record",
      """
      SELECT count(*) FROM app.visit v JOIN app.part p USING (source_id, id)
      WHERE ROW(v.n)::record ▲*<> ROW(p.m)::record;
      """,
      """
      UPDATE app.visit v SET n = p.m FROM app.part p
      WHERE v.source_id = p.source_id AND v.id = p.id AND CAST(ROW(v.n) AS record) ▲*<> ROW(p.m);
      """,
      """
      SELECT count(*) FROM app.visit v JOIN app.part p USING (source_id, id)
      WHERE record_image_ne(ROW(v.n), ROW(p.m));
      """,
      "SELECT count(*) FROM app.visit v WHERE ROW(v.id)::record = ROW(v.id)::record;",
      "SELECT count(*) FROM app.ledger l WHERE ROW(l.t)::record *<> ROW(l.t)::record;"),
  ].flatMap(\.self)
}
