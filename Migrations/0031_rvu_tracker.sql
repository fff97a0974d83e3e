-- RVU Tracker: visits, their procedures, and a user's favourite codes.

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

-- rivulet:down
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
