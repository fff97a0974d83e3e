-- Every price of OPPSCAP recomputed from the relative value units: the rows that differ, with both amounts.
-- Expects pg_temp.opps_file(hcpcs, modifier, status_code, mac, locality text, facility, nonfacility numeric):
-- the 16,100 rows of the OPPSCAP file of 2025D as published, text trimmed; and release 2025D published.
--
-- Status A: the price is the payment, the lower of the formula and the cap. Status C: the price is the cap
-- alone, and a global row, which has no work of its own, takes the work of its professional component
-- (modifier 26). A row under a contractor that does not have the locality is priced by the indices of the
-- contractor of the same state that does.
WITH place AS (
  SELECT DISTINCT n.mac AS named_mac, g.mac, g.locality
  FROM cms.gpci g
  JOIN cms.gpci n ON n.release = g.release AND n.state = g.state
  WHERE g.release = '2025D'
    AND (n.mac = g.mac OR NOT EXISTS (
      SELECT FROM cms.gpci own
      WHERE own.release = g.release AND own.mac = n.mac AND own.locality = g.locality))
), priced AS (
  SELECT o.*, price.facility AS our_facility, price.nonfacility AS our_nonfacility
  FROM opps_file o
  LEFT JOIN place ON place.named_mac = o.mac AND place.locality = o.locality
  LEFT JOIN cms.gpci g ON g.release = '2025D' AND g.mac = place.mac AND g.locality = place.locality
  LEFT JOIN cms.rvu r ON r.release = '2025D' AND r.hcpcs = o.hcpcs AND r.modifier = o.modifier
    AND r.status_code = o.status_code
  LEFT JOIN cms.rvu professional ON professional.release = '2025D' AND professional.hcpcs = o.hcpcs
    AND professional.modifier = '26' AND o.modifier = '' AND o.status_code = 'C'
  CROSS JOIN LATERAL (SELECT coalesce(professional.work_rvu, r.work_rvu) AS rvu) work
  CROSS JOIN LATERAL (SELECT
    cms.payment_amount(work.rvu, r.fac_pe_opps, r.mp_opps,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS facility_cap,
    cms.payment_amount(work.rvu, r.nonfac_pe_opps, r.mp_opps,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS nonfacility_cap,
    cms.payment_amount(work.rvu, r.fac_pe_rvu, r.mp_rvu,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS facility,
    cms.payment_amount(work.rvu, r.nonfac_pe_rvu, r.mp_rvu,
      g.work_gpci, g.pe_gpci, g.mp_gpci, r.conversion_factor) AS nonfacility) formula
  CROSS JOIN LATERAL (SELECT
    CASE o.status_code WHEN 'A' THEN least(formula.facility, formula.facility_cap)
      WHEN 'C' THEN formula.facility_cap END AS facility,
    CASE o.status_code WHEN 'A' THEN least(formula.nonfacility, formula.nonfacility_cap)
      WHEN 'C' THEN formula.nonfacility_cap END AS nonfacility) price
)
SELECT hcpcs, modifier, status_code, mac, locality, facility, our_facility, nonfacility, our_nonfacility
FROM priced
WHERE (facility, nonfacility) IS DISTINCT FROM (our_facility, our_nonfacility)
ORDER BY hcpcs, modifier, mac, locality;
