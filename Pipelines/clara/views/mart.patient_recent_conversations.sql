/* rivulet view
strategy: live
description: The conversations of each patient, the newest first
grants: {authenticated: select}
*/
SELECT p.id AS patient_id, p.user_id, c.id AS conversation_id, c.title, c.created_at, c.updated_at,
  row_number() OVER (PARTITION BY p.id ORDER BY c.updated_at DESC, c.id) AS place
FROM clara.patient p
JOIN clara.conversation c ON c.patient_id = p.id AND c.deleted_at IS NULL
WHERE p.deleted_at IS NULL
