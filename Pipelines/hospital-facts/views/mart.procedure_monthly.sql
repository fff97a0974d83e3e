/* rivulet view
strategy: incremental
description: Procedures of each user by month, with their units and relative value units added up
key: [user_id, month]
sources:
  facts.procedure:
    capture: [user_id, performed_on]
    keys: SELECT user_id, date_trunc('month', performed_on::timestamp)::date FROM changed
*/
SELECT k.user_id, k.month, count(*) AS procedures, sum(p.units) AS units, sum(p.work_rvu) AS work_rvu,
  sum(p.total_rvu) AS total_rvu
FROM {keys} k
JOIN facts.procedure p ON p.user_id = k.user_id AND date_trunc('month', p.performed_on::timestamp)::date = k.month
GROUP BY k.user_id, k.month
