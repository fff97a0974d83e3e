/* rivulet query
description: Procedures whose stored work relative value units are not those of the release in effect on the day of the visit
parameters:
  from: {type: date, description: "the first day of visits; all if left out"}
  to: {type: date, description: "the last day of visits; all if left out"}
example: rivulet query rvu-mismatch --from 2025-10-01 --to 2025-12-31
*/
SELECT visit_date, hcpcs, modifier, release, reason, stored_rvu, published_rvu, published_rvu - stored_rvu AS difference,
  count(*) AS procedures, sum(quantity) AS quantity, count(DISTINCT user_id) AS users,
  sum(quantity * (published_rvu - stored_rvu)) AS rvu_difference
FROM mart.visit_rvu_mismatch
WHERE visit_date >= coalesce({from}, '-infinity') AND visit_date <= coalesce({to}, 'infinity')
GROUP BY visit_date, hcpcs, modifier, release, reason, stored_rvu, published_rvu
ORDER BY visit_date, hcpcs, modifier, stored_rvu
