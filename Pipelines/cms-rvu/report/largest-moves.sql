/* rivulet report
title: The largest moves
description: "Codes whose national payment has moved most from the release before to the newest one: the ten that rose most and the ten that fell most, non-facility where it is paid, else facility."
chart: table
empty: "No code that two published releases pay has moved."
order: 30
*/
WITH compared AS (
  SELECT release, row_number() OVER (ORDER BY effective_from DESC NULLS LAST, release DESC) AS age FROM cms.release
), sides AS (
  SELECT p.hcpcs, p.modifier,
    max(coalesce(p.nonfacility_amount, p.facility_amount)) FILTER (WHERE c.age = 2) AS before,
    max(coalesce(p.nonfacility_amount, p.facility_amount)) FILTER (WHERE c.age = 1) AS after
  FROM compared c JOIN mart.national_payment p USING (release) WHERE c.age <= 2 AND p.cf_class <> 'qp'
  GROUP BY p.hcpcs, p.modifier
), moved AS (
  SELECT hcpcs, modifier, before, after, after - before AS change,
    row_number() OVER (ORDER BY after - before DESC, hcpcs, modifier) AS rise,
    row_number() OVER (ORDER BY after - before, hcpcs, modifier) AS fall
  FROM sides WHERE after <> before
)
SELECT hcpcs AS "Code", nullif(modifier, '') AS "Modifier",
  (SELECT release FROM compared WHERE age = 2) AS "From", (SELECT release FROM compared WHERE age = 1) AS "To",
  before AS "Before", after AS "After", change AS "Change",
  round(100 * change / nullif(before, 0), 1) AS "Change, %"
FROM moved WHERE rise <= 10 AND change > 0 OR fall <= 10 AND change < 0
ORDER BY change DESC, hcpcs, modifier
