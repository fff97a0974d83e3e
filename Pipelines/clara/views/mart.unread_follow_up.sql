/* rivulet view
strategy: incremental
description: Follow-up messages of users that nobody has read yet, by conversation
key: [conversation_id]
sources:
  clara.follow_up_message:
    capture: [conversation_id]
    keys: SELECT conversation_id FROM changed
  clara.conversation:
    capture: [id]
    keys: SELECT id FROM changed
*/
SELECT k.conversation_id, count(*) AS unread, min(m.sent_at) AS oldest, max(m.sent_at) AS newest
FROM {keys} k
JOIN clara.conversation c ON c.id = k.conversation_id AND c.deleted_at IS NULL
JOIN clara.follow_up_message m ON m.conversation_id = k.conversation_id
  AND m.is_from_user AND NOT m.is_read AND m.deleted_at IS NULL
GROUP BY k.conversation_id
