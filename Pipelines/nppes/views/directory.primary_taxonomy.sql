/* rivulet view
strategy: live
description: The primary taxonomy of each provider that has one, in every release
*/
-- The provider's own word: the slot that it marks as primary, the first of them where it marks several. Without a mark
-- there is none, though there be but one taxonomy: a guess would look like an answer.
SELECT DISTINCT ON (release, source_id) release, source_id, slot, taxonomy, license, license_state
FROM directory.provider_taxonomy
WHERE primary_switch = 'Y'
ORDER BY release, source_id, slot
