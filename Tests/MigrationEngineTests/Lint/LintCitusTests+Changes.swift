/// Changes of rows.
extension LintCitusTests {
  static let changes = [
    example(
      "merge", "▲MERGE INTO app.visit v USING app.ledger l ON v.source_id = l.id WHEN MATCHED THEN DELETE;",
      "▲MERGE INTO app.code c USING app.ledger l ON c.code = l.t WHEN MATCHED THEN DELETE;",
      "▲MERGE INTO app.ledger l USING app.visit v ON v.id = l.id WHEN MATCHED THEN DELETE;",
      """
      MERGE INTO app.visit v USING app.part p ON v.source_id = p.source_id AND v.id = p.id
      WHEN MATCHED THEN DELETE;
      """,
      "MERGE INTO app.ledger l USING app.ledger m ON m.id = l.id WHEN MATCHED THEN DELETE;"),
    example(
      "copy-where", "COPY app.visit FROM '/dev/null' (FORMAT csv) ▲WHERE id > 1;",
      "COPY app.ledger FROM '/dev/null' WHERE id > 1;\nCOPY app.visit FROM '/dev/null';"),
    example(
      "ctid",
      "DELETE FROM app.visit WHERE ctid IN (SELECT ▲ctid FROM app.visit WHERE v = 9);",
      "WITH x AS (SELECT ctid FROM app.visit LIMIT 5) UPDATE app.visit t SET v = 1 FROM x WHERE t.ctid = x.▲ctid;",
      """
      DELETE FROM app.visit WHERE source_id = 1
      AND ctid IN (SELECT ctid FROM app.visit WHERE source_id = 1 AND v = 9);
      """,
      """
      DELETE FROM app.visit a USING app.visit b
      WHERE a.source_id = b.source_id AND a.id = b.id AND a.ctid < b.ctid;
      """,
      "DELETE FROM app.ledger WHERE ctid IN (SELECT ctid FROM app.ledger LIMIT 5);",
      "DELETE FROM app.code WHERE ctid IN (SELECT ctid FROM app.code LIMIT 5);"),
    example(
      "update", "UPDATE app.visit SET v = 1, ▲source_id = 5 WHERE id = 3;",
      "UPDATE app.visit SET ▲(source_id, v) = (5, 6) WHERE id = 3;",
      "▲UPDATE app.visit SET v = random() WHERE id = 3;", "▲DELETE FROM app.code WHERE random() < 0.1;",
      "UPDATE app.visit SET source_id = source_id, v = 2 WHERE id = 3;",
      "UPDATE app.visit SET n = now()::text;", "UPDATE app.ledger SET id = id + 1, t = random()::text;",
      "UPDATE app.visit SET v = 1 FROM (SELECT random() AS r) s WHERE s.r < 0;",
      "INSERT INTO app.visit (source_id, id, n) VALUES (1, 1001, random()::text);"),
  ].flatMap(\.self)
}
