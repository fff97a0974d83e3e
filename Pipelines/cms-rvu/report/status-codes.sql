/* rivulet report
title: Status codes over releases
description: "How many codes with their modifiers have each status code in each published release."
chart: lines
label: Release
series: Status
values: Codes
order: 40
*/
SELECT o.release AS "Release", concat_ws(' ', r.status_code, cms.status_meaning(r.status_code)) AS "Status", r.codes AS "Codes"
FROM cms.release o
CROSS JOIN LATERAL (
  SELECT status_code, count(*) AS codes FROM cms.rvu
  WHERE release = o.release AND cf_class <> 'qp' GROUP BY status_code) r
ORDER BY o.effective_from NULLS FIRST, o.release, r.codes DESC, r.status_code
