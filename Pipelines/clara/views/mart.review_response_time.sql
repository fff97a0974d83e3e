/* rivulet view
strategy: incremental
description: Requests answered on each day, and how many minutes that took
key: [day]
sources:
  clara.provider_review_request:
    capture: [responded_at]
    keys: SELECT responded_at::date FROM changed WHERE responded_at IS NOT NULL
*/
-- Days are those of the project's time zone, in which stored views are computed.
SELECT k.day, count(*) AS responded,
  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY took.minutes))::numeric, 1) AS median_minutes,
  round((percentile_cont(0.95) WITHIN GROUP (ORDER BY took.minutes))::numeric, 1) AS p95_minutes
FROM {keys} k
JOIN clara.provider_review_request r ON r.responded_at >= k.day::timestamptz
  AND r.responded_at < (k.day + 1)::timestamptz AND r.deleted_at IS NULL
CROSS JOIN LATERAL (SELECT extract(epoch FROM r.responded_at - r.created_at)::float8 / 60 AS minutes) took
GROUP BY k.day
