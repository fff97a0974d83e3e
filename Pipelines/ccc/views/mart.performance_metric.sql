/* rivulet view
strategy: incremental
description: Average, greatest and smallest value of each measurement of the program
key: [metric]
sources:
  ccc.analytics_event:
    capture: [name]
    keys: SELECT substr(name, 13) FROM changed WHERE starts_with(name, 'performance.')
*/
SELECT k.metric, count(measured.value) AS measurements, round(avg(measured.value), 3) AS average,
  max(measured.value) AS maximum, min(measured.value) AS minimum
FROM {keys} k
JOIN ccc.analytics_event e ON e.name = 'performance.' || k.metric
CROSS JOIN LATERAL (
  SELECT CASE WHEN jsonb_typeof(e.properties -> 'value') = 'number' THEN (e.properties ->> 'value')::numeric END
    AS value
) measured
GROUP BY k.metric
