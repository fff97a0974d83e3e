/* rivulet view
strategy: live
description: The current release of each directory beside NPPES, by whose it is, as acme of acme-2025-11-20
*/
-- Several publishers fill one pipeline: of each the newest release that is in effect, or the one that is pinned.
SELECT DISTINCT ON (r.pipeline, regexp_replace(r.release, '-\d{4}(-\d{2}){0,2}$', ''))
  r.pipeline, regexp_replace(r.release, '-\d{4}(-\d{2}){0,2}$', '') AS network, r.release
FROM rivulet.release r
LEFT JOIN rivulet.current_release c ON c.pipeline = r.pipeline AND c.release = r.release
WHERE r.pipeline IN ('fhir-directory', 'qhp-providers', 'directory-csv') AND r.state = 'published'
  AND (r.effective_from <= rivulet.today() OR c.release IS NOT NULL)
ORDER BY r.pipeline, regexp_replace(r.release, '-\d{4}(-\d{2}){0,2}$', ''), c.release IS NULL, r.effective_from DESC,
  r.release DESC
