-- What OPPSCAP prints is what the formula gives, the lower of the payment and the cap, but for codes that the
-- contractor prices (status C): there it prints the cap.
SELECT o.source_line, o.hcpcs, o.modifier, o.mac, o.locality,
  o.facility_price, ours.facility, o.nonfacility_price, ours.nonfacility
FROM (
  SELECT o.*, g.work_gpci, g.pe_gpci, g.mp_gpci
  FROM {cms.opps_cap} o
  JOIN {cms.gpci} g ON g.mac = o.mac AND g.locality = o.locality
  WHERE o.status_code <> 'C'
  OFFSET 0  -- joined first: the planner would look the indices up for each row
) o
JOIN {cms.rvu} r ON r.hcpcs = o.hcpcs AND r.modifier = o.modifier AND r.status_code = o.status_code
CROSS JOIN LATERAL (
  SELECT cms.payable_work_rvu(r.release, r.work_rvu) AS work_rvu,
    -- The lower of two amounts is the one of which no part is more, so that one need not be computed.
    r.mp_opps <= r.mp_rvu AND r.fac_pe_opps <= r.fac_pe_rvu AS is_facility_capped,
    r.mp_opps <= r.mp_rvu AND r.nonfac_pe_opps <= r.nonfac_pe_rvu AS is_nonfacility_capped
) known
CROSS JOIN LATERAL (
  SELECT
    least(
      CASE WHEN is_facility_capped IS NOT TRUE THEN cms.payment_amount(known.work_rvu, r.fac_pe_rvu, r.mp_rvu,
        o.work_gpci, o.pe_gpci, o.mp_gpci, r.conversion_factor) END,
      cms.payment_amount(known.work_rvu, r.fac_pe_opps, r.mp_opps,
        o.work_gpci, o.pe_gpci, o.mp_gpci, r.conversion_factor)) AS facility,
    least(
      CASE WHEN is_nonfacility_capped IS NOT TRUE THEN cms.payment_amount(known.work_rvu, r.nonfac_pe_rvu, r.mp_rvu,
        o.work_gpci, o.pe_gpci, o.mp_gpci, r.conversion_factor) END,
      cms.payment_amount(known.work_rvu, r.nonfac_pe_opps, r.mp_opps,
        o.work_gpci, o.pe_gpci, o.mp_gpci, r.conversion_factor)) AS nonfacility
) ours
-- Only these are in OPPSCAP (opps-cap-codes-are-known), and filtering them first spares the join most rows.
WHERE cms.has_opps_cap(r.nonfac_pe_opps, r.fac_pe_opps, r.mp_opps) AND r.cf_class <> 'qp'
  AND (o.facility_price <> ours.facility OR o.nonfacility_price <> ours.nonfacility)
