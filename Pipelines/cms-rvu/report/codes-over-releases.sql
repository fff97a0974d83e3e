/* rivulet report
title: Codes from release to release
description: "Codes with their modifiers in each published release, and how many of them are new, gone and changed against the release before. Changed is a row whose status, work, practice expense or malpractice differs."
chart: table
order: 10
*/
WITH ordered AS (
  SELECT release, effective_from, row_number() OVER (ORDER BY effective_from NULLS FIRST, release) AS place FROM cms.release
), coded AS (
  SELECT o.place, r.hcpcs, r.modifier,
    concat_ws('|', r.status_code, r.work_rvu, r.nonfac_pe_rvu, r.fac_pe_rvu, r.mp_rvu) AS says
  FROM ordered o JOIN cms.rvu r USING (release) WHERE r.cf_class <> 'qp'
), followed AS (
  SELECT place, says,
    lag(place) OVER code AS place_before, lag(says) OVER code AS says_before, lead(place) OVER code AS place_after
  FROM coded WINDOW code AS (PARTITION BY hcpcs, modifier ORDER BY place)
), counted AS (
  SELECT place, count(*) AS codes,
    count(*) FILTER (WHERE place_before IS DISTINCT FROM place - 1) AS added,
    count(*) FILTER (WHERE place_before = place - 1 AND says <> says_before) AS changed,
    count(*) FILTER (WHERE place_after IS DISTINCT FROM place + 1) AS ended
  FROM followed GROUP BY place
)
SELECT o.release AS "Release", o.effective_from AS "In effect from", coalesce(c.codes, 0) AS "Codes",
  CASE WHEN o.place > 1 THEN c.added END AS "Added",
  CASE WHEN o.place > 1 THEN before.ended END AS "Removed",
  CASE WHEN o.place > 1 THEN c.changed END AS "Changed"
FROM ordered o LEFT JOIN counted c USING (place) LEFT JOIN counted before ON before.place = o.place - 1
ORDER BY o.place DESC
