/* rivulet query
description: The codes of a release with their work relative value units, one row a code
parameters:
  release: {type: text, description: "the release, as 2025D; the current one if left out"}
example: rivulet query rvu-codes --release 2025D --as json
*/
SELECT md5('hcpcs ' || c.hcpcs)::uuid AS id, c.hcpcs, c.description, c.status_code AS "statusCode",
  c.work_rvu AS "workRVU"
FROM (
  SELECT DISTINCT ON (r.hcpcs) r.hcpcs, r.description, r.status_code, r.work_rvu
  FROM cms.rvu r
  WHERE r.release = coalesce(upper({release}),
    (SELECT release FROM rivulet.current_release WHERE pipeline = 'cms-rvu'))
  -- The global service stands for the code, or else its parts in this order.
  ORDER BY r.hcpcs, array_position(ARRAY['', '26', 'TC', '53'], r.modifier), r.modifier, r.cf_class
) c
ORDER BY c.hcpcs
