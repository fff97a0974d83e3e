/* rivulet report
title: Total work RVU over releases
description: "The sum of the work RVU of all codes, each counted once."
chart: lines
label: Release
values: Work RVU
order: 50
*/
SELECT o.release AS "Release", r.work AS "Work RVU", r.factor AS "Conversion factor"
FROM cms.release o
CROSS JOIN LATERAL (
  SELECT sum(work_rvu) AS work, max(conversion_factor) AS factor FROM cms.rvu
  WHERE release = o.release AND cf_class <> 'qp') r
WHERE r.work IS NOT NULL
ORDER BY o.effective_from NULLS FIRST, o.release
