/* rivulet view
strategy: live
description: Times in which nobody is on call for a specialty and a plan, between two shifts and since the last one
grants: {authenticated: select}
*/
-- The end of a gap that goes on is null, and its hours are those until now.
SELECT s.specialty, s.healthcare_plan, s.covered_until AS gap_starts_at, s.next_starts_at AS gap_ends_at,
  round(extract(epoch FROM coalesce(s.next_starts_at, now()) - s.covered_until) / 3600, 2) AS hours
FROM (
  SELECT specialty, healthcare_plan,
    -- A long shift may cover what lies between later ones.
    max(ends_at) OVER (PARTITION BY oncall.plain(specialty), oncall.plain(healthcare_plan) ORDER BY starts_at, ends_at
      ROWS UNBOUNDED PRECEDING) AS covered_until,
    lead(starts_at) OVER (PARTITION BY oncall.plain(specialty), oncall.plain(healthcare_plan)
      ORDER BY starts_at, ends_at) AS next_starts_at
  FROM oncall.shift
) s
WHERE coalesce(s.next_starts_at, now()) > s.covered_until
