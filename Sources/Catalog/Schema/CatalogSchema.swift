/// Schema `rivulet` as version 1 makes it: tables, in the order in which they refer to each other.
enum CatalogSchema {
  /// All of it, to be run as one script.
  static let sql = [project, history, ledger, rejects, releases, merges, views, viewFunctions, rights]
    .joined(separator: "\n")

  /// What belongs to the project as a whole.
  private static let project = """
    COMMENT ON SCHEMA rivulet IS 'What rivulet itself keeps: history, ledger, releases. Made by the program.';

    CREATE TABLE rivulet.setting (
      name text PRIMARY KEY,
      value text NOT NULL);
    COMMENT ON TABLE rivulet.setting IS 'Settings of the project that live views and jobs must agree on.';

    CREATE FUNCTION rivulet.today() RETURNS date STABLE PARALLEL SAFE LANGUAGE sql AS $$
      SELECT coalesce(nullif(current_setting('rivulet.on_date', true), '')::date,
        (now() AT TIME ZONE coalesce((SELECT value FROM rivulet.setting WHERE name = 'time_zone'), 'UTC'))::date)
    $$;
    COMMENT ON FUNCTION rivulet.today() IS
      'The date now, in the time zone of the project; or the date that the setting rivulet.on_date holds.';

    """

  /// What everybody may read. What runs have read and rejected is for the owner and the loader only; others may
  /// ask whether a key was rejected.
  private static let rights = """
    GRANT USAGE ON SCHEMA rivulet TO PUBLIC;
    GRANT SELECT ON rivulet.release, rivulet.current_release, rivulet.dataset, rivulet.setting TO PUBLIC;
    REVOKE ALL ON rivulet.reject, rivulet.reject_reason, rivulet.reject_header FROM PUBLIC;
    REVOKE ALL ON FUNCTION rivulet.mark_view(), rivulet.wake(), rivulet.follow_time_zone() FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION rivulet.rejected_in(text, text, text, jsonb) TO PUBLIC;
    """
}
