/* rivulet view
strategy: live
description: The published ZIP code files, from when each holds, and which one is current
*/
SELECT r.release, r.revision, r.effective_from, c.release IS NOT NULL AS is_current
FROM rivulet.release r
LEFT JOIN rivulet.current_release c ON c.pipeline = r.pipeline AND c.release = r.release
WHERE r.pipeline = 'cms-zip5' AND r.state = 'published'
