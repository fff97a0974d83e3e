-- RVU Tracker: visits, their procedures, and a user's favourite codes.
-- rivulet:datasets rvutrack

-- rivulet:up
CREATE SCHEMA rvutrack;
COMMENT ON SCHEMA rvutrack IS 'RVU Tracker: what clinicians record of their visits';
GRANT USAGE ON SCHEMA rvutrack TO authenticated;

CREATE TABLE rvutrack.app_user (
  id uuid PRIMARY KEY,
  email text,
  name text,
  image text,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
COMMENT ON TABLE rvutrack.app_user IS 'Who records visits';
COMMENT ON COLUMN rvutrack.app_user.id IS 'The user as auth.uid() gives it';

CREATE TABLE rvutrack.visit (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES rvutrack.app_user ON DELETE CASCADE,
  -- Views reckon with it: 'infinity' is a date, too.
  visit_date date NOT NULL CHECK (visit_date BETWEEN '1900-01-01' AND '2200-12-31'),
  visit_time time,
  notes text,
  is_no_show boolean NOT NULL DEFAULT false,
  sync_status text NOT NULL DEFAULT 'synced' CHECK (sync_status IN ('synced', 'pending_sync', 'conflict')),
  base_updated_at timestamptz,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX visit_user_date_idx ON rvutrack.visit (user_id, visit_date);
COMMENT ON TABLE rvutrack.visit IS 'A visit, kept or missed';
COMMENT ON COLUMN rvutrack.visit.visit_date IS 'A calendar date, of no time zone';
COMMENT ON COLUMN rvutrack.visit.base_updated_at IS 'The updated_at of the version that a change not yet synced was made to';

CREATE TABLE rvutrack.procedure (
  id uuid PRIMARY KEY,
  visit_id uuid NOT NULL REFERENCES rvutrack.visit ON DELETE CASCADE,
  hcpcs text NOT NULL CHECK (hcpcs ~ '^[0-9A-Z]{5}$'),
  modifier text NOT NULL DEFAULT '',
  description text,
  status_code text,
  work_rvu numeric(10, 2) NOT NULL CHECK (work_rvu >= 0 AND work_rvu <> 'NaN'),
  quantity integer NOT NULL DEFAULT 1 CHECK (quantity > 0),
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX procedure_visit_idx ON rvutrack.procedure (visit_id);
COMMENT ON TABLE rvutrack.procedure IS 'What was done at a visit';
COMMENT ON COLUMN rvutrack.procedure.modifier IS 'Modifier; an empty text where an export has none';
COMMENT ON COLUMN rvutrack.procedure.work_rvu IS 'Work relative value units of one, as they were stored with the visit';

CREATE TABLE rvutrack.favorite (
  user_id uuid NOT NULL REFERENCES rvutrack.app_user ON DELETE CASCADE,
  hcpcs text NOT NULL CHECK (hcpcs ~ '^[0-9A-Z]{5}$'),
  position integer NOT NULL,
  source_file_id bigint,
  source_line bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, hcpcs)
);
COMMENT ON TABLE rvutrack.favorite IS 'The codes that a user wants at hand, in the user''s order';

CREATE TRIGGER note_change BEFORE UPDATE ON rvutrack.app_user FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON rvutrack.visit FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON rvutrack.procedure FOR EACH ROW EXECUTE FUNCTION api.note_change();
CREATE TRIGGER note_change BEFORE UPDATE ON rvutrack.favorite FOR EACH ROW EXECUTE FUNCTION api.note_change();

ALTER TABLE rvutrack.app_user ENABLE ROW LEVEL SECURITY;
ALTER TABLE rvutrack.visit ENABLE ROW LEVEL SECURITY;
ALTER TABLE rvutrack.procedure ENABLE ROW LEVEL SECURITY;
ALTER TABLE rvutrack.favorite ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT, UPDATE, DELETE ON rvutrack.app_user, rvutrack.visit, rvutrack.procedure, rvutrack.favorite
  TO authenticated;
CREATE POLICY own ON rvutrack.app_user TO authenticated
  USING (id = (SELECT auth.uid())) WITH CHECK (id = (SELECT auth.uid()));
CREATE POLICY own ON rvutrack.visit TO authenticated
  USING (user_id = (SELECT auth.uid())) WITH CHECK (user_id = (SELECT auth.uid()));
CREATE POLICY own ON rvutrack.procedure TO authenticated
  USING (EXISTS (SELECT FROM rvutrack.visit v WHERE v.id = visit_id AND v.user_id = (SELECT auth.uid())))
  WITH CHECK (EXISTS (SELECT FROM rvutrack.visit v WHERE v.id = visit_id AND v.user_id = (SELECT auth.uid())));
CREATE POLICY own ON rvutrack.favorite TO authenticated
  USING (user_id = (SELECT auth.uid())) WITH CHECK (user_id = (SELECT auth.uid()));

CREATE FUNCTION rvutrack.period_start(period text, day date) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE period
    WHEN 'day' THEN day
    -- ISO weeks begin on Monday.
    WHEN 'week' THEN day - (extract(isodow FROM day)::int - 1)
    WHEN 'month' THEN make_date(extract(year FROM day)::int, extract(month FROM day)::int, 1)
    WHEN 'year' THEN make_date(extract(year FROM day)::int, 1, 1)
  END;
COMMENT ON FUNCTION rvutrack.period_start(text, date) IS
  'The first day of the day, ISO week (from Monday), month or year that a day is in';

CREATE FUNCTION rvutrack.period_end(period text, starts_on date) RETURNS date
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE period
    WHEN 'day' THEN starts_on + 1
    WHEN 'week' THEN starts_on + 7
    WHEN 'month' THEN (starts_on + interval '1 month')::date
    WHEN 'year' THEN (starts_on + interval '1 year')::date
  END;
COMMENT ON FUNCTION rvutrack.period_end(text, date) IS 'The day after a period that begins on a day';

-- What clients know: the tables and columns by their own names, with the rights of the reader. Which file a row was
-- loaded from is not theirs to see.
CREATE VIEW api.users WITH (security_invoker = true) AS
  SELECT id, email, name, image, created_at, updated_at, deleted_at
  FROM rvutrack.app_user;
CREATE VIEW api.visits WITH (security_invoker = true) AS
  SELECT id, user_id, visit_date AS "date", visit_time AS "time", notes, is_no_show, sync_status, base_updated_at,
    created_at, updated_at, deleted_at
  FROM rvutrack.visit;
CREATE VIEW api.procedures WITH (security_invoker = true) AS
  SELECT id, visit_id, hcpcs, modifier, description, status_code, work_rvu, quantity, created_at, updated_at,
    deleted_at
  FROM rvutrack.procedure;
CREATE VIEW api.favorites WITH (security_invoker = true) AS
  SELECT user_id, hcpcs, position, created_at, updated_at
  FROM rvutrack.favorite;
GRANT SELECT, INSERT, UPDATE, DELETE ON api.users, api.visits, api.procedures, api.favorites TO authenticated;

CREATE FUNCTION mart.rvu_summary(asked_user uuid, from_date date, to_date date)
  RETURNS TABLE (total_rvu numeric, encounters bigint, no_shows bigint, avg_rvu_per_encounter numeric)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT coalesce(sum(done.rvu), 0), count(*) FILTER (WHERE NOT v.is_no_show),
      count(*) FILTER (WHERE v.is_no_show),
      round(coalesce(sum(done.rvu), 0) / nullif(count(*) FILTER (WHERE NOT v.is_no_show), 0), 4)
    FROM rvutrack.visit v
    LEFT JOIN LATERAL (
      SELECT sum(p.work_rvu * p.quantity) AS rvu FROM rvutrack.procedure p
      WHERE p.visit_id = v.id AND p.deleted_at IS NULL AND NOT v.is_no_show
    ) done ON true
    WHERE v.user_id = asked_user AND v.visit_date BETWEEN from_date AND to_date AND v.deleted_at IS NULL;
  END;
COMMENT ON FUNCTION mart.rvu_summary(uuid, date, date) IS
  'Work relative value units and encounters of a user, both days included, with the rights of the caller';

CREATE FUNCTION mart.rvu_codes(of_release text)
  RETURNS TABLE (id uuid, hcpcs text, description text, status_code text, work_rvu numeric)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    -- An identifier is made of the code alone, so that it stays from release to release.
    SELECT md5('hcpcs ' || c.hcpcs)::uuid, c.hcpcs, c.description, c.status_code, c.work_rvu
    FROM (
      SELECT DISTINCT ON (r.hcpcs COLLATE "C") r.hcpcs, r.description, r.status_code, r.work_rvu
      FROM cms.rvu r
      WHERE r.release = of_release
      -- The global service stands for the code, or else its parts in this order.
      ORDER BY r.hcpcs COLLATE "C", array_position(ARRAY['', '26', 'TC', '53'], r.modifier), r.modifier, r.cf_class
    ) c;
  END;
COMMENT ON FUNCTION mart.rvu_codes(text) IS 'The codes of a release, one row each, in order';

CREATE FUNCTION mart.rvu_code_delta(since text, until text)
  RETURNS TABLE (change text, id uuid, hcpcs text, description text, status_code text, work_rvu numeric)
  LANGUAGE sql STABLE
  BEGIN ATOMIC
    SELECT CASE WHEN old.id IS NULL THEN 'added' WHEN new.id IS NULL THEN 'removed' ELSE 'changed' END,
      id, coalesce(new.hcpcs, old.hcpcs), new.description, new.status_code, new.work_rvu
    FROM mart.rvu_codes(since) old
    FULL JOIN mart.rvu_codes(until) new USING (id)
    -- One by one: PostgreSQL writes a comparison of rows out in another form than it reads that.
    WHERE old.id IS NULL OR new.id IS NULL OR old.description IS DISTINCT FROM new.description
      OR old.status_code IS DISTINCT FROM new.status_code OR old.work_rvu IS DISTINCT FROM new.work_rvu
    ORDER BY coalesce(new.hcpcs, old.hcpcs) COLLATE "C";
  END;
COMMENT ON FUNCTION mart.rvu_code_delta(text, text) IS
  'What has changed of the codes from one release to another; of a code that is gone nothing but its name';

REVOKE ALL ON FUNCTION mart.rvu_summary(uuid, date, date), mart.rvu_codes(text), mart.rvu_code_delta(text, text)
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mart.rvu_summary(uuid, date, date) TO authenticated;

-- rivulet:down
DROP FUNCTION mart.rvu_code_delta(text, text);
DROP FUNCTION mart.rvu_codes(text);
DROP FUNCTION mart.rvu_summary(uuid, date, date);
DROP VIEW api.favorites;
DROP VIEW api.procedures;
DROP VIEW api.visits;
DROP VIEW api.users;
DROP FUNCTION rvutrack.period_end(text, date);
DROP FUNCTION rvutrack.period_start(text, date);
DROP TABLE rvutrack.favorite;
DROP TABLE rvutrack.procedure;
DROP TABLE rvutrack.visit;
DROP TABLE rvutrack.app_user;
DROP SCHEMA rvutrack;

-- rivulet:verify
SELECT 1 / (count(*) = 4)::int FROM pg_class
WHERE relnamespace = 'rvutrack'::regnamespace AND relkind = 'r' AND relrowsecurity;
SELECT 1 / (rvutrack.period_start('week', '2026-01-01') = '2025-12-29')::int;
SELECT 1 / (count(*) = 1)::int FROM mart.rvu_summary('00000000-0000-0000-0000-000000000000', '2026-01-01', '2026-01-31');
SELECT count(*) FROM mart.rvu_code_delta('none', 'none');
