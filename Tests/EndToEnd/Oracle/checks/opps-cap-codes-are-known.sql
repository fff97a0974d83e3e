-- Every code and modifier of OPPSCAP is a row with an OPPS cap and of the same status in PPRRVU.
SELECT o.source_line, o.hcpcs, o.modifier, o.status_code
FROM {cms.opps_cap} o
WHERE NOT EXISTS (
  SELECT FROM {cms.rvu} r
  WHERE r.hcpcs = o.hcpcs AND r.modifier = o.modifier AND r.status_code = o.status_code
    AND cms.has_opps_cap(r.nonfac_pe_opps, r.fac_pe_opps, r.mp_opps))
