-- What providers practise: the taxonomy's codes, and the specialties that Medicare has for them.
-- rivulet:datasets nppes, nucc, fhir-directory, qhp-providers, directory-csv

-- rivulet:up
CREATE TABLE directory.taxonomy (
  release text NOT NULL,
  code text NOT NULL,
  grouping text,
  classification text,
  specialization text,
  definition text,
  notes text,
  display_name text,
  section text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT taxonomy_key PRIMARY KEY (release, code)
) PARTITION BY LIST (release);

COMMENT ON TABLE directory.taxonomy IS 'The Health Care Provider Taxonomy code set';
COMMENT ON COLUMN directory.taxonomy.release IS 'Release the row belongs to, as nucc-24.0';
COMMENT ON COLUMN directory.taxonomy.code IS 'Taxonomy code, ten characters';
COMMENT ON COLUMN directory.taxonomy.grouping IS 'First level: what kind of provider; called type in old files';
COMMENT ON COLUMN directory.taxonomy.classification IS 'Second level: the occupation or service';
COMMENT ON COLUMN directory.taxonomy.specialization IS 'Third level: the area of specialization; null of a classification as a whole';
COMMENT ON COLUMN directory.taxonomy.definition IS 'What the code means, as published';
COMMENT ON COLUMN directory.taxonomy.notes IS 'Sources of the definition and changes of it';
COMMENT ON COLUMN directory.taxonomy.display_name IS 'Name for a reader; since 2021';
COMMENT ON COLUMN directory.taxonomy.section IS 'Individual or Non-Individual; since 2021';

CREATE TABLE directory.specialty_crosswalk (
  release text NOT NULL,
  row integer NOT NULL,
  specialty text NOT NULL,
  specialty_description text,
  taxonomy text,
  taxonomy_description text,
  source_file_id bigint NOT NULL,
  source_line bigint NOT NULL,
  CONSTRAINT specialty_crosswalk_key PRIMARY KEY (release, row)
) PARTITION BY LIST (release);
CREATE INDEX specialty_crosswalk_taxonomy_idx ON directory.specialty_crosswalk (taxonomy);

COMMENT ON TABLE directory.specialty_crosswalk IS 'Which specialty Medicare has for a taxonomy; several of either may belong together';
COMMENT ON COLUMN directory.specialty_crosswalk.row IS 'Number of the record in its file, from 1';
COMMENT ON COLUMN directory.specialty_crosswalk.specialty IS 'Medicare specialty code, two characters, without the mark of its footnote';
COMMENT ON COLUMN directory.specialty_crosswalk.specialty_description IS 'Medicare''s name of it, without the mark of its footnote';
COMMENT ON COLUMN directory.specialty_crosswalk.taxonomy IS 'Taxonomy code; null of a specialty that has none';
COMMENT ON COLUMN directory.specialty_crosswalk.taxonomy_description IS 'Levels of the taxonomy, as published';

-- rivulet:down
DROP TABLE directory.specialty_crosswalk;
DROP TABLE directory.taxonomy;

-- rivulet:verify
SELECT release, code, grouping, classification, specialization, definition, notes, display_name, section,
  source_file_id, source_line
FROM directory.taxonomy WHERE false;

SELECT release, row, specialty, specialty_description, taxonomy, taxonomy_description, source_file_id, source_line
FROM directory.specialty_crosswalk WHERE false;
