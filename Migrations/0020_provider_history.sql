-- What was known of providers before it changed, so that a deactivation does not take it away.
-- rivulet:datasets nppes

-- rivulet:up
CREATE TABLE directory.provider_history (
  LIKE directory.provider INCLUDING COMMENTS,
  valid_from date NOT NULL,
  valid_to date NOT NULL,
  CONSTRAINT provider_history_key UNIQUE (release, source_id, valid_from, valid_to, source_file_id)
);
COMMENT ON TABLE directory.provider_history IS 'What rows of provider were before changes of a week, or a report, took their place';
COMMENT ON COLUMN directory.provider_history.valid_from IS 'First day of the release or the week that brought the row';
COMMENT ON COLUMN directory.provider_history.valid_to IS 'First day of the week, or day of the report, that took its place';

CREATE TABLE directory.provider_name_history (
  LIKE directory.provider_name INCLUDING COMMENTS,
  valid_from date NOT NULL,
  valid_to date NOT NULL,
  CONSTRAINT provider_name_history_key UNIQUE (release, source_id, slot, valid_from, valid_to, source_file_id)
);
COMMENT ON TABLE directory.provider_name_history IS 'What rows of provider_name were before changes of a week, or a report, took their place';
COMMENT ON COLUMN directory.provider_name_history.valid_from IS 'First day of the release or the week that brought the row';
COMMENT ON COLUMN directory.provider_name_history.valid_to IS 'First day of the week, or day of the report, that took its place';

CREATE TABLE directory.provider_address_history (
  LIKE directory.provider_address INCLUDING COMMENTS,
  valid_from date NOT NULL,
  valid_to date NOT NULL,
  CONSTRAINT provider_address_history_key UNIQUE (release, source_id, slot, valid_from, valid_to, source_file_id)
);
COMMENT ON TABLE directory.provider_address_history IS 'What rows of provider_address were before changes of a week, or a report, took their place';
COMMENT ON COLUMN directory.provider_address_history.valid_from IS 'First day of the release or the week that brought the row';
COMMENT ON COLUMN directory.provider_address_history.valid_to IS 'First day of the week, or day of the report, that took its place';

CREATE TABLE directory.provider_taxonomy_history (
  LIKE directory.provider_taxonomy INCLUDING COMMENTS,
  valid_from date NOT NULL,
  valid_to date NOT NULL,
  CONSTRAINT provider_taxonomy_history_key UNIQUE (release, source_id, slot, valid_from, valid_to, source_file_id)
);
COMMENT ON TABLE directory.provider_taxonomy_history IS 'What rows of provider_taxonomy were before changes of a week, or a report, took their place';
COMMENT ON COLUMN directory.provider_taxonomy_history.valid_from IS 'First day of the release or the week that brought the row';
COMMENT ON COLUMN directory.provider_taxonomy_history.valid_to IS 'First day of the week, or day of the report, that took its place';

CREATE TABLE directory.provider_identifier_history (
  LIKE directory.provider_identifier INCLUDING COMMENTS,
  valid_from date NOT NULL,
  valid_to date NOT NULL,
  CONSTRAINT provider_identifier_history_key UNIQUE (release, source_id, slot, valid_from, valid_to, source_file_id)
);
COMMENT ON TABLE directory.provider_identifier_history IS 'What rows of provider_identifier were before changes of a week, or a report, took their place';
COMMENT ON COLUMN directory.provider_identifier_history.valid_from IS 'First day of the release or the week that brought the row';
COMMENT ON COLUMN directory.provider_identifier_history.valid_to IS 'First day of the week, or day of the report, that took its place';

-- rivulet:down
DROP TABLE directory.provider_identifier_history;
DROP TABLE directory.provider_taxonomy_history;
DROP TABLE directory.provider_address_history;
DROP TABLE directory.provider_name_history;
DROP TABLE directory.provider_history;

-- rivulet:verify
SELECT 1 / (count(*) = 5)::int FROM pg_class
WHERE relnamespace = 'directory'::regnamespace AND relkind = 'r' AND relname LIKE 'provider%\_history';
