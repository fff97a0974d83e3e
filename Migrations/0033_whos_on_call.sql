-- Who's On Call: who answers for a specialty and a plan, and how to reach them.
-- rivulet:datasets oncall

-- rivulet:up
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE EXTENSION pg_trgm;
    COMMENT ON EXTENSION pg_trgm IS 'Similar texts, and parts of texts; made by migration 33';
  END IF;
END $$;

CREATE SCHEMA oncall;
COMMENT ON SCHEMA oncall IS 'Who''s On Call: schedules, and a directory of phone numbers';
GRANT USAGE ON SCHEMA oncall TO authenticated;

CREATE FUNCTION oncall.plain(written text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- Without its accents a letter is one of those that every locale has in capitals.
  RETURN btrim(regexp_replace(
    lower(regexp_replace(normalize(written, NFKD), '[\u0300-\u036f]', '', 'g')),
    '[[:space:][:punct:]]+', ' ', 'g'));
COMMENT ON FUNCTION oncall.plain(text) IS
  'A text as it is compared: case, accents, punctuation and the number of blanks aside';

CREATE FUNCTION oncall.name_key(name text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- Do is a family name, too: it is a degree only where two names are before it.
  RETURN nullif(replace(regexp_replace(regexp_replace(
    oncall.plain(replace(regexp_replace(
      name, '^\s*((dr|doctor|prof|professor)(\.\s*|\s+))+', '', 'i'), '.', '')),
    '( (md|phd|np|pa|pa c|rn|bsn|msn|dnp|aprn|arnp|crna|cnm|fnp|fnp bc|dds|dmd|dpm|od|pharmd|mph|mba|mbbs|facp|faap|facs|facog|facc|faafp|facep))+$', ''),
    '^(\S+ \S.*) do$', '\1'), ' ', ''), '');
COMMENT ON FUNCTION oncall.name_key(text) IS
  'A provider''s name as it is compared: without title, degrees, case, accents, blanks and punctuation';

CREATE TABLE oncall.setting (
  name text PRIMARY KEY,
  value text NOT NULL
);
COMMENT ON TABLE oncall.setting IS 'longest_shift: how long a shift lasts at most whose end is not known, an interval';
INSERT INTO oncall.setting VALUES ('longest_shift', '24 hours');

CREATE TABLE oncall.schedule (
  id uuid PRIMARY KEY,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz,
  specialty text NOT NULL,
  provider text NOT NULL,
  healthcare_plan text NOT NULL DEFAULT '',
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT schedule_ends_after_start CHECK (ends_at > starts_at)
);
CREATE INDEX schedule_specialty_idx
  ON oncall.schedule (oncall.plain(specialty), oncall.plain(healthcare_plan), starts_at);
COMMENT ON TABLE oncall.schedule IS 'A shift';
COMMENT ON COLUMN oncall.schedule.ends_at IS
  'End of the shift; where it is null the next shift of the specialty and plan ends it, or the longest shift';

CREATE TABLE oncall.directory (
  id uuid PRIMARY KEY,
  provider_name text NOT NULL,
  specialty text NOT NULL,
  phone_number text NOT NULL CHECK (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  npi bigint,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX directory_name_idx ON oncall.directory (oncall.name_key(provider_name), oncall.plain(specialty));
COMMENT ON TABLE oncall.directory IS 'How to reach a provider';
COMMENT ON COLUMN oncall.directory.phone_number IS 'E.164';

-- The extension may lie in any schema: Supabase keeps its own.
DO $$
DECLARE
  home constant name := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'pg_trgm');
BEGIN
  EXECUTE format('CREATE INDEX schedule_provider_idx ON oncall.schedule USING gin (provider %I.gin_trgm_ops)', home);
  EXECUTE format('CREATE INDEX directory_provider_idx ON oncall.directory USING gin (provider_name %I.gin_trgm_ops)', home);
END $$;

CREATE TRIGGER note_change BEFORE UPDATE ON oncall.schedule FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON oncall.directory FOR EACH ROW EXECUTE FUNCTION api.note_change();

ALTER TABLE oncall.setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE oncall.schedule ENABLE ROW LEVEL SECURITY;
ALTER TABLE oncall.directory ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON oncall.setting, oncall.schedule, oncall.directory TO authenticated;
CREATE POLICY everyone ON oncall.setting FOR SELECT TO authenticated USING (true);
CREATE POLICY everyone ON oncall.schedule FOR SELECT TO authenticated USING (true);
CREATE POLICY everyone ON oncall.directory FOR SELECT TO authenticated USING (true);

CREATE FUNCTION oncall.longest_shift() RETURNS interval
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce((SELECT value FROM oncall.setting WHERE name = 'longest_shift'), '24 hours')::interval;
COMMENT ON FUNCTION oncall.longest_shift() IS 'How long a shift lasts at most whose end is not known';

CREATE VIEW oncall.shift WITH (security_invoker = true) AS
  SELECT s.id, s.specialty, s.healthcare_plan, s.provider, s.starts_at,
    coalesce(s.ends_at, least(
      -- Several that begin at the same moment share it; a second one does not end the first.
      (SELECT min(n.starts_at) FROM oncall.schedule n
        WHERE oncall.plain(n.specialty) = oncall.plain(s.specialty)
          AND oncall.plain(n.healthcare_plan) = oncall.plain(s.healthcare_plan) AND n.starts_at > s.starts_at),
      s.starts_at + oncall.longest_shift())) AS ends_at
  FROM oncall.schedule s;
COMMENT ON VIEW oncall.shift IS 'Shifts, each with its end';
GRANT SELECT ON oncall.shift TO authenticated;

CREATE FUNCTION oncall.containing(words text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN '%' || regexp_replace(words, '([\\%_])', '\\\1', 'g') || '%';
COMMENT ON FUNCTION oncall.containing(text) IS
  'The pattern of LIKE for what has a text in it; percent signs and underscores are just that';

CREATE FUNCTION oncall.search_schedule(words text) RETURNS SETOF oncall.schedule
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT * FROM oncall.schedule WHERE provider ILIKE oncall.containing(words) ORDER BY starts_at, provider, id;
  END;
COMMENT ON FUNCTION oncall.search_schedule(text) IS 'Shifts of providers whose names have a text in them, in any case';

CREATE FUNCTION oncall.search_directory(words text) RETURNS SETOF oncall.directory
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT * FROM oncall.directory WHERE provider_name ILIKE oncall.containing(words) ORDER BY provider_name, id;
  END;
COMMENT ON FUNCTION oncall.search_directory(text) IS 'Entries of providers whose names have a text in them, in any case';

-- What clients know: the tables and columns by their own names, with the rights of the reader. Which file a row was
-- loaded from is not theirs to see.
CREATE VIEW api.schedules WITH (security_invoker = true) AS
  SELECT id, starts_at AS "date", ends_at, specialty, provider, healthcare_plan, created_at, updated_at
  FROM oncall.schedule;
CREATE VIEW api.directory WITH (security_invoker = true) AS
  SELECT id, provider_name, specialty, phone_number, npi, created_at, updated_at
  FROM oncall.directory;
GRANT SELECT ON api.schedules, api.directory TO authenticated;

CREATE FUNCTION mart.on_call_now(at timestamptz DEFAULT now())
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
COMMENT ON FUNCTION mart.on_call_now(timestamptz) IS
  'Who is on call at a moment, with the phone number of the directory, with the rights of the caller';

REVOKE ALL ON FUNCTION mart.on_call_now(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mart.on_call_now(timestamptz) TO authenticated;

-- rivulet:down
DROP FUNCTION mart.on_call_now(timestamptz);
DROP VIEW api.directory;
DROP VIEW api.schedules;
DROP FUNCTION oncall.search_directory(text);
DROP FUNCTION oncall.search_schedule(text);
DROP FUNCTION oncall.containing(text);
DROP VIEW oncall.shift;
DROP FUNCTION oncall.longest_shift();
DROP TABLE oncall.directory;
DROP TABLE oncall.schedule;
DROP TABLE oncall.setting;
DROP FUNCTION oncall.name_key(text);
DROP FUNCTION oncall.plain(text);
DROP SCHEMA oncall;
DO $$
BEGIN
  IF (SELECT obj_description(oid, 'pg_extension') FROM pg_extension WHERE extname = 'pg_trgm')
    LIKE '%made by migration 33' THEN
    DROP EXTENSION pg_trgm;
  END IF;
END $$;

-- rivulet:verify
SELECT 1 / (count(*) = 3)::int FROM pg_class
WHERE relnamespace = 'oncall'::regnamespace AND relkind = 'r' AND relrowsecurity;
SELECT 1 / (oncall.name_key('Dr. Ana de la Cruz, M.D.') = oncall.name_key('ANA DE-LA CRUZ'))::int;
SELECT 1 / (oncall.name_key('Dr. José de la Cruz, M.D.') = oncall.name_key('JOSE DE-LA CRUZ'))::int;
SELECT 1 / (oncall.name_key('Prof. Dr. Ana Cruz (MD), PhD, FACP') = 'anacruz')::int;
SELECT 1 / (oncall.name_key('Anna Do, DO') = oncall.name_key('anna do') AND oncall.name_key('Anna Lee DO') = 'annalee')::int;
SELECT 1 / (oncall.plain('OB / Gyn') = oncall.plain('ob-gyn'))::int;
SELECT count(*) FROM oncall.search_directory('%');
SELECT count(*) FROM oncall.search_schedule('%');
SELECT count(*) FROM mart.on_call_now();
