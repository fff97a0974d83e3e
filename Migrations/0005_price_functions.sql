-- The fee schedule's arithmetic, each rule once. Every function is one expression that the planner inlines
-- (hence no STRICT), so that a query pays for the arithmetic and for no call.
-- rivulet:datasets cms-rvu

-- rivulet:up
-- Source: CMS's record layout of the National Physician Fee Schedule Relative Value File, field STATUS CODE.
CREATE FUNCTION cms.status_meaning(status_code text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE status_code
    WHEN 'A' THEN 'active: paid separately under the fee schedule if covered'
    WHEN 'B' THEN 'bundled: payment is always part of the payment for another service'
    WHEN 'C' THEN 'contractor-priced: the Medicare contractor sets the amount'
    WHEN 'D' THEN 'deleted code'
    WHEN 'E' THEN 'excluded from the fee schedule by regulation; paid, if covered, under other rules'
    WHEN 'F' THEN 'deleted or discontinued code'
    WHEN 'G' THEN 'not valid for Medicare, which uses another code for the service'
    WHEN 'H' THEN 'deleted modifier: the code no longer has this component'
    WHEN 'I' THEN 'not valid for Medicare, which uses another code for the service'
    WHEN 'J' THEN 'anaesthesia: paid from base units and time, not from relative value units'
    WHEN 'M' THEN 'measurement code, used for reporting only'
    WHEN 'N' THEN 'not covered by Medicare'
    WHEN 'P' THEN 'bundled into the physician''s service, or excluded from the fee schedule'
    WHEN 'R' THEN 'restricted coverage: special coverage instructions apply'
    WHEN 'T' THEN 'paid only when the provider bills no other fee schedule service for the same day'
    WHEN 'X' THEN 'excluded by statute: not a physician service, paid under another schedule if at all'
    ELSE 'unknown status'
  END;
COMMENT ON FUNCTION cms.status_meaning(text) IS 'What a status code of cms.rvu says, in words';

-- Source: the same field of CMS's record layout, and 42 CFR 414.22.
CREATE FUNCTION cms.paid_from_rvus(status_code text, nonfac_total numeric, fac_total numeric) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN status_code IN ('A', 'T') OR status_code = 'R' AND (nonfac_total <> 0 OR fac_total <> 0);
COMMENT ON FUNCTION cms.paid_from_rvus(text, numeric, numeric) IS
  'Whether Medicare pays the row by its relative value units: status A and T, and R where it has any';

-- Source: the final rules for 2007 (71 FR 69624) and 2008 (72 FR 66222); section 1848(c)(2)(B)(ii) of the Social Security Act.
CREATE FUNCTION cms.payable_work_rvu(release text, work_rvu numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE left(release, 4)
    WHEN '2007' THEN round(work_rvu * 0.8994, 2)
    WHEN '2008' THEN round(work_rvu * 0.8806, 2)
    ELSE work_rvu
  END;
COMMENT ON FUNCTION cms.payable_work_rvu(text, numeric) IS
  'Work that payment uses: in 2007 and 2008 reduced by the budget neutrality adjustor';

-- Source: 42 CFR 414.20(a) and 414.26. That the product is rounded once is what CMS's published amounts show.
CREATE FUNCTION cms.payment_amount(
  work_rvu numeric, pe_rvu numeric, mp_rvu numeric,
  work_gpci numeric, pe_gpci numeric, mp_gpci numeric,
  conversion_factor numeric
) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN round((work_rvu * work_gpci + pe_rvu * pe_gpci + mp_rvu * mp_gpci) * conversion_factor, 2);
COMMENT ON FUNCTION cms.payment_amount(numeric, numeric, numeric, numeric, numeric, numeric, numeric) IS
  'Dollars: the exact product, rounded once to the cent, half away from zero';

-- Source: section 1848(b)(4) of the Social Security Act; CMS's record layout, fields ... USED FOR OPPS PAYMENT AMOUNT.
CREATE FUNCTION cms.has_opps_cap(nonfac_pe_opps numeric, fac_pe_opps numeric, mp_opps numeric) RETURNS boolean
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN nonfac_pe_opps <> 0 OR fac_pe_opps <> 0 OR mp_opps <> 0;
COMMENT ON FUNCTION cms.has_opps_cap(numeric, numeric, numeric) IS
  'Whether the OPPS cap limits the row; three zeros are no cap, not a cap of zero';

-- Source: 42 CFR 414.20(b) and 414.48(b).
CREATE FUNCTION cms.limiting_charge(amount numeric) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN round(1.0925 * amount, 2);
COMMENT ON FUNCTION cms.limiting_charge(numeric) IS
  'The most a non-participating physician may charge: 115 per cent of 95 per cent of the rounded amount';

-- rivulet:down
DROP FUNCTION cms.limiting_charge(numeric);
DROP FUNCTION cms.has_opps_cap(numeric, numeric, numeric);
DROP FUNCTION cms.payment_amount(numeric, numeric, numeric, numeric, numeric, numeric, numeric);
DROP FUNCTION cms.payable_work_rvu(text, numeric);
DROP FUNCTION cms.paid_from_rvus(text, numeric, numeric);
DROP FUNCTION cms.status_meaning(text);

-- rivulet:verify
-- A tie: the product is exactly 2.885, and half a cent goes away from zero.
SELECT 1 / (cms.payment_amount(1, 1, 0, 1, 1.885, 1, 1) = 2.89)::int;
SELECT 1 / (cms.limiting_charge(2.00) = 2.19)::int;
SELECT 1 / (cms.has_opps_cap(0, 0, 0.01) AND NOT cms.has_opps_cap(0, 0, 0))::int;
SELECT 1 / (cms.paid_from_rvus('A', 0, 0) AND cms.paid_from_rvus('R', 0, 1)
  AND NOT cms.paid_from_rvus('R', 0, 0) AND NOT cms.paid_from_rvus('C', 1, 1))::int;
SELECT 1 / (cms.payable_work_rvu('2007A', 10) = 8.99 AND cms.payable_work_rvu('2008C', 10) = 8.81
  AND cms.payable_work_rvu('2025D', 10) = 10)::int;
SELECT 1 / (cms.status_meaning('N') = 'not covered by Medicare')::int;
