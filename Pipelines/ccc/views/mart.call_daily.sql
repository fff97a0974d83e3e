/* rivulet view
strategy: incremental
description: Calls of each day, and how long they took in seconds
key: [day]
sources:
  ccc.call:
    capture: [started_at]
    keys: SELECT started_at::date FROM changed
*/
SELECT k.day, count(*) AS calls,
  round(avg(extract(epoch FROM c.ended_at - c.started_at)), 1) AS average_seconds,
  min(extract(epoch FROM c.ended_at - c.started_at)) AS minimum_seconds,
  max(extract(epoch FROM c.ended_at - c.started_at)) AS maximum_seconds
FROM {keys} k
JOIN ccc.call c ON c.started_at >= k.day::timestamptz AND c.started_at < (k.day + 1)::timestamptz
GROUP BY k.day
