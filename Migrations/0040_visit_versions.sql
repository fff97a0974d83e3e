-- RVU Tracker: what visits were, so that changes made to an earlier version can be applied to a later one.
-- rivulet:datasets rvutrack

-- rivulet:up
CREATE TABLE rvutrack.visit_version (
  id uuid,
  updated_at timestamptz,
  visit_date date,
  visit_time time,
  notes text,
  is_no_show boolean,
  deleted_at timestamptz,
  is_gone boolean NOT NULL DEFAULT false,
  PRIMARY KEY (id, updated_at)
);
COMMENT ON TABLE rvutrack.visit_version IS 'What visits were before they were changed; of those that are gone only that they are';
ALTER TABLE rvutrack.visit_version ENABLE ROW LEVEL SECURITY;

-- With its owner's rights: who changes a visit need not see what visits of others were.
CREATE FUNCTION rvutrack.keep_version() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM rvutrack.visit_version WHERE id = OLD.id;
    INSERT INTO rvutrack.visit_version (id, updated_at, is_gone) VALUES (OLD.id, OLD.updated_at, true);
  ELSE
    INSERT INTO rvutrack.visit_version VALUES
      (OLD.id, OLD.updated_at, OLD.visit_date, OLD.visit_time, OLD.notes, OLD.is_no_show, OLD.deleted_at)
    ON CONFLICT (id, updated_at) DO UPDATE SET
      visit_date = excluded.visit_date, visit_time = excluded.visit_time, notes = excluded.notes,
      is_no_show = excluded.is_no_show, deleted_at = excluded.deleted_at, is_gone = false;
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION rvutrack.keep_version() IS 'Trigger: keeps what a visit was';
REVOKE ALL ON FUNCTION rvutrack.keep_version() FROM PUBLIC;
CREATE TRIGGER keep_version AFTER UPDATE ON rvutrack.visit
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION rvutrack.keep_version();
CREATE TRIGGER keep_deletion AFTER DELETE ON rvutrack.visit
  FOR EACH ROW EXECUTE FUNCTION rvutrack.keep_version();

CREATE FUNCTION rvutrack.reapplied(base anycompatible, server anycompatible, local anycompatible)
  RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN server IS NOT DISTINCT FROM base THEN local ELSE server END
$$;
COMMENT ON FUNCTION rvutrack.reapplied(anycompatible, anycompatible, anycompatible) IS
  'A field after a local change of it is reapplied on top of the server''s version: the server''s, where both changed it';

CREATE FUNCTION rvutrack.clashes(base anycompatible, server anycompatible, local anycompatible)
  RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT server IS DISTINCT FROM base AND local IS DISTINCT FROM base AND local IS DISTINCT FROM server
$$;
COMMENT ON FUNCTION rvutrack.clashes(anycompatible, anycompatible, anycompatible) IS
  'Whether both sides changed a field, and not to the same';

-- rivulet:down
DROP FUNCTION rvutrack.clashes(anycompatible, anycompatible, anycompatible);
DROP FUNCTION rvutrack.reapplied(anycompatible, anycompatible, anycompatible);
DROP TRIGGER keep_deletion ON rvutrack.visit;
DROP TRIGGER keep_version ON rvutrack.visit;
DROP FUNCTION rvutrack.keep_version();
DROP TABLE rvutrack.visit_version;

-- rivulet:verify
SELECT 1 / (rvutrack.reapplied(1, 1, 2) = 2 AND rvutrack.reapplied(1, 3, 2) = 3)::int;
SELECT 1 / (rvutrack.clashes(1, 3, 2) AND NOT rvutrack.clashes(1, 3, 3) AND NOT rvutrack.clashes(1, 3, 1))::int;
