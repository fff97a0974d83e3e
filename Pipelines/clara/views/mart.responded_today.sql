/* rivulet view
strategy: full
description: Requests that were answered today, by provider
key: [provider_id, provider_name]
*/
SELECT r.provider_id, r.provider_name, count(*) AS responded
FROM clara.provider_review_request r
WHERE r.responded_at >= rivulet.today()::timestamptz AND r.responded_at < (rivulet.today() + 1)::timestamptz
  AND r.deleted_at IS NULL
GROUP BY r.provider_id, r.provider_name
