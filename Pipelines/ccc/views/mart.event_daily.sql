/* rivulet view
strategy: incremental
description: Events of each day by name
key: [day, name]
sources:
  ccc.analytics_event:
    capture: [at, name]
    keys: SELECT at::date, name FROM changed
*/
SELECT k.day, k.name, count(*) AS events
FROM {keys} k
JOIN ccc.analytics_event e ON e.name = k.name AND e.at >= k.day::timestamptz AND e.at < (k.day + 1)::timestamptz
GROUP BY k.day, k.name
