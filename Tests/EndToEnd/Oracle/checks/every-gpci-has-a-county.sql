-- Every locality with geographic indices has its counties: a county list that was cut off lacks the last ones.
SELECT g.source_line, g.mac, g.locality
FROM {cms.gpci} g
WHERE NOT EXISTS (SELECT FROM {cms.locality_county} l WHERE l.mac = g.mac AND l.locality = g.locality)
