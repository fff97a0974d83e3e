-- Whom providers work for, as lists tell of it.
-- rivulet:datasets directory-csv

-- rivulet:up
CREATE TABLE directory.provider_affiliation (
  release text NOT NULL,
  source_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  organization text,
  identifier text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT provider_affiliation_key PRIMARY KEY (source_id, slot, release)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.provider_affiliation IS 'Groups, hospitals and others that people work for';
COMMENT ON COLUMN directory.provider_affiliation.release IS 'Release the row belongs to, as mercy-on-call-2025-11-20';
COMMENT ON COLUMN directory.provider_affiliation.source_id IS 'What the source calls the record';
COMMENT ON COLUMN directory.provider_affiliation.slot IS 'Place within the record, from 1';
COMMENT ON COLUMN directory.provider_affiliation.organization IS 'Name of the organisation';
COMMENT ON COLUMN directory.provider_affiliation.identifier IS 'What the source calls the organisation, a number';
COMMENT ON COLUMN directory.provider_affiliation.source_file_id IS 'File the row came from: rivulet.source_file';
COMMENT ON COLUMN directory.provider_affiliation.source_line IS 'Line of that file, from 1';

-- rivulet:down
DROP TABLE directory.provider_affiliation;

-- rivulet:verify
SELECT release, source_id, slot, organization, identifier FROM directory.provider_affiliation WHERE false;
