-- Every locality of the county list has geographic indices: without them it would have no payments.
SELECT l.source_line, l.mac, l.locality, l.fee_schedule_area
FROM {cms.locality_county} l
WHERE NOT EXISTS (SELECT FROM {cms.gpci} g WHERE g.mac = l.mac AND g.locality = l.locality)
