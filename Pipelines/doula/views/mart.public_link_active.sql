/* rivulet view
strategy: live
description: Links to clients' cabinets that can be used now
grants: {authenticated: select}
*/
SELECT l.id, l.client_id, l.created_at, l.expires_at
FROM doula.public_link l
JOIN doula.client c ON c.id = l.client_id AND c.deleted_at IS NULL
WHERE NOT l.disabled AND l.expires_at > now()
