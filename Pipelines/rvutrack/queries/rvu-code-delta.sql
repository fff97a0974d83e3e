/* rivulet query
description: What has changed of the codes since a release, for small updates
parameters:
  since: {type: text, required: true, description: "the release that is there, as 2025C",
    among: SELECT release FROM cms.release ORDER BY effective_from DESC}
  release: {type: text, description: "the release to come to; the current one if left out",
    among: SELECT release FROM cms.release ORDER BY effective_from DESC}
current: {of: cms-rvu, unless: release}
example: rivulet query rvu-code-delta --since 2025C --release 2025D --as json
*/
SELECT change, id, hcpcs, description, status_code AS "statusCode", work_rvu AS "workRVU"
FROM mart.rvu_code_delta({since}, coalesce({release},
  (SELECT release FROM rivulet.current_release WHERE pipeline = 'cms-rvu')))
ORDER BY hcpcs COLLATE "C"
