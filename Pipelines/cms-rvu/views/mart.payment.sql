/* rivulet view
strategy: live
description: Medicare payment of every row paid from relative value units, in every locality of its release
*/
SELECT r.release, r.cf_class, r.hcpcs, r.modifier, g.mac, g.locality,
  paid.nonfacility_amount, paid.facility_amount,
  cms.limiting_charge(paid.nonfacility_amount) AS nonfacility_limiting_charge,
  cms.limiting_charge(paid.facility_amount) AS facility_limiting_charge,
  coalesce(cap.nonfacility < formula.nonfacility OR cap.facility < formula.facility, false) AS cap_applied,
  NULL::text AS reason  -- why an amount is missing: never so for a row paid from relative value units
FROM cms.rvu r
JOIN cms.gpci g ON g.release = r.release
CROSS JOIN LATERAL (SELECT cms.payable_work_rvu(r.release, r.work_rvu) AS rvu) work
CROSS JOIN LATERAL (
  SELECT
    cms.payment_amount(work.rvu, r.nonfac_pe_rvu, r.mp_rvu,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS nonfacility,
    cms.payment_amount(work.rvu, r.fac_pe_rvu, r.mp_rvu,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS facility
) formula
CROSS JOIN LATERAL (
  SELECT  -- null where there is no cap
    CASE WHEN cms.has_opps_cap(r.nonfac_pe_opps, r.fac_pe_opps, r.mp_opps) THEN
      cms.payment_amount(work.rvu, r.nonfac_pe_opps, r.mp_opps,
        g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) END AS nonfacility,
    CASE WHEN cms.has_opps_cap(r.nonfac_pe_opps, r.fac_pe_opps, r.mp_opps) THEN
      cms.payment_amount(work.rvu, r.fac_pe_opps, r.mp_opps,
        g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) END AS facility
) cap
CROSS JOIN LATERAL (
  SELECT  -- least() passes over a null
    least(formula.nonfacility, cap.nonfacility) AS nonfacility_amount,
    least(formula.facility, cap.facility) AS facility_amount
) paid
WHERE cms.paid_from_rvus(r.status_code, r.nonfac_total, r.fac_total)
