/* rivulet view
strategy: live
description: The clients of each doula in the order of their days of delivery
grants: {authenticated: select}
*/
SELECT c.id AS client_id, c.doula_id, c.name, c.edd, c.status,
  CASE WHEN c.status <> 'postpartum' THEN doula.pregnancy_week(c.edd, rivulet.today()) END AS week,
  row_number() OVER (PARTITION BY c.doula_id ORDER BY c.edd NULLS LAST, c.name, c.id) AS place
FROM doula.client c
WHERE c.deleted_at IS NULL
