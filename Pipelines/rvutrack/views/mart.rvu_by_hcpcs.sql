/* rivulet view
strategy: incremental
description: What each user did on each day, by code
key: [user_id, visit_date]
unique: [user_id, visit_date, hcpcs]
sources:
  rvutrack.visit:
    capture: [user_id, visit_date]
    keys: SELECT user_id, visit_date FROM changed
  rvutrack.procedure:
    capture: [visit_id]
    keys: SELECT v.user_id, v.visit_date FROM changed JOIN rvutrack.visit v ON v.id = changed.visit_id
owner_column: user_id
grants: {authenticated: select}
*/
SELECT k.user_id, k.visit_date, p.hcpcs, sum(p.quantity) AS quantity, sum(p.work_rvu * p.quantity) AS rvu
FROM {keys} k
JOIN rvutrack.visit v ON v.user_id = k.user_id AND v.visit_date = k.visit_date
  AND v.deleted_at IS NULL AND NOT v.is_no_show
JOIN rvutrack.procedure p ON p.visit_id = v.id AND p.deleted_at IS NULL
GROUP BY k.user_id, k.visit_date, p.hcpcs
