/* rivulet view
strategy: incremental
description: Events of each day by name
key: [day, name]
sources:
  ccc.analytics_event:
    capture: [at, name]
    keys: SELECT at::date, name FROM changed
*/
SELECT k.day, k.name, found.events
FROM {keys} k
-- Each day finds its events by the index on name and time.
CROSS JOIN LATERAL (
  SELECT count(*) AS events FROM ccc.analytics_event e
  WHERE e.name = k.name AND e.at >= k.day::timestamptz AND e.at < (k.day + 1)::timestamptz
  HAVING count(*) > 0
) found
