/* rivulet view
strategy: live
description: Who practises where, for which organisation, in which network; a row per provider, place, organisation and network, with every source that says so and how old it is
*/
-- What a source says without an organisation or a network, as NPPES does, speaks for each row of the same provider and
-- place, and is a row of its own only where nobody says more. Where sources differ, the newest counts. A provider is an
-- NPI; without one a record is a provider of its own, since nobody is guessed: directory.provider_match has who may be
-- the same.
WITH gathered AS NOT MATERIALIZED (
  -- All that is said of a provider at a place, the newest first.
  SELECT b.npi, coalesce(b.npi::text, b.release || '/' || b.source_id) AS provider,
    directory.place_key(coalesce(b.line_1, b.place_name), b.postal_code, b.country) AS place,
    array_agg(b ORDER BY b.as_of DESC, b.updated_on DESC NULLS LAST, b.release, b.source_file_id, b.source_line, b) AS every
  FROM directory.practice_by_source b
  GROUP BY 1, 2, 3
)
SELECT g.npi, g.provider, (SELECT b.name FROM unnest(s.said) b WHERE b.name IS NOT NULL LIMIT 1) AS name, s.said[1].entity_type,
  g.place, (SELECT b.place_name FROM unnest(s.said) b WHERE b.place_name IS NOT NULL LIMIT 1) AS place_name,
  s.said[1].line_1, s.said[1].line_2, s.said[1].city, s.said[1].state, s.said[1].postal_code, s.said[1].country,
  (SELECT b.organization FROM unnest(s.said) b WHERE b.organization IS NOT NULL LIMIT 1) AS organization,
  (SELECT b.organization_npi FROM unnest(s.said) b WHERE b.organization_npi IS NOT NULL LIMIT 1) AS organization_npi,
  k.directory, k.network,
  ARRAY(SELECT DISTINCT unnest(b.plans) AS x FROM unnest(s.said) b ORDER BY x) AS plans,
  (SELECT b.new_patients FROM unnest(s.said) b WHERE b.new_patients IS NOT NULL LIMIT 1) AS new_patients,
  ARRAY(SELECT DISTINCT unnest(b.specialties) AS x FROM unnest(s.said) b ORDER BY x) AS specialties,
  ARRAY(SELECT DISTINCT unnest(b.phones) AS x FROM unnest(s.said) b ORDER BY x) AS phones,
  ARRAY(SELECT DISTINCT unnest(b.faxes) AS x FROM unnest(s.said) b ORDER BY x) AS faxes,
  s.said[1].as_of, rivulet.today() - s.said[1].as_of AS age_days,
  (SELECT jsonb_agg(jsonb_build_object('release', b.release, 'kind', b.kind, 'record', b.record, 'as_of', b.as_of,
    'age_days', rivulet.today() - b.as_of, 'updated_on', b.updated_on, 'file', b.source_file_id, 'line', b.source_line))
   FROM unnest(s.said) b) AS sources
FROM gathered g
CROSS JOIN LATERAL (
  -- A network belongs to the directory that names it: many have one that is called preferred.
  SELECT DISTINCT directory.organization_key(b.organization) AS organization, b.network,
    CASE WHEN b.network IS NOT NULL THEN b.directory END AS directory
  FROM unnest(g.every) b) k
CROSS JOIN LATERAL (
  SELECT ARRAY(
    SELECT b FROM unnest(g.every) b
    WHERE (b.organization IS NULL OR directory.organization_key(b.organization) = k.organization)
      AND (b.network IS NULL OR b.network = k.network AND b.directory = k.directory)) AS said) s
WHERE NOT EXISTS (
  SELECT FROM unnest(g.every) b
  WHERE (k.organization IS NULL OR directory.organization_key(b.organization) = k.organization)
    AND (k.network IS NULL OR b.network = k.network AND b.directory = k.directory)
    AND (k.organization IS NULL AND b.organization IS NOT NULL OR k.network IS NULL AND b.network IS NOT NULL))
