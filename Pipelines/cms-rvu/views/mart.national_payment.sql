/* rivulet view
strategy: live
description: National payment of every row, all geographic indices being 1; null where it is not paid from relative value units
*/
SELECT r.release, r.cf_class, r.hcpcs, r.modifier, r.status_code,
  paid.nonfacility_amount, paid.facility_amount,
  coalesce(paid.nonfacility_amount < formula.nonfacility OR paid.facility_amount < formula.facility, false)
    AS cap_applied
FROM cms.rvu r
CROSS JOIN LATERAL (
  SELECT cms.paid_from_rvus(r.status_code, r.nonfac_total, r.fac_total) AS is_paid,
    cms.has_opps_cap(r.nonfac_pe_opps, r.fac_pe_opps, r.mp_opps) AS has_cap,
    cms.payable_work_rvu(r.release, r.work_rvu) AS work_rvu
) known
CROSS JOIN LATERAL (
  SELECT
    cms.payment_amount(known.work_rvu, r.nonfac_pe_rvu, r.mp_rvu, 1, 1, 1, r.conversion_factor) AS nonfacility,
    cms.payment_amount(known.work_rvu, r.fac_pe_rvu, r.mp_rvu, 1, 1, 1, r.conversion_factor) AS facility
) formula
CROSS JOIN LATERAL (
  SELECT  -- least() passes over a null: where there is no cap, the formula counts
    CASE WHEN is_paid THEN least(formula.nonfacility, CASE WHEN has_cap THEN
      cms.payment_amount(known.work_rvu, r.nonfac_pe_opps, r.mp_opps, 1, 1, 1, r.conversion_factor) END) END
      AS nonfacility_amount,
    CASE WHEN is_paid THEN least(formula.facility, CASE WHEN has_cap THEN
      cms.payment_amount(known.work_rvu, r.fac_pe_opps, r.mp_opps, 1, 1, 1, r.conversion_factor) END) END
      AS facility_amount
) paid
