-- The factor of qualifying clinicians is the higher one in PPRRVU too: where it is not, the two files were mixed up, or
-- one of them is there twice.
-- Source: section 1848(d)(1)(A) and (d)(20) of the Social Security Act.
SELECT q.source_line, q.hcpcs, q.modifier
FROM {cms.rvu} q
JOIN {cms.rvu} n
  ON n.release = q.release AND n.cf_class = 'non_qp' AND n.hcpcs = q.hcpcs AND n.modifier = q.modifier
WHERE q.cf_class = 'qp' AND q.status_code IN ('A', 'R', 'T') AND q.conversion_factor <= n.conversion_factor
