-- By what the view directory.practice_by_source puts together who practises where: what a reference of FHIR leads to, and
-- the roles of a practitioner.
-- rivulet:datasets directory-csv

-- rivulet:up
CREATE FUNCTION directory.reference_id(reference text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN substring(regexp_replace(reference, '/_history/[^/]*$', '') FROM '[^/:]+$');
COMMENT ON FUNCTION directory.reference_id IS
  'The identifier that a reference ends with, relative, absolute or urn:uuid: 17 of https://example.org/Location/17/_history/2';

-- rivulet:allow index-without-concurrently runs alone write the tables, when they are merged
CREATE INDEX practitioner_role_practitioner_idx ON directory.practitioner_role (directory.reference_id(practitioner));

CREATE FUNCTION directory.place_key(line text, postal_code text, country text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(concat_ws(' ', coalesce(directory.street_key(line), nullif(regexp_replace(upper(line), '[^[:alnum:]]+', '', 'g'), '')),
    left(postal_code, 5), nullif(upper(country), 'US')), '');
COMMENT ON FUNCTION directory.place_key IS
  'What spellings of one place share: house number, first word of the street and ZIP code, and the country where it is another one; 12 MAIN 06510';

-- rivulet:down
DROP FUNCTION directory.place_key(text, text, text);
DROP INDEX directory.practitioner_role_practitioner_idx;
DROP FUNCTION directory.reference_id(text);

-- rivulet:verify
SELECT 1 / (directory.reference_id('https://example.org/Location/17/_history/2') = '17'
  AND directory.reference_id('urn:uuid:0a1b') = '0a1b' AND directory.reference_id('Location/17') = '17')::int;
SELECT 1 / (directory.place_key('12 N. Main Street', '065101234', 'US') = directory.place_key('12 Main St', '06510', NULL)
  AND directory.place_key(NULL, NULL, NULL) IS NULL)::int;
