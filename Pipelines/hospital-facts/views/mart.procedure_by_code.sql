/* rivulet view
strategy: live
description: How often each code was recorded in the whole group, by how many users, the most frequent first
*/
SELECT p.hcpcs, count(*) AS procedures, count(DISTINCT p.user_id) AS users, sum(p.units) AS units,
  sum(p.work_rvu) AS work_rvu, sum(p.total_rvu) AS total_rvu
FROM facts.procedure p
GROUP BY p.hcpcs
ORDER BY procedures DESC, p.hcpcs COLLATE "C"
