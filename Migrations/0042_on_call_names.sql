-- Names, specialties and plans as people write them: those that mean the same are the same.
-- rivulet:datasets oncall

-- rivulet:up
CREATE FUNCTION oncall.plain(written text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- Without its accents a letter is one of those that every locale has in capitals.
  RETURN btrim(regexp_replace(
    lower(regexp_replace(normalize(written, NFKD), '[\u0300-\u036f]', '', 'g')),
    '[[:space:][:punct:]]+', ' ', 'g'));
COMMENT ON FUNCTION oncall.plain(text) IS
  'A text as it is compared: case, accents, punctuation and the number of blanks aside';

DROP INDEX oncall.directory_name_idx;
CREATE OR REPLACE FUNCTION oncall.name_key(name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- Do is a family name, too: it is a degree only where two names are before it.
  RETURN nullif(replace(regexp_replace(regexp_replace(
    oncall.plain(replace(regexp_replace(
      name, '^\s*((dr|doctor|prof|professor)(\.\s*|\s+))+', '', 'i'), '.', '')),
    '( (md|phd|np|pa|pa c|rn|bsn|msn|dnp|aprn|arnp|crna|cnm|fnp|fnp bc|dds|dmd|dpm|od|pharmd|mph|mba|mbbs|facp|faap|facs|facog|facc|faafp|facep))+$', ''),
    '^(\S+ \S.*) do$', '\1'), ' ', ''), '');
COMMENT ON FUNCTION oncall.name_key(text) IS
  'A provider''s name as it is compared: without title, degrees, case, accents, blanks and punctuation';
-- rivulet:allow index-without-concurrently a directory has some thousand rows, and the old index is wrong from here on
CREATE INDEX directory_name_idx ON oncall.directory (oncall.name_key(provider_name), oncall.plain(specialty));

DROP INDEX oncall.schedule_specialty_idx;
-- rivulet:allow index-without-concurrently a schedule has some thousand rows
CREATE INDEX schedule_specialty_idx
  ON oncall.schedule (oncall.plain(specialty), oncall.plain(healthcare_plan), starts_at);
CREATE OR REPLACE VIEW oncall.shift WITH (security_invoker = true) AS
  SELECT s.id, s.specialty, s.healthcare_plan, s.provider, s.starts_at,
    coalesce(s.ends_at, least(
      -- Several that begin at the same moment share it; a second one does not end the first.
      (SELECT min(n.starts_at) FROM oncall.schedule n
        WHERE oncall.plain(n.specialty) = oncall.plain(s.specialty)
          AND oncall.plain(n.healthcare_plan) = oncall.plain(s.healthcare_plan) AND n.starts_at > s.starts_at),
      s.starts_at + oncall.longest_shift())) AS ends_at
  FROM oncall.schedule s;

CREATE OR REPLACE FUNCTION mart.on_call_now(at timestamptz DEFAULT now())
  RETURNS TABLE (specialty text, healthcare_plan text, provider text, phone_number text,
    starts_at timestamptz, ends_at timestamptz)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT s.specialty, s.healthcare_plan, s.provider, d.phone_number, s.starts_at, s.ends_at
    FROM oncall.shift s
    LEFT JOIN LATERAL (
      SELECT phone_number FROM oncall.directory
      WHERE oncall.name_key(provider_name) = oncall.name_key(s.provider)
        AND oncall.plain(specialty) = oncall.plain(s.specialty)
      ORDER BY id LIMIT 1
    ) d ON true
    WHERE s.starts_at <= at AND s.ends_at > at
    ORDER BY s.specialty, s.healthcare_plan, s.starts_at, s.provider;
  END;

-- rivulet:down
CREATE OR REPLACE FUNCTION mart.on_call_now(at timestamptz DEFAULT now())
  RETURNS TABLE (specialty text, healthcare_plan text, provider text, phone_number text,
    starts_at timestamptz, ends_at timestamptz)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT s.specialty, s.healthcare_plan, s.provider, d.phone_number, s.starts_at, s.ends_at
    FROM oncall.shift s
    LEFT JOIN LATERAL (
      SELECT phone_number FROM oncall.directory
      WHERE oncall.name_key(provider_name) = oncall.name_key(s.provider) AND lower(specialty) = lower(s.specialty)
      ORDER BY id LIMIT 1
    ) d ON true
    WHERE s.starts_at <= at AND s.ends_at > at
    ORDER BY s.specialty, s.healthcare_plan, s.starts_at, s.provider;
  END;
CREATE OR REPLACE VIEW oncall.shift WITH (security_invoker = true) AS
  SELECT s.id, s.specialty, s.healthcare_plan, s.provider, s.starts_at,
    coalesce(s.ends_at, least(
      (SELECT min(n.starts_at) FROM oncall.schedule n
        WHERE n.specialty = s.specialty AND n.healthcare_plan = s.healthcare_plan AND n.starts_at > s.starts_at),
      s.starts_at + oncall.longest_shift())) AS ends_at
  FROM oncall.schedule s;
DROP INDEX oncall.schedule_specialty_idx;
CREATE INDEX schedule_specialty_idx ON oncall.schedule (specialty, healthcare_plan, starts_at);
DROP INDEX oncall.directory_name_idx;
CREATE OR REPLACE FUNCTION oncall.name_key(name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nullif(regexp_replace(regexp_replace(
    lower(name),
    '^\s*dr\.?\s+|(,?\s+(m\.?d\.?|d\.?o\.?|ph\.?d\.?|n\.?p\.?|p\.?a\.?(-c)?|r\.?n\.?))+\s*$', '', 'g'),
    '[[:space:][:punct:]]+', '', 'g'), '');
COMMENT ON FUNCTION oncall.name_key(text) IS
  'A provider''s name as it is compared: without title, credentials, case, blanks and punctuation';
CREATE INDEX directory_name_idx ON oncall.directory (oncall.name_key(provider_name), lower(specialty));
DROP FUNCTION oncall.plain(text);

-- rivulet:verify
SELECT 1 / (oncall.name_key('Dr. José de la Cruz, M.D.') = oncall.name_key('JOSE DE-LA CRUZ'))::int;
SELECT 1 / (oncall.name_key('Prof. Dr. Ana Cruz (MD), PhD, FACP') = 'anacruz')::int;
SELECT 1 / (oncall.name_key('Anna Do, DO') = oncall.name_key('anna do') AND oncall.name_key('Anna Lee DO') = 'annalee')::int;
SELECT 1 / (oncall.plain('OB / Gyn') = oncall.plain('ob-gyn'))::int;
SELECT count(*) FROM mart.on_call_now();
