/* rivulet view
strategy: full
description: Week, day and trimester of each client's pregnancy today
key: [client_id]
owner_column: doula_id
indexes: [[doula_id]]
grants: {authenticated: select}
*/
SELECT c.id AS client_id, c.doula_id, c.edd,
  known.days / 7 AS week, known.days % 7 AS day, doula.trimester(known.days / 7) AS trimester,
  c.edd - rivulet.today() AS days_to_edd
FROM doula.client c
CROSS JOIN LATERAL (
  SELECT CASE WHEN c.status <> 'postpartum' THEN doula.gestation_days(c.edd, rivulet.today()) END AS days
) known
WHERE c.deleted_at IS NULL
