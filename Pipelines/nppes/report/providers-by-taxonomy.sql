/* rivulet report
title: Providers by taxonomy over months
description: "Active providers by their primary taxonomy: the twelve newest published months, and of these the taxonomies with the most providers. Names are those of the current NUCC code set, where it is loaded."
chart: lines
label: Month
series: Taxonomy
values: Providers
order: 20
*/
WITH months AS (
  SELECT release, effective_from FROM rivulet.release
  WHERE pipeline = 'nppes' AND state = 'published'
  ORDER BY effective_from DESC NULLS LAST, release DESC LIMIT 12
), named AS (
  SELECT code, display_name FROM directory.taxonomy
  WHERE release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nucc')
), counted AS MATERIALIZED (
  SELECT m.effective_from, m.release, t.taxonomy, count(DISTINCT t.source_id) AS providers
  FROM months m
  JOIN directory.provider p USING (release)
  JOIN directory.provider_taxonomy t ON t.release = p.release AND t.source_id = p.source_id
  WHERE p.entity_type IS NOT NULL AND t.primary_switch = 'Y' AND t.taxonomy IS NOT NULL
  GROUP BY 1, 2, 3
), largest AS (
  SELECT taxonomy, sum(providers) AS providers FROM counted GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20
)
SELECT to_char(c.effective_from, 'YYYY-MM') AS "Month",
  concat_ws(' ', c.taxonomy, n.display_name) AS "Taxonomy", c.providers AS "Providers"
FROM counted c JOIN largest l USING (taxonomy) LEFT JOIN named n ON n.code = c.taxonomy
ORDER BY c.effective_from, c.release, l.providers DESC, c.taxonomy
