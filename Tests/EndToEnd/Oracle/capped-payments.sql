-- OPPSCAP's prices of status A against mart.payment: the rows that differ, with both amounts.
-- Expects pg_temp.opps_file(hcpcs, modifier, status_code, mac, locality text, facility, nonfacility numeric):
-- the rows of the OPPSCAP file of 2025D as published, text trimmed; and release 2025D published. Of its 6,670
-- rows of status A, 6,322 name a locality that GPCI knows; the others are copies of theirs.
SELECT o.hcpcs, o.modifier, o.mac, o.locality, o.facility, p.facility_amount,
  o.nonfacility, p.nonfacility_amount
FROM opps_file o
JOIN cms.gpci g ON g.release = '2025D' AND g.mac = o.mac AND g.locality = o.locality
LEFT JOIN mart.payment p
  ON p.release = g.release AND p.cf_class = 'all' AND p.hcpcs = o.hcpcs AND p.modifier = o.modifier
  AND p.mac = g.mac AND p.locality = g.locality
WHERE o.status_code = 'A'
  AND (o.facility, o.nonfacility) IS DISTINCT FROM (p.facility_amount, p.nonfacility_amount)
ORDER BY o.hcpcs, o.modifier, o.mac, o.locality;
