-- OPPSCAP rows that name a locality under a contractor that does not have it, and repeat to the cent the row
-- of the contractor of the same state that does. A row that differs in anything stays.
WITH place AS (  -- GPCI names no state before 2021; contractors of a state share the first three digits
  SELECT mac, locality, coalesce(state, left(mac, 3)) AS state FROM {cms.gpci}
), home AS MATERIALIZED (  -- whose a locality is, for each other contractor of its state
  SELECT DISTINCT other.mac, home.locality, home.mac AS home
  FROM place home
  JOIN place other ON other.state = home.state AND other.mac <> home.mac
), stray AS MATERIALIZED (  -- a handful, which the planner does not know: it would search the index for more
  SELECT *
  FROM {cms.opps_cap} o
  WHERE NOT EXISTS (SELECT FROM place p WHERE p.mac = o.mac AND p.locality = o.locality)
), paired AS MATERIALIZED (
  SELECT * FROM stray JOIN home USING (mac, locality)
)
SELECT p.source_file_id, p.source_line
FROM paired p
JOIN {cms.opps_cap} o ON o.release = p.release AND o.hcpcs = p.hcpcs AND o.modifier = p.modifier
  AND o.mac = p.home AND o.locality = p.locality
WHERE o.facility_price = p.facility_price AND o.nonfacility_price = p.nonfacility_price
  AND o.status_code = p.status_code AND o.source_file_id = p.source_file_id
