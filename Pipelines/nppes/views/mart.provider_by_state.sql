/* rivulet view
strategy: live
description: How many active providers of the current NPPES release practise in each state, by their first place of practice
*/
-- The state of another country is as the provider writes it, so that the country belongs to the key.
SELECT p.release, a.country, a.state, max(l.meaning) AS state_name,
  count(*) AS providers,
  count(*) FILTER (WHERE p.entity_type = 'individual') AS individuals,
  count(*) FILTER (WHERE p.entity_type = 'organization') AS organizations
FROM directory.provider p
LEFT JOIN directory.provider_address a
  ON a.release = p.release AND a.source_id = p.source_id AND a.slot = 2
LEFT JOIN cms.code_list l ON l.list = 'state' AND l.code = a.state AND a.country = 'US'
WHERE p.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nppes')
  AND p.entity_type IS NOT NULL
GROUP BY p.release, a.country, a.state
