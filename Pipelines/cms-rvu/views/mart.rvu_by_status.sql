/* rivulet view
strategy: live
description: Rows, codes and relative value units by status code
*/
SELECT release, cf_class, status_code, cms.status_meaning(status_code) AS meaning,
  count(*) AS rows,
  count(DISTINCT hcpcs) AS codes,
  count(*) FILTER (WHERE cms.paid_from_rvus(status_code, nonfac_total, fac_total)) AS paid_from_rvus,
  sum(work_rvu) AS work_rvu,
  sum(nonfac_total) AS nonfac_total,
  sum(fac_total) AS fac_total
FROM cms.rvu
GROUP BY release, cf_class, status_code
