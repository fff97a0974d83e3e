/* rivulet view
strategy: incremental
description: Rows, codes and relative value units by status code
key: [release]
unique: [release, cf_class, status_code]
sources:
  cms.rvu:
    capture: [release]
    keys: SELECT release FROM changed
  cms.code_list: rebuild
*/
SELECT k.release, r.cf_class, r.status_code, cms.status_meaning(r.status_code) AS meaning,
  count(*) AS rows,
  count(DISTINCT r.hcpcs) AS codes,
  count(*) FILTER (WHERE cms.paid_from_rvus(r.status_code, r.nonfac_total, r.fac_total)) AS paid_from_rvus,
  sum(r.work_rvu) AS work_rvu,
  sum(r.nonfac_total) AS nonfac_total,
  sum(r.fac_total) AS fac_total
FROM {keys} k JOIN cms.rvu r ON r.release = k.release
GROUP BY k.release, r.cf_class, r.status_code
