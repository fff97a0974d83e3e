/* rivulet report
title: Change in the number of codes by first letter
description: "The newest published release against the one before it; a letter is a chapter of HCPCS Level II."
chart: bars
label: Letter
values: Change
signed: true
empty: "Two releases must be published before they can be compared."
order: 20
*/
WITH compared AS (
  SELECT release, row_number() OVER (ORDER BY effective_from DESC NULLS LAST, release DESC) AS age
  FROM rivulet.release WHERE pipeline = 'cms-hcpcs' AND state = 'published'
), pair AS (
  SELECT coalesce(b.hcpcs, a.hcpcs) AS hcpcs, b.hcpcs IS NOT NULL AS is_before, a.hcpcs IS NOT NULL AS is_after
  FROM (SELECT c.hcpcs FROM compared JOIN cms.hcpcs_code c USING (release) WHERE age = 2) b
  FULL JOIN (SELECT c.hcpcs FROM compared JOIN cms.hcpcs_code c USING (release) WHERE age = 1) a USING (hcpcs)
)
SELECT left(hcpcs, 1) AS "Letter",
  (SELECT release FROM compared WHERE age = 2) AS "From", (SELECT release FROM compared WHERE age = 1) AS "To",
  count(*) FILTER (WHERE is_after AND NOT is_before) AS "Added",
  count(*) FILTER (WHERE is_before AND NOT is_after) AS "Removed",
  count(*) FILTER (WHERE is_after)::int - count(*) FILTER (WHERE is_before)::int AS "Change",
  count(*) FILTER (WHERE is_after) AS "Codes"
FROM pair WHERE EXISTS (SELECT FROM compared WHERE age = 2)
GROUP BY 1 ORDER BY 1
