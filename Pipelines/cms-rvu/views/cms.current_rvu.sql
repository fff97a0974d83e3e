/* rivulet view
strategy: live
description: The relative value units and indicators of the current release
*/
-- A scalar subquery, not a join: it is answered once, before the other partitions are opened.
SELECT *
FROM cms.rvu
WHERE release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'cms-rvu')
