/* rivulet view
strategy: live
description: Records of different directories that are the same provider, or may be, with a score and the reasons
*/
-- How they are found, and another threshold than 0.95: directory.provider_matches.
SELECT release, source_id, other_release, other_source_id, npi, score, weight, reasons, rank, is_ambiguous
FROM directory.provider_matches()
