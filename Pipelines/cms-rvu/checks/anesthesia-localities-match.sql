-- The localities with an anaesthesia factor are those with geographic indices, in both directions.
SELECT coalesce(a.source_line, g.source_line) AS source_line,
  coalesce(a.mac, g.mac) AS mac, coalesce(a.locality, g.locality) AS locality,
  CASE WHEN g.mac IS NULL THEN 'no GPCI' ELSE 'no anaesthesia factor' END AS missing
FROM {cms.gpci} g
FULL JOIN {cms.anesthesia_cf} a ON a.mac = g.mac AND a.locality = g.locality
WHERE g.mac IS NULL OR a.mac IS NULL
