/* rivulet view
strategy: incremental
description: Review requests that wait for a provider, by what triage has found
key: [triage_outcome]
sources:
  clara.provider_review_request:
    capture: [triage_outcome]
    keys: SELECT triage_outcome FROM changed
*/
SELECT k.triage_outcome, count(*) AS pending, min(r.created_at) AS oldest
FROM {keys} k
JOIN clara.provider_review_request r ON r.triage_outcome IS NOT DISTINCT FROM k.triage_outcome
  AND r.status = 'pending' AND r.deleted_at IS NULL
GROUP BY k.triage_outcome
