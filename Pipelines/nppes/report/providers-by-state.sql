/* rivulet report
title: Providers by state over months
description: "Active providers by the state of their first place of practice: the twelve newest published months, and of these the states with the most providers."
chart: lines
label: Month
series: State
values: Providers
order: 10
*/
WITH months AS (
  SELECT release, effective_from FROM rivulet.release
  WHERE pipeline = 'nppes' AND state = 'published'
  ORDER BY effective_from DESC NULLS LAST, release DESC LIMIT 12
), counted AS MATERIALIZED (
  SELECT m.effective_from, m.release, coalesce(a.state, 'not given') AS state, count(*) AS providers
  FROM months m
  JOIN directory.provider p USING (release)
  LEFT JOIN directory.provider_address a ON a.release = p.release AND a.source_id = p.source_id AND a.slot = 2
  WHERE p.entity_type IS NOT NULL AND coalesce(a.country, 'US') = 'US'
  GROUP BY 1, 2, 3
), largest AS (
  SELECT state, sum(providers) AS providers FROM counted GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
)
SELECT to_char(c.effective_from, 'YYYY-MM') AS "Month", c.state AS "State", c.providers AS "Providers"
FROM counted c JOIN largest l USING (state)
ORDER BY c.effective_from, c.release, l.providers DESC, c.state
