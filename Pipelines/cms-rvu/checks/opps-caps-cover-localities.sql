-- A code of OPPSCAP has a cap in every locality that any code has one in.
SELECT min(source_line) AS source_line, hcpcs, modifier, count(*) AS localities
FROM {cms.opps_cap}
GROUP BY hcpcs, modifier
HAVING count(*) < (SELECT count(*) FROM (SELECT DISTINCT mac, locality FROM {cms.opps_cap}) everywhere)
