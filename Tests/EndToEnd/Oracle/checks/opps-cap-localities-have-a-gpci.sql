-- What is left of OPPSCAP after the copies are taken out names localities that have geographic indices.
SELECT o.source_line, o.hcpcs, o.modifier, o.mac, o.locality
FROM {cms.opps_cap} o
WHERE NOT EXISTS (SELECT FROM {cms.gpci} g WHERE g.mac = o.mac AND g.locality = o.locality)
