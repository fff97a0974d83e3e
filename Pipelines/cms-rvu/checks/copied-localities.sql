-- OPPSCAP rows that name a locality under a contractor that does not have it, and repeat to the cent the row
-- of the contractor of the same state that does. A row that differs in anything stays.
WITH place AS (  -- GPCI names no state before 2021; contractors of a state share the first three digits
  SELECT mac, locality, coalesce(state, left(mac, 3)) AS state FROM {cms.gpci}
), home AS MATERIALIZED (  -- whose a locality is, for each other contractor of its state
  SELECT DISTINCT other.mac, home.locality, home.mac AS home
  FROM place home
  JOIN place other ON other.state = home.state AND other.mac <> home.mac
), stray AS MATERIALIZED (  -- a handful, which the planner cannot know of a table that was just loaded
  SELECT *
  FROM {cms.opps_cap} o
  WHERE NOT EXISTS (SELECT FROM place p WHERE p.mac = o.mac AND p.locality = o.locality)
)
SELECT stray.source_file_id, stray.source_line
FROM stray
JOIN home ON home.mac = stray.mac AND home.locality = stray.locality
JOIN {cms.opps_cap} original
  ON original.release = stray.release AND original.hcpcs = stray.hcpcs AND original.modifier = stray.modifier
  AND original.mac = home.home AND original.locality = stray.locality
WHERE original.facility_price = stray.facility_price AND original.nonfacility_price = stray.nonfacility_price
  AND original.status_code = stray.status_code AND original.source_file_id = stray.source_file_id
