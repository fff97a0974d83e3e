/* rivulet view
strategy: live
description: How many active providers of the current NPPES release have each taxonomy, and how many have it as their primary one
*/
-- A provider counts once for each of its taxonomies, in however many slots one is, and once as primary: by the first
-- slot that it marks, as in directory.primary_taxonomy.
WITH practised AS (
  SELECT release, source_id, taxonomy,
    min(slot) FILTER (WHERE primary_switch = 'Y')
      = min(min(slot) FILTER (WHERE primary_switch = 'Y')) OVER (PARTITION BY release, source_id) AS is_primary
  FROM directory.provider_taxonomy
  WHERE release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nppes')
  GROUP BY release, source_id, taxonomy
), counted AS (
  SELECT d.release, d.taxonomy,
    count(*) AS providers,
    count(*) FILTER (WHERE p.entity_type = 'individual') AS individuals,
    count(*) FILTER (WHERE p.entity_type = 'organization') AS organizations,
    count(*) FILTER (WHERE d.is_primary) AS primary_providers
  FROM practised d
  JOIN directory.provider p USING (release, source_id)
  WHERE p.entity_type IS NOT NULL AND d.taxonomy IS NOT NULL
  GROUP BY d.release, d.taxonomy
)
-- A code that the code set lacks has no names.
SELECT c.release, c.taxonomy, x.grouping, x.classification, x.specialization, x.display_name,
  c.providers, c.individuals, c.organizations, c.primary_providers
FROM counted c
LEFT JOIN directory.taxonomy x ON x.code = c.taxonomy
  AND x.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nucc')
