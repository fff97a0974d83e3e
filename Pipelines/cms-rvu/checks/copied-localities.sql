-- OPPSCAP rows that name a locality under a contractor that does not have it, and repeat to the cent the row
-- of the contractor of the same state that does. A row that differs in anything stays.
WITH place AS (  -- GPCI names no state before 2021; contractors of a state share the first three digits
  SELECT mac, locality, coalesce(state, left(mac, 3)) AS state FROM {cms.gpci}
), shared AS (  -- the states with more than one contractor
  SELECT DISTINCT g.state, g.mac
  FROM place g
  JOIN place other ON other.state = g.state AND other.mac <> g.mac
)
SELECT o.source_file_id,
  unnest(array_agg(o.source_line) FILTER (WHERE home.mac IS NULL)) AS source_line
FROM {cms.opps_cap} o
LEFT JOIN place home ON home.mac = o.mac AND home.locality = o.locality
JOIN shared ON shared.mac = o.mac AND shared.state = coalesce(home.state, shared.state)
-- The server sorts by these in their order: those that tell most rows apart come first.
GROUP BY o.hcpcs, o.locality, o.facility_price, o.nonfacility_price, o.modifier, o.status_code, shared.state, o.source_file_id
HAVING bool_or(home.mac IS NOT NULL)
