/* rivulet view
strategy: incremental
description: The clients of each doula by status
key: [doula_id, status]
sources:
  doula.client:
    capture: [doula_id, status]
    keys: SELECT doula_id, status FROM changed
owner_column: doula_id
grants: {authenticated: select}
*/
SELECT k.doula_id, k.status, count(*) AS clients
FROM {keys} k
JOIN doula.client c ON c.doula_id = k.doula_id AND c.status = k.status AND c.deleted_at IS NULL
GROUP BY k.doula_id, k.status
