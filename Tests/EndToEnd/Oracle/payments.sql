-- CMS's revised payment amounts against mart.payment: the lines of the file that differ, with both amounts.
-- Expects pg_temp.pfrev(carrier, locality, hcpcs, modifier text, nonfacility, facility numeric): the lines of
-- PFREV4.txt but the trailer, text trimmed; and release 2025D published.
SELECT o.carrier, o.locality, o.hcpcs, o.modifier, o.nonfacility, p.nonfacility_amount,
  o.facility, p.facility_amount
FROM pfrev o
LEFT JOIN mart.payment p
  ON p.release = '2025D' AND p.cf_class = 'all' AND p.hcpcs = o.hcpcs AND p.modifier = o.modifier
  AND p.mac = o.carrier AND p.locality = o.locality
WHERE (o.nonfacility, o.facility) IS DISTINCT FROM (p.nonfacility_amount, p.facility_amount)
ORDER BY o.hcpcs, o.modifier, o.carrier, o.locality;
