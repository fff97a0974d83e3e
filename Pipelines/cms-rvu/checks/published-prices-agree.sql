-- What OPPSCAP prints is what the formula gives, the lower of the payment and the cap, but for codes that the
-- contractor prices (status C): there it prints the cap.
SELECT o.source_line, o.hcpcs, o.modifier, o.mac, o.locality,
  o.facility_price, ours.facility, o.nonfacility_price, ours.nonfacility
FROM {cms.opps_cap} o
JOIN {cms.gpci} g ON g.mac = o.mac AND g.locality = o.locality
JOIN {cms.rvu} r ON r.hcpcs = o.hcpcs AND r.modifier = o.modifier AND r.status_code = o.status_code
CROSS JOIN LATERAL (SELECT cms.payable_work_rvu(r.release, r.work_rvu) AS rvu) work
CROSS JOIN LATERAL (
  SELECT
    least(
      cms.payment_amount(work.rvu, r.fac_pe_rvu, r.mp_rvu,
        g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor),
      cms.payment_amount(work.rvu, r.fac_pe_opps, r.mp_opps,
        g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor)) AS facility,
    least(
      cms.payment_amount(work.rvu, r.nonfac_pe_rvu, r.mp_rvu,
        g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor),
      cms.payment_amount(work.rvu, r.nonfac_pe_opps, r.mp_opps,
        g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor)) AS nonfacility
) ours
-- Only these are in OPPSCAP (opps-cap-codes-are-known), and filtering them first spares the join most rows.
WHERE cms.has_opps_cap(r.nonfac_pe_opps, r.fac_pe_opps, r.mp_opps)
  AND o.status_code <> 'C' AND r.cf_class <> 'qp'
  AND (o.facility_price <> ours.facility OR o.nonfacility_price <> ours.nonfacility)
