/* rivulet view
strategy: live
description: The messages of each conversation in the order of time, those of its newest request and the follow-ups
grants: {authenticated: select}
*/
-- A message that is in both, equal in sender, time and content, appears once.
SELECT DISTINCT ON (t.conversation_id, t.at, t.sender, t.content)
  t.conversation_id, t.user_id, t.at, t.sender, t.content, t.image_url, t.is_read
FROM (
  SELECT r.conversation_id, r.user_id, clara.moment(m.value ->> 'timestamp') AS at,
    CASE WHEN m.value ->> 'isFromUser' = 'true' THEN 'patient' ELSE 'clara' END AS sender,
    m.value ->> 'content' AS content, m.value ->> 'imageURL' AS image_url, true AS is_read, m.place
  FROM (
    SELECT DISTINCT ON (conversation_id) conversation_id, user_id, conversation_messages
    FROM clara.provider_review_request WHERE deleted_at IS NULL
    ORDER BY conversation_id, created_at DESC, id
  ) r
  CROSS JOIN LATERAL jsonb_array_elements(r.conversation_messages) WITH ORDINALITY m(value, place)
  UNION ALL
  SELECT f.conversation_id, f.user_id, f.sent_at, CASE WHEN f.is_from_user THEN 'patient' ELSE 'provider' END,
    f.message_content, NULL, f.is_read, NULL
  FROM clara.follow_up_message f WHERE f.deleted_at IS NULL
) t
JOIN clara.conversation c ON c.id = t.conversation_id AND c.deleted_at IS NULL
ORDER BY t.conversation_id, t.at, t.sender, t.content, t.place
