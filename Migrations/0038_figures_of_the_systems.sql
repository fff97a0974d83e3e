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
  'Work relative value units and encounters of a user, both days included, with the rights of whoever asks';

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
  'Who is on call at a moment, with the phone number of the directory, with the rights of whoever asks';

GRANT USAGE ON SCHEMA mart TO authenticated;

-- rivulet:down
REVOKE USAGE ON SCHEMA mart FROM authenticated;
DROP FUNCTION mart.on_call_now(timestamptz);
DROP FUNCTION mart.rvu_summary(uuid, date, date);

-- rivulet:verify
SELECT 1 / (count(*) = 1)::int FROM mart.rvu_summary('00000000-0000-0000-0000-000000000000', '2026-01-01', '2026-01-31');
SELECT count(*) FROM mart.on_call_now();
