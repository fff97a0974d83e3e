/* rivulet view
strategy: live
description: The messages of each conversation in the order of time, those of its newest request and the follow-ups
grants: {authenticated: select}
*/
-- A message that is in both, equal in sender, time and content, appears once. Apps know times by the millisecond, the
-- server by the microsecond. Messages of one moment are in the order as they were written, those of the request first, and whose
-- moment nobody can read is equal to no other.
SELECT t.conversation_id, t.user_id, min(at) AS at, sender, content, max(image_url) AS image_url,
  coalesce(bool_and(is_read) FILTER (WHERE is_follow_up), true) AS is_read,
  row_number() OVER (PARTITION BY t.conversation_id ORDER BY min(at), min(place), min(t.id::text)) AS place
FROM (
  SELECT r.conversation_id, r.user_id, clara.moment(m.value ->> 'timestamp') AS at,
    CASE WHEN m.value ->> 'isFromUser' = 'true' THEN 'patient' ELSE 'clara' END AS sender,
    m.value ->> 'content' AS content, m.value ->> 'imageURL' AS image_url, NULL::boolean AS is_read,
    false AS is_follow_up, m.place, NULL::uuid AS id
  FROM (
    SELECT DISTINCT ON (conversation_id) conversation_id, user_id, conversation_messages
    FROM clara.provider_review_request WHERE deleted_at IS NULL
    ORDER BY conversation_id, created_at DESC, id
  ) r
  CROSS JOIN LATERAL jsonb_array_elements(r.conversation_messages) WITH ORDINALITY m(value, place)
  UNION ALL
  SELECT f.conversation_id, f.user_id, f.sent_at, CASE WHEN f.is_from_user THEN 'patient' ELSE 'provider' END,
    f.message_content, NULL, f.is_read, true, NULL, f.id
  FROM clara.follow_up_message f WHERE f.deleted_at IS NULL
) t
JOIN clara.conversation c ON c.id = t.conversation_id AND c.deleted_at IS NULL
GROUP BY t.conversation_id, t.user_id, sender, content, date_trunc('milliseconds', at),
  CASE WHEN at IS NULL THEN place END
ORDER BY conversation_id, place
