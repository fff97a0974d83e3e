extension PolicyCases {
  /// DoulaFlow: a doula has what is her clients', and what comes with the program.
  static let doula: [PolicyCase] =
    ownPerson("doula.doula_profile")
    + ownOnly("doula.client", 91, by: "doula_id", new: ("name", "'n'"))
    + ownOnly("doula.birth_plan", 111, by: "client_id", ("#91", "#92"))
    + ownOnly("doula.recommendation", 121, by: "client_id", ("#91", "#92"))
    + ownOnly("doula.client_file", by: "client_id", ("#91", "#92"), new: ("slug, storage_path", "'g', 'p'"))
    + templates + links
    + PolicyCase.table(
      """
      ana 1 SELECT * FROM mart.client_pregnancy
      ana 0 SELECT * FROM mart.client_pregnancy WHERE doula_id = @ben
      carol 0 SELECT * FROM mart.client_pregnancy
      ana 1 SELECT * FROM mart.client_status_count
      ana 0 SELECT * FROM mart.client_status_count WHERE doula_id = @ben
      ana 1 SELECT * FROM mart.client_list
      carol 0 SELECT * FROM mart.client_list
      ana 1 SELECT * FROM mart.public_link_active
      carol 0 SELECT * FROM mart.public_link_active
      ana 1 SELECT * FROM api.clients
      ana 1 UPDATE api.clients SET name = 'n'
      ana 0 DELETE FROM api.clients WHERE doula_id = @ben
      """)

  /// What comes with the program everybody reads and nobody writes.
  private static let templates = PolicyCase.table(
    """
    ana 2 SELECT * FROM doula.template
    ana 1 SELECT * FROM doula.template WHERE id = #101
    ana 0 SELECT * FROM doula.template WHERE doula_id = @ben
    carol 1 SELECT * FROM doula.template
    ana 1 UPDATE doula.template SET name = 'n'
    carol 0 UPDATE doula.template SET name = 'n'
    ana no UPDATE doula.template SET doula_id = NULL WHERE id = #101
    ana 1 DELETE FROM doula.template
    carol 0 DELETE FROM doula.template
    ana 1 INSERT INTO doula.template (id, doula_id, kind, name, content) VALUES (#109, @ana, 'birth_plan', 'n', '[]')
    ana no INSERT INTO doula.template (id, doula_id, kind, name, content) VALUES (#109, NULL, 'birth_plan', 'n', '[]')
    """)

  /// Who could write the hash of a token would learn by a refusal that there is such a link. By a link a doula
  /// sees what her client sees, of whosoever client it is.
  private static let links = PolicyCase.table(
    """
    ana 1 SELECT * FROM doula.public_link
    ana 0 SELECT * FROM doula.public_link WHERE id = #132
    ana 1 UPDATE doula.public_link SET disabled = true WHERE id = #131
    ana 0 UPDATE doula.public_link SET expires_at = now() WHERE id = #132
    ana no UPDATE doula.public_link SET client_id = #92 WHERE id = #131
    ana no UPDATE doula.public_link SET token_sha256 = sha256('2') WHERE id = #131
    ana 1 DELETE FROM doula.public_link WHERE id = #131
    ana 0 DELETE FROM doula.public_link WHERE id = #132
    ana no INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at) VALUES (#139, #91, sha256('2'), now())
    ana no INSERT INTO doula.public_link (id, client_id, token_sha256, expires_at) VALUES (#139, #91, sha256('9'), now())
    ana no UPDATE api.public_links SET token_sha256 = sha256('9') WHERE id = #131
    ana 1 UPDATE api.public_links SET disabled = true WHERE id = #131
    ana 1 SELECT doula.generate_public_link(#91, '1 day')
    ana no SELECT doula.generate_public_link(#92, '1 day')
    ana 1 SELECT 1 WHERE doula.revoke_public_link('1')
    ana 0 SELECT 1 WHERE doula.revoke_public_link('2')
    anon no SELECT doula.generate_public_link(#91, '1 day')
    anon no SELECT doula.revoke_public_link('1')
    anon 1 SELECT 1 WHERE doula.client_cabinet('1') ->> 'name' = 'x'
    anon 0 SELECT 1 WHERE doula.client_cabinet('3') IS NOT NULL
    ana 1 SELECT 1 WHERE doula.client_cabinet('2') ->> 'name' = 'y'
    """)
}
