/* rivulet view
strategy: live
description: The published releases, when each is in effect, and which one is current
*/
SELECT r.release, r.revision, r.effective_from, r.effective_to, r.replaces, r.missing_tables,
  c.release IS NOT NULL AS is_current
FROM rivulet.release r
LEFT JOIN rivulet.current_release c ON c.pipeline = r.pipeline AND c.release = r.release
WHERE r.pipeline = 'cms-rvu' AND r.state = 'published'
