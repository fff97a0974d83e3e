/* rivulet view
strategy: live
description: Records of different directories that may be the same provider and need somebody to look, the likeliest first
*/
SELECT m.release, m.source_id, m.other_release, m.other_source_id, m.score, m.reasons, m.rank,
  concat_ws(' ', n.first_name, n.middle_name, n.last_name, n.suffix, n.organization) AS name,
  concat_ws(' ', o.first_name, o.middle_name, o.last_name, o.suffix, o.organization) AS other_name
FROM directory.provider_matches() m
LEFT JOIN directory.provider_name n ON n.release = m.release AND n.source_id = m.source_id AND n.slot = 1
LEFT JOIN directory.provider_name o ON o.release = m.other_release AND o.source_id = m.other_source_id AND o.slot = 1
WHERE m.is_ambiguous
ORDER BY m.score DESC, m.release, m.source_id, m.rank
