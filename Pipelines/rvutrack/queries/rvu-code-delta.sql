/* rivulet query
description: What has changed of the codes since a release, for small updates
parameters:
  since: {type: text, required: true, description: "the release that is there, as 2025C"}
  release: {type: text, description: "the release to come to; the current one if left out"}
example: rivulet query rvu-code-delta --since 2025C --release 2025D --as json
*/
WITH asked AS (
  SELECT upper({since}) AS since, coalesce(upper({release}),
    (SELECT release FROM rivulet.current_release WHERE pipeline = 'cms-rvu')) AS until),
code AS (
  SELECT DISTINCT ON (r.release, r.hcpcs) r.release, r.hcpcs, r.description, r.status_code, r.work_rvu
  FROM cms.rvu r, asked a WHERE r.release IN (a.since, a.until)
  ORDER BY r.release, r.hcpcs, array_position(ARRAY['', '26', 'TC', '53'], r.modifier), r.modifier, r.cf_class)
SELECT CASE WHEN old.hcpcs IS NULL THEN 'added' WHEN new.hcpcs IS NULL THEN 'removed' ELSE 'changed' END AS change,
  md5('hcpcs ' || coalesce(new.hcpcs, old.hcpcs))::uuid AS id, coalesce(new.hcpcs, old.hcpcs) AS hcpcs,
  new.description, new.status_code AS "statusCode", new.work_rvu AS "workRVU"
FROM (SELECT c.* FROM code c, asked a WHERE c.release = a.since) old
FULL JOIN (SELECT c.* FROM code c, asked a WHERE c.release = a.until) new ON new.hcpcs = old.hcpcs
WHERE (old.description, old.status_code, old.work_rvu) IS DISTINCT FROM (new.description, new.status_code, new.work_rvu)
  OR old.hcpcs IS NULL OR new.hcpcs IS NULL
ORDER BY 3
