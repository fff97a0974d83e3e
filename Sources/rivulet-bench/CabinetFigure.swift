import PostgreSQL

/// Cabinets asked for by tokens of links that are revoked, or expired, against tokens that never were: whoever measures
/// must not learn which of them a token is.
///
/// Each token is asked for once in a run, in the server, so that no way to it hides a difference. That the same rows and
/// pages are read is proven by a test; here it is time itself.
struct CabinetFigure {
  private static let database = "bench"
  private static let tokens = 20_000
  private static let limit = 1.1

  func measure(in workbench: Workbench) throws -> [Figure] {
    try workbench.withDatabase(Self.database) {
      _ = try workbench.rivulet(["migrate", "up"], on: Self.database)
      try prepare(workbench)
      return try ["revoked", "expired"].map { state in
        let runs = try workbench.compare(
          ours: { try ask(state, workbench) }, yardstick: { try ask("unknown", workbench) })
        return Figure(
          "\(FigureName.cabinet.rawValue)-\(state)", ours: runs.ours.map(\.seconds),
          yardstick: runs.yardstick.map(\.seconds), limit: Self.limit,
          details: [("tokens", Self.tokens), ("links", 3 * Self.tokens)])
      }
    }
  }

  /// As many links that are good, revoked and expired, their tokens in no order.
  private func prepare(_ workbench: Workbench) throws {
    let connection = try workbench.connect(to: Self.database)
    try connection.execute(
      """
      CREATE SCHEMA bench;
      CREATE TABLE bench.token AS
        SELECT state, md5(state || n) AS token
        FROM unnest(ARRAY['good', 'revoked', 'expired', 'unknown']) state, generate_series(1, \(Self.tokens)) n
        ORDER BY md5(n || state);
      INSERT INTO doula.doula_profile (id) VALUES (md5('doula')::uuid);
      INSERT INTO doula.client (id, doula_id, name, edd)
        SELECT md5('client' || n)::uuid, md5('doula')::uuid, 'client', '2030-01-01' FROM generate_series(1, 1000) n;
      INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at, disabled)
        SELECT gen_random_uuid(), md5('client' || 1 + row_number() OVER () % 1000)::uuid, doula.token_hash(token),
          now() + CASE state WHEN 'expired' THEN interval '-1 day' ELSE interval '1 year' END, state = 'revoked'
        FROM bench.token WHERE state <> 'unknown';
      ANALYZE;
      """)
  }

  /// Asks by every token of a state; throws where one opens a cabinet.
  private func ask(_ state: String, _ workbench: Workbench) throws -> ProgramRun {
    try workbench.psql(
      """
      SELECT 1 / (count(doula.client_cabinet(token)) = 0)::int FROM bench.token WHERE state = '\(state)';

      """, on: Self.database)
  }
}
