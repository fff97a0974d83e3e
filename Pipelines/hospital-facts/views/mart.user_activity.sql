/* rivulet view
strategy: incremental
description: What each user has done so far, and when last
key: [user_id]
sources:
  facts.visit:
    capture: [user_id]
    keys: SELECT user_id FROM changed
  facts.procedure:
    capture: [user_id]
    keys: SELECT user_id FROM changed
*/
SELECT k.user_id, v.visits, v.completed, v.last_visit_at, p.procedures, p.work_rvu, p.last_performed_on
FROM {keys} k
-- Each user finds both by the key. One join of all three would pair each visit with each procedure.
CROSS JOIN LATERAL (
  SELECT count(*) AS visits, count(*) FILTER (WHERE status = 'completed') AS completed,
    max(started_at) AS last_visit_at
  FROM facts.visit WHERE user_id = k.user_id
) v
CROSS JOIN LATERAL (
  SELECT count(*) AS procedures, coalesce(sum(work_rvu), 0) AS work_rvu, max(performed_on) AS last_performed_on
  FROM facts.procedure WHERE user_id = k.user_id
) p
WHERE v.visits + p.procedures > 0
