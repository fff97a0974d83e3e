import TestSupport
import Testing

/// What a doula sees of her clients.
@Suite("A doula's clients")
struct DoulaViewTests {
  @Test("are listed by the day of delivery, counted by status, and have links that work or do not")
  func lists() throws {
    let doula = try SystemDatabase()
    try doula.execute(
      """
      INSERT INTO doula.doula_profile (id) VALUES (@ana), (@ben);
      INSERT INTO doula.client (id, doula_id, name, edd, status, deleted_at)
      SELECT id, doula, 'n' || right(id::text, 1), rivulet.today() + days, status, gone FROM (VALUES
        (#1::uuid, @ana::uuid, 70, 'preparing', NULL::timestamptz), (#2, @ana, 7, 'approaching', NULL),
        (#3, @ana, NULL, 'onboarding', NULL), (#4, @ana, 1, 'approaching', now()),
        (#5, @ana, -3, 'postpartum', NULL), (#6, @ben, 7, 'approaching', NULL),
        (#7, @ana, 7, 'approaching', NULL)) v(id, doula, days, status, gone)
      """)
    try doula.refresh()
    try doula.expect(
      "SELECT right(doula_id::text, 1), name, status, week, place FROM mart.client_list ORDER BY doula_id, place",
      "1|n5|postpartum|-|1", "1|n2|approaching|39|2", "1|n7|approaching|39|3", "1|n1|preparing|30|4",
      "1|n3|onboarding|-|5", "2|n6|approaching|39|1")
    let counts =
      "SELECT right(doula_id::text, 1), status, clients FROM mart.client_status_count ORDER BY 1, 2"
    try doula.expect(
      counts, "1|approaching|2", "1|onboarding|1", "1|postpartum|1", "1|preparing|1", "2|approaching|1")
    try doula.execute(
      """
      UPDATE doula.client SET doula_id = @ben, status = 'preparing' WHERE id = #2;
      UPDATE doula.client SET deleted_at = NULL WHERE id = #4;
      """)
    try doula.refresh()
    try doula.expect(
      counts, "1|approaching|2", "1|onboarding|1", "1|postpartum|1", "1|preparing|1", "2|approaching|1",
      "2|preparing|1")
    try doula.execute(
      """
      INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at, disabled) VALUES
        (#11, #1, sha256('1'), now() + interval '1 minute', false),
        (#12, #1, sha256('2'), now() - interval '1 second', false),
        (#13, #1, sha256('3'), now() + interval '1 minute', true)
      """)
    let active = "SELECT right(id::text, 2) FROM mart.public_link_active"
    try doula.expect(active, "11")
    try doula.execute("UPDATE doula.client SET deleted_at = now() WHERE id = #1")
    try doula.expect(active)
  }
}
