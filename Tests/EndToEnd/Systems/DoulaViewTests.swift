import PostgreSQL
import TestSupport
import Testing

/// What a doula sees of her clients.
@Suite("A doula's clients")
struct DoulaViewTests {
  @Test("are listed by the day of delivery, counted by status, and have links that work or do not")
  func lists() throws {
    let (database, program) = try Loaded.migrated()
    let connection = try database.connect()
    let client = { (number: Int, doula: String, edd: String?, status: String, isGone: Bool) throws -> Void in
      _ = try connection.query(
        """
        INSERT INTO doula.client (id, doula_id, name, edd, status, deleted_at)
        VALUES ($1::uuid, $2::uuid, $3, rivulet.today() + $4::int, $5, CASE WHEN $6::bool THEN now() END)
        """,
        [
          .text(People.id(number)), .text(doula), .text("n\(number)"), Parameter(edd), .text(status),
          .text(isGone ? "t" : "f"),
        ])
    }
    try connection.execute("INSERT INTO doula.doula_profile (id) VALUES ('\(People.ana)'), ('\(People.ben)')")
    try client(1, People.ana, "70", "preparing", false)
    try client(2, People.ana, "7", "approaching", false)
    try client(3, People.ana, nil, "onboarding", false)
    try client(4, People.ana, "1", "approaching", true)
    try client(5, People.ana, "-3", "postpartum", false)
    try client(6, People.ben, "7", "approaching", false)
    try client(7, People.ana, "7", "approaching", false)
    let refresh = try program.run("refresh")
    try #require(refresh.status == 0, "\(refresh.errors)")
    #expect(
      try connection.lines(
        "SELECT right(doula_id::text, 1), name, status, week, place FROM mart.client_list ORDER BY doula_id, place"
      )
        == [
          "1|n5|postpartum|-|1", "1|n2|approaching|39|2", "1|n7|approaching|39|3", "1|n1|preparing|30|4",
          "1|n3|onboarding|-|5", "2|n6|approaching|39|1",
        ])
    let counts =
      "SELECT right(doula_id::text, 1), status, clients FROM mart.client_status_count ORDER BY 1, 2"
    #expect(
      try connection.lines(counts) == [
        "1|approaching|2", "1|onboarding|1", "1|postpartum|1", "1|preparing|1", "2|approaching|1",
      ])
    try connection.execute(
      """
      UPDATE doula.client SET doula_id = '\(People.ben)', status = 'preparing' WHERE id = '\(People.id(2))';
      UPDATE doula.client SET deleted_at = NULL WHERE id = '\(People.id(4))';
      """)
    try #require(try program.run("refresh").status == 0)
    #expect(
      try connection.lines(counts) == [
        "1|approaching|2", "1|onboarding|1", "1|postpartum|1", "1|preparing|1", "2|approaching|1",
        "2|preparing|1",
      ])
    try connection.execute(
      """
      INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at, disabled) VALUES
        ('\(People.id(11))', '\(People.id(1))', sha256('1'), now() + interval '1 minute', false),
        ('\(People.id(12))', '\(People.id(1))', sha256('2'), now() - interval '1 second', false),
        ('\(People.id(13))', '\(People.id(1))', sha256('3'), now() + interval '1 minute', true)
      """)
    let active = "SELECT right(id::text, 2) FROM mart.public_link_active"
    #expect(try connection.lines(active) == ["11"])
    try connection.execute("UPDATE doula.client SET deleted_at = now() WHERE id = '\(People.id(1))'")
    #expect(try connection.lines(active) == [])
  }
}
