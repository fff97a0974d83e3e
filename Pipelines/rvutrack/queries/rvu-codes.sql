/* rivulet query
description: The codes of a release with their work relative value units, one row a code
parameters:
  release: {type: text, description: "the release, as 2025D; the current one if left out",
    among: SELECT release FROM cms.release ORDER BY effective_from DESC}
current: {of: cms-rvu, unless: release}
example: rivulet query rvu-codes --release 2025D --as json
*/
SELECT id, hcpcs, description, status_code AS "statusCode", work_rvu AS "workRVU"
FROM mart.rvu_codes(coalesce({release},
  (SELECT release FROM rivulet.current_release WHERE pipeline = 'cms-rvu')))
ORDER BY hcpcs COLLATE "C"
