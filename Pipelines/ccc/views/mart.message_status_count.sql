/* rivulet view
strategy: incremental
description: Messages by status
key: [status]
sources:
  ccc.message:
    capture: [status]
    keys: SELECT status FROM changed
*/
SELECT k.status, count(*) AS messages, min(m.sent_at) AS oldest, max(m.sent_at) AS newest
FROM {keys} k
JOIN ccc.message m ON m.status = k.status AND m.deleted_at IS NULL
GROUP BY k.status
