-- OPPSCAP has every row of PPRRVU on which a cap bites, and those that contractors price: one that was cut off lacks the
-- last codes.
SELECT r.source_line, r.hcpcs, r.modifier
FROM {cms.rvu} r
WHERE cms.has_opps_cap(r.nonfac_pe_opps, r.fac_pe_opps, r.mp_opps)
  AND (r.status_code = 'C' OR r.status_code = 'A'
    AND (r.work_rvu + r.nonfac_pe_opps + r.mp_opps < r.nonfac_total
      OR r.work_rvu + r.fac_pe_opps + r.mp_opps < r.fac_total))
  AND NOT EXISTS (SELECT FROM {cms.opps_cap} o WHERE o.hcpcs = r.hcpcs AND o.modifier = r.modifier)
