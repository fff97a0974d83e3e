/* rivulet view
strategy: live
description: Each visit with its procedures counted and its work relative value units added up
grants: {authenticated: select}
*/
SELECT v.id, v.user_id, v.visit_date, v.visit_time, v.is_no_show, v.sync_status,
  count(p.id) AS procedures,
  CASE WHEN v.is_no_show THEN 0 ELSE coalesce(sum(p.work_rvu * p.quantity), 0) END AS total_rvu
FROM rvutrack.visit v
LEFT JOIN rvutrack.procedure p ON p.visit_id = v.id AND p.deleted_at IS NULL
WHERE v.deleted_at IS NULL
GROUP BY v.id
