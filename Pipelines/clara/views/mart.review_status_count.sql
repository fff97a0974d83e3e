/* rivulet view
strategy: incremental
description: Review requests by status, and since when the oldest waits
key: [status]
sources:
  clara.provider_review_request:
    capture: [status]
    keys: SELECT status FROM changed
*/
SELECT k.status, count(*) AS requests, min(r.created_at) AS oldest
FROM {keys} k
JOIN clara.provider_review_request r ON r.status = k.status AND r.deleted_at IS NULL
GROUP BY k.status
