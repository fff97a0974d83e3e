extension PolicyCases {
  /// Who could write the hash of a token would learn by a refusal that there is such a link.
  private static let links: [PolicyCase] = {
    let insert = { (token: String) in
      """
      INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at)
      VALUES (\(row(139)), \(row(91)), sha256('\(token)'), now())
      """
    }
    return [
      PolicyCase(ana, "SELECT * FROM doula.public_link", .rows(1)),
      PolicyCase(ana, "SELECT * FROM doula.public_link WHERE id = \(row(132))", .rows(0)),
      PolicyCase(ana, "UPDATE doula.public_link SET disabled = true WHERE id = \(row(131))", .rows(1)),
      PolicyCase(ana, "UPDATE doula.public_link SET expires_at = now() WHERE id = \(row(132))", .rows(0)),
      PolicyCase(
        ana, "UPDATE doula.public_link SET client_id = \(row(92)) WHERE id = \(row(131))", .forbidden),
      PolicyCase(
        ana, "UPDATE doula.public_link SET token_sha256 = sha256('2') WHERE id = \(row(131))", .forbidden),
      PolicyCase(ana, "DELETE FROM doula.public_link WHERE id = \(row(131))", .rows(1)),
      PolicyCase(ana, "DELETE FROM doula.public_link WHERE id = \(row(132))", .rows(0)),
      PolicyCase(ana, insert("2"), .forbidden), PolicyCase(ana, insert("9"), .forbidden),
      PolicyCase(
        ana, "UPDATE api.public_links SET token_sha256 = sha256('9') WHERE id = \(row(131))", .forbidden),
      PolicyCase(ana, "UPDATE api.public_links SET disabled = true WHERE id = \(row(131))", .rows(1)),
    ]
  }()

  /// DoulaFlow: a doula has what is her clients', and what comes with the program.
  static let doula: [PolicyCase] =
    ownPerson("doula.doula_profile")
    + ownOnly(
      "doula.client", 91, owner: ("doula_id", "'\(ana)'", "'\(ben)'"), columns: "name", values: "'n'")
    + ownOnly("doula.birth_plan", 111, owner: ("client_id", row(91), row(92)))
    + ownOnly("doula.recommendation", 121, owner: ("client_id", row(91), row(92)))
    + links
    + ownOnly(
      "doula.client_file", rows: ("client_id = \(row(91))", "client_id = \(row(92))"),
      owner: ("client_id", row(91), row(92)), columns: "slug, storage_path", values: "'g', 'p'")
    + [
      // What comes with the program everybody reads and nobody writes.
      PolicyCase(ana, "SELECT * FROM doula.template", .rows(2)),
      PolicyCase(ana, "SELECT * FROM doula.template WHERE id = \(row(101))", .rows(1)),
      PolicyCase(ana, "SELECT * FROM doula.template WHERE doula_id = '\(ben)'", .rows(0)),
      PolicyCase(carol, "SELECT * FROM doula.template", .rows(1)),
      PolicyCase(ana, "UPDATE doula.template SET name = 'n'", .rows(1)),
      PolicyCase(carol, "UPDATE doula.template SET name = 'n'", .rows(0)),
      PolicyCase(ana, "UPDATE doula.template SET doula_id = NULL WHERE id = \(row(101))", .forbidden),
      PolicyCase(ana, "DELETE FROM doula.template", .rows(1)),
      PolicyCase(carol, "DELETE FROM doula.template", .rows(0)),
      PolicyCase(
        ana,
        "INSERT INTO doula.template (id, doula_id, kind, name, content) VALUES (\(row(109)), '\(ana)', 'birth_plan', 'n', '[]')",
        .rows(1)),
      PolicyCase(
        ana,
        "INSERT INTO doula.template (id, doula_id, kind, name, content) VALUES (\(row(109)), NULL, 'birth_plan', 'n', '[]')",
        .forbidden),
      PolicyCase(ana, "SELECT * FROM mart.client_pregnancy", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.client_pregnancy WHERE doula_id = '\(ben)'", .rows(0)),
      PolicyCase(carol, "SELECT * FROM mart.client_pregnancy", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.client_status_count", .rows(1)),
      PolicyCase(ana, "SELECT * FROM mart.client_status_count WHERE doula_id = '\(ben)'", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.client_list", .rows(1)),
      PolicyCase(carol, "SELECT * FROM mart.client_list", .rows(0)),
      PolicyCase(ana, "SELECT * FROM mart.public_link_active", .rows(1)),
      PolicyCase(carol, "SELECT * FROM mart.public_link_active", .rows(0)),
      PolicyCase(ana, "SELECT * FROM api.clients", .rows(1)),
      PolicyCase(ana, "SELECT doula.generate_public_link(\(row(91)), '1 day')", .rows(1)),
      PolicyCase(ana, "SELECT doula.generate_public_link(\(row(92)), '1 day')", .forbidden),
      PolicyCase(ana, "SELECT 1 WHERE doula.revoke_public_link('1')", .rows(1)),
      PolicyCase(ana, "SELECT 1 WHERE doula.revoke_public_link('2')", .rows(0)),
      PolicyCase(nil, "SELECT doula.generate_public_link(\(row(91)), '1 day')", .forbidden),
      PolicyCase(nil, "SELECT doula.revoke_public_link('1')", .forbidden),
      PolicyCase(nil, "SELECT 1 WHERE doula.client_cabinet('1') ->> 'name' = 'x'", .rows(1)),
      PolicyCase(nil, "SELECT 1 WHERE doula.client_cabinet('3') IS NOT NULL", .rows(0)),
      // By a link a doula sees what her client sees, of whosoever client it is.
      PolicyCase(ana, "SELECT 1 WHERE doula.client_cabinet('2') ->> 'name' = 'y'", .rows(1)),
    ]
}
