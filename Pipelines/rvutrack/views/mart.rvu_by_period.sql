/* rivulet view
strategy: incremental
description: Work relative value units and encounters of each user by day, ISO week, month and year
key: [user_id, period, start_date]
sources:
  rvutrack.visit:
    capture: [user_id, visit_date]
    keys: |
      SELECT user_id, period, rvutrack.period_start(period, visit_date)
      FROM changed CROSS JOIN unnest(ARRAY['day', 'week', 'month', 'year']) period
  rvutrack.procedure:
    capture: [visit_id]
    keys: |
      SELECT v.user_id, period, rvutrack.period_start(period, v.visit_date)
      FROM changed JOIN rvutrack.visit v ON v.id = changed.visit_id
      CROSS JOIN unnest(ARRAY['day', 'week', 'month', 'year']) period
owner_column: user_id
grants: {authenticated: select}
*/
SELECT k.user_id, k.period, k.start_date, total.total_rvu, total.encounters, total.no_shows,
  round(total.total_rvu / nullif(total.encounters, 0), 4) AS avg_rvu_per_encounter
FROM {keys} k
-- Each period finds its visits by the index on user and date. A join would pair all periods of a user with all visits.
CROSS JOIN LATERAL (
  SELECT coalesce(sum(done.rvu), 0) AS total_rvu,
    count(*) FILTER (WHERE NOT v.is_no_show) AS encounters,
    count(*) FILTER (WHERE v.is_no_show) AS no_shows
  FROM rvutrack.visit v
  LEFT JOIN LATERAL (
    -- A visit that was missed has no units, whatever was recorded with it.
    SELECT sum(p.work_rvu * p.quantity) AS rvu FROM rvutrack.procedure p
    WHERE p.visit_id = v.id AND p.deleted_at IS NULL AND NOT v.is_no_show
  ) done ON true
  WHERE v.user_id = k.user_id AND v.visit_date >= k.start_date
    AND v.visit_date < rvutrack.period_end(k.period, k.start_date) AND v.deleted_at IS NULL
  HAVING count(*) > 0
) total
