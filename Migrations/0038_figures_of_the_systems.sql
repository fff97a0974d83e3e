-- Figures that take parameters.

-- rivulet:up
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

CREATE FUNCTION mart.on_call_now(at timestamptz DEFAULT now())
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
COMMENT ON FUNCTION mart.on_call_now(timestamptz) IS
  'Who is on call at a moment, with the phone number of the directory, with the rights of the caller';

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

REVOKE ALL ON FUNCTION mart.rvu_summary(uuid, date, date), mart.on_call_now(timestamptz), mart.rvu_codes(text),
  mart.rvu_code_delta(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mart.rvu_summary(uuid, date, date), mart.on_call_now(timestamptz) TO authenticated;
GRANT USAGE ON SCHEMA mart TO authenticated;

-- rivulet:down
REVOKE USAGE ON SCHEMA mart FROM authenticated;
DROP FUNCTION mart.rvu_code_delta(text, text);
DROP FUNCTION mart.rvu_codes(text);
DROP FUNCTION mart.on_call_now(timestamptz);
DROP FUNCTION mart.rvu_summary(uuid, date, date);

-- rivulet:verify
SELECT 1 / (count(*) = 1)::int FROM mart.rvu_summary('00000000-0000-0000-0000-000000000000', '2026-01-01', '2026-01-31');
SELECT count(*) FROM mart.on_call_now();
SELECT count(*) FROM mart.rvu_code_delta('none', 'none');
