/* rivulet view
strategy: live
description: Emergencies that are not closed, the oldest first
grants: {authenticated: select}
*/
SELECT e.id, e.reported_by, e.severity, e.status, e.opened_at
FROM ccc.emergency e
WHERE e.closed_at IS NULL
