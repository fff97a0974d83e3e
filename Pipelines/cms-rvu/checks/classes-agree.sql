-- On the rows that both have, the files of the two conversion factor classes, from 2026, agree in everything
-- that an amount depends on but the factor.
SELECT q.source_line, q.hcpcs, q.modifier
FROM {cms.rvu} q
JOIN {cms.rvu} n
  ON n.release = q.release AND n.cf_class = 'non_qp' AND n.hcpcs = q.hcpcs AND n.modifier = q.modifier
WHERE q.cf_class = 'qp'
  AND (q.status_code, q.work_rvu, q.nonfac_pe_rvu, q.fac_pe_rvu, q.mp_rvu, q.nonfac_total, q.fac_total,
      q.nonfac_na, q.fac_na, q.nonfac_pe_opps, q.fac_pe_opps, q.mp_opps, q.global_days,
      q.multiple_procedure, q.bilateral_surgery, q.assistant_surgery, q.co_surgeons, q.team_surgery)
    IS DISTINCT FROM
      (n.status_code, n.work_rvu, n.nonfac_pe_rvu, n.fac_pe_rvu, n.mp_rvu, n.nonfac_total, n.fac_total,
      n.nonfac_na, n.fac_na, n.nonfac_pe_opps, n.fac_pe_opps, n.mp_opps, n.global_days,
      n.multiple_procedure, n.bilateral_surgery, n.assistant_surgery, n.co_surgeons, n.team_surgery)
