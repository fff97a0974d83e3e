-- The file of one conversion factor class may hold fewer rows than that of the other, but not by a tenth: then it was
-- cut off.
SELECT qp, non_qp
FROM (
  SELECT count(*) FILTER (WHERE cf_class = 'qp') AS qp, count(*) FILTER (WHERE cf_class = 'non_qp') AS non_qp
  FROM {cms.rvu}) counted
WHERE least(qp, non_qp) > 0 AND least(qp, non_qp) < 0.9 * greatest(qp, non_qp)
