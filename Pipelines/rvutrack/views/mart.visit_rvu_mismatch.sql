/* rivulet view
strategy: live
description: Procedures whose stored work relative value units are not those of the release in effect on the visit's date
*/
SELECT p.id AS procedure_id, p.visit_id, v.user_id, v.visit_date, p.hcpcs, p.modifier, p.quantity,
  p.work_rvu AS stored_rvu,
  r.release, published.work_rvu AS published_rvu,
  CASE WHEN r.release IS NULL THEN 'no release is in effect on that day'
    WHEN published.work_rvu IS NULL THEN 'the release does not have the code'
    ELSE 'the work relative value units differ' END AS reason
FROM rvutrack.procedure p
JOIN rvutrack.visit v ON v.id = p.visit_id AND v.deleted_at IS NULL
LEFT JOIN LATERAL (
  SELECT release FROM rivulet.release
  WHERE pipeline = 'cms-rvu' AND state = 'published' AND effective_from <= v.visit_date
    AND (effective_to IS NULL OR effective_to >= v.visit_date)
  ORDER BY effective_from DESC, release DESC LIMIT 1
) r ON true
LEFT JOIN LATERAL (
  -- Most modifiers have no row of their own and leave the units as they are; a code without a global service has those
  -- of its parts, as clients get them by the query rvu-codes. The classes of a release differ in what is paid, not in
  -- the work.
  SELECT c.work_rvu FROM cms.rvu c
  WHERE c.release = r.release AND c.hcpcs = p.hcpcs
  ORDER BY c.modifier <> p.modifier, array_position(ARRAY['', '26', 'TC', '53'], c.modifier), c.modifier, c.cf_class
  LIMIT 1
) published ON true
WHERE p.deleted_at IS NULL AND p.work_rvu IS DISTINCT FROM published.work_rvu
