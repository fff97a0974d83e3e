-- What names, places and specialties are compared by when records of different directories may be the same provider.
-- rivulet:datasets directory-csv

-- rivulet:up
CREATE FUNCTION directory.name_key(name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(translate(upper(name),
    'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ -''’`.,"()/&0123456789', 'AAAAAACEEEEIIIINOOOOOOUUUUY'), '');
COMMENT ON FUNCTION directory.name_key IS
  'Letters of a name without case, accents, blanks and punctuation: O''Neil-Díaz is ONEILDIAZ';

CREATE FUNCTION directory.organization_key(name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(translate(regexp_replace(
    ' ' || regexp_replace(translate(replace(upper(name), '&', ' AND '), '.''’`', ''), '[^[:alnum:]]+', ' ', 'g') || ' ',
    ' (THE|INC|INCORPORATED|LLC|LLP|LTD|LIMITED|LP|PC|PA|PLLC|PLC|PSC|CORP|CORPORATION|CO|COMPANY)(?= )', '', 'g'),
    ' ', ''), '');
COMMENT ON FUNCTION directory.organization_key IS
  'Letters and digits of an organisation''s name without its legal form: The Alder Clinic, L.L.C. is ALDERCLINIC';

CREATE FUNCTION directory.street_key(line text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN substring(upper(line) FROM '^\s*([0-9]+[A-Z]?)\M') || ' ' || substring(
    regexp_replace(upper(line), '^\s*[0-9]+[A-Z]?\s+((N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST)\M\.?\s+)?', '')
    FROM '^[A-Z0-9]+');
COMMENT ON FUNCTION directory.street_key IS
  'House number and first word of a street, which spellings share: 12 N. Main Street and 12 Main St are 12 MAIN';

CREATE FUNCTION directory.release_series(release text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(release, '-\d{4}(-\d{2}){0,2}$', '');
COMMENT ON FUNCTION directory.release_series IS
  'Whose releases these are: the name without its date, acme of acme-2025-11-20';

-- rivulet:down
DROP FUNCTION directory.release_series(text);
DROP FUNCTION directory.street_key(text);
DROP FUNCTION directory.organization_key(text);
DROP FUNCTION directory.name_key(text);

-- rivulet:verify
SELECT 1 / (directory.name_key('O''Neil-Díaz') = 'ONEILDIAZ'
  AND directory.organization_key('The Alder Clinic, L.L.C.') = 'ALDERCLINIC'
  AND directory.street_key('12 N. Main Street') = '12 MAIN'
  AND directory.release_series('acme-2025-11-20') = 'acme')::int;
