/* rivulet view
strategy: live
description: Who practises where, for whom, in which network, as each current directory says it; a row per provider, place, organisation and network of a record
*/
-- Live, so that it is always what the current releases say. Each part is asked by NPI where the reader asks by it. What
-- has ended, or is not yet, or is no longer in use is left out, and so are addresses for mail and at home.
--
-- Providers may be distributed over several servers, which know nothing of the other tables: what is asked of providers
-- alone is named first. One server takes those names for what they stand for, and plans as if they were not there.
WITH shown AS MATERIALIZED (
  -- Of each publisher the newest release that is in effect, or the one that is pinned.
  SELECT DISTINCT ON (r.pipeline, directory.release_series(r.release))
    r.pipeline, r.release, directory.release_series(r.release) AS directory, coalesce(r.holds_to, r.effective_from) AS as_of
  FROM rivulet.release r
  LEFT JOIN rivulet.current_release c ON c.pipeline = r.pipeline AND c.release = r.release
  WHERE r.pipeline IN ('nppes', 'fhir-directory', 'qhp-providers', 'directory-csv', 'cms-dac') AND r.state = 'published'
    AND (r.effective_from <= rivulet.today() OR c.release IS NOT NULL)
  ORDER BY r.pipeline, directory.release_series(r.release), c.release IS NULL, r.effective_from DESC, r.release DESC
), today AS MATERIALIZED (
  SELECT rivulet.today()::text AS day
), address AS NOT MATERIALIZED (
  -- The addresses of records, each with what is known of who has the record.
  SELECT s.directory, s.pipeline, s.release, s.as_of, p.updated_on, p.source_id, p.npi, p.entity_type, p.active,
    (SELECT concat_ws(' ', n.organization, n.first_name, n.middle_name, n.last_name, n.suffix) FROM directory.provider_name n
     WHERE n.release = p.release AND n.source_id = p.source_id AND n.slot = 1) AS name,
    a.line_1, a.line_2, a.city, a.state, a.postal_code, a.country, a.phone, a.phone_extension, a.fax,
    a.period_start, a.period_end, a.source_file_id, a.source_line,
    ARRAY(
      SELECT coalesce(x.taxonomy, x.display, x.text) FROM directory.provider_taxonomy x
      WHERE x.release = p.release AND x.source_id = p.source_id AND coalesce(x.taxonomy, x.display, x.text) IS NOT NULL
      ORDER BY x.slot) AS specialties
  FROM directory.provider p
  JOIN shown s ON s.release = p.release AND s.pipeline <> 'cms-dac'
  JOIN directory.provider_address a ON a.release = p.release AND a.source_id = p.source_id
    AND a.use NOT IN ('mailing', 'home', 'old', 'billing') AND a.type IS DISTINCT FROM 'postal'
  WHERE (p.entity_type IS NOT NULL OR p.npi IS NULL) AND p.active IS DISTINCT FROM 'false'
), practitioner AS NOT MATERIALIZED (
  -- Those of FHIR, whose roles, and what they refer to, are kept elsewhere.
  SELECT p.release, p.source_id, p.npi, p.active,
    (SELECT concat_ws(' ', n.organization, n.first_name, n.middle_name, n.last_name, n.suffix) FROM directory.provider_name n
     WHERE n.release = p.release AND n.source_id = p.source_id AND n.slot = 1) AS name,
    ARRAY(
      SELECT coalesce(x.taxonomy, x.code, x.display, x.text) FROM directory.provider_taxonomy x
      WHERE x.release = p.release AND x.source_id = p.source_id
        AND coalesce(x.taxonomy, x.code, x.display, x.text) IS NOT NULL ORDER BY x.slot) AS specialties
  FROM directory.provider p
  WHERE p.release = ANY (ARRAY(SELECT release FROM shown WHERE pipeline = 'fhir-directory'))
), acting AS NOT MATERIALIZED (
  -- FHIR: a role, an affiliation or a service at each of its locations, or those of its services, in each of its networks.
  WITH reference AS NOT MATERIALIZED (
    -- What roles, affiliations and services of FHIR refer to.
    SELECT 'role'::text AS kind, release, source_id, path, directory.reference_id(reference) AS id, display, identifier
    FROM directory.practitioner_role_reference
    UNION ALL
    SELECT 'affiliation', release, source_id, path, directory.reference_id(reference), display, identifier
    FROM directory.organization_affiliation_reference
    UNION ALL
    SELECT 'service', release, source_id, path, directory.reference_id(reference), display, identifier
    FROM directory.healthcare_service_reference
  ), telecom AS NOT MATERIALIZED (
    SELECT 'role'::text AS kind, release, source_id, system, value FROM directory.practitioner_role_telecom
    UNION ALL SELECT 'affiliation', release, source_id, system, value FROM directory.organization_affiliation_telecom
    UNION ALL SELECT 'service', release, source_id, system, value FROM directory.healthcare_service_telecom
    UNION ALL SELECT 'location', release, source_id, system, value FROM directory.practice_location_telecom
  ), specialty AS NOT MATERIALIZED (
    -- A code, or what stands for it.
    SELECT 'role'::text AS kind, release, source_id, slot, coalesce(code, display, text) AS specialty
    FROM directory.practitioner_role_concept WHERE path IN ('specialty.coding', 'specialty')
    UNION ALL
    SELECT 'affiliation', release, source_id, slot, coalesce(code, display, text)
    FROM directory.organization_affiliation_concept WHERE path IN ('specialty.coding', 'specialty')
    UNION ALL
    SELECT 'service', release, source_id, slot, coalesce(code, display, text)
    FROM directory.healthcare_service_concept WHERE path IN ('specialty.coding', 'specialty')
  ), new_patients AS NOT MATERIALIZED (
    SELECT 'role'::text AS kind, release, source_id, coalesce(code, display, text) AS code,
      directory.reference_id(network) AS network FROM directory.practitioner_role_new_patients
    UNION ALL
    SELECT 'service', release, source_id, coalesce(code, display, text), directory.reference_id(network)
    FROM directory.healthcare_service_new_patients
    UNION ALL
    SELECT 'location', release, source_id, coalesce(code, display, text), directory.reference_id(network)
    FROM directory.practice_location_new_patients
  ), link AS NOT MATERIALIZED (
    -- Who does something for whom, in FHIR. A role may name its practitioner by NPI alone.
    SELECT 'role'::text AS kind, r.release, r.source_id AS record, coalesce(p.source_id, directory.reference_id(r.practitioner)) COLLATE "C" AS source_id,
      p.npi, 'individual'::text AS entity_type, p.name, p.specialties, directory.reference_id(r.organization) AS organization,
      r.period_start, r.period_end, r.last_updated, r.source_file_id, r.source_line
    FROM directory.practitioner_role r
    LEFT JOIN practitioner p ON p.release = r.release AND p.source_id = directory.reference_id(r.practitioner)
    WHERE r.active IS DISTINCT FROM 'false' AND r.practitioner IS NOT NULL AND p.active IS DISTINCT FROM 'false'
    UNION ALL
    SELECT 'role', r.release, r.source_id, n.identifier COLLATE "C", n.identifier::bigint, 'individual', n.display, p.specialties,
      directory.reference_id(r.organization), r.period_start, r.period_end, r.last_updated, r.source_file_id, r.source_line
    FROM directory.practitioner_role r
    JOIN directory.practitioner_role_reference n ON n.release = r.release AND n.source_id = r.source_id
      AND n.path = 'practitioner' AND n.reference IS NULL AND n.identifier ~ '^[12]\d{9}$'
    LEFT JOIN practitioner p ON p.release = n.release AND p.source_id = n.identifier
    WHERE r.active IS DISTINCT FROM 'false' AND r.practitioner IS NULL
    UNION ALL
    SELECT 'affiliation', a.release, a.source_id, ('Organization/' || directory.reference_id(a.participating_organization)) COLLATE "C",
      o.npi, 'organization', o.name, NULL, directory.reference_id(a.organization), a.period_start, a.period_end, a.last_updated, a.source_file_id,
      a.source_line
    FROM directory.organization_affiliation a
    LEFT JOIN directory.organization o ON o.release = a.release AND o.source_id = directory.reference_id(a.participating_organization)
    WHERE a.active IS DISTINCT FROM 'false' AND a.participating_organization IS NOT NULL AND o.active IS DISTINCT FROM 'false'
    UNION ALL
    SELECT 'service', s.release, s.source_id, ('Organization/' || directory.reference_id(s.provided_by)) COLLATE "C", o.npi,
      'organization', o.name, NULL, NULL, NULL, NULL, s.last_updated, s.source_file_id, s.source_line
    FROM directory.healthcare_service s
    LEFT JOIN directory.organization o ON o.release = s.release AND o.source_id = directory.reference_id(s.provided_by)
    WHERE s.active IS DISTINCT FROM 'false' AND s.provided_by IS NOT NULL AND o.active IS DISTINCT FROM 'false'
  )
  SELECT s.directory, s.pipeline, s.release, s.as_of, l.last_updated::date AS updated_on, l.kind, l.record COLLATE "C" AS record, l.source_id, l.npi, l.entity_type, l.name,
    coalesce(w.name, place.display) AS place_name, w.line_1, w.line_2, w.city, w.state, w.postal_code, w.country, coalesce(o.name, named.display) AS organization, o.npi AS organization_npi, n.name AS network, NULL::text[] AS plans,
    coalesce(
      (SELECT string_agg(DISTINCT y.code, ' ') FROM new_patients y
       WHERE y.kind = l.kind AND y.release = l.release AND y.source_id = l.record AND (y.network = n.id) IS NOT FALSE),
      (SELECT string_agg(DISTINCT y.code, ' ') FROM new_patients y
       WHERE y.kind = 'service' AND y.release = l.release AND y.source_id = ANY (by.services) AND (y.network = n.id) IS NOT FALSE),
      (SELECT string_agg(DISTINCT y.code, ' ') FROM new_patients y
       WHERE y.kind = 'location' AND y.release = l.release AND y.source_id = w.source_id AND (y.network = n.id) IS NOT FALSE)) AS new_patients,
    coalesce(
      (SELECT array_agg(x.specialty ORDER BY x.slot) FROM specialty x
       WHERE x.kind = l.kind AND x.release = l.release AND x.source_id = l.record AND x.specialty IS NOT NULL),
      l.specialties, '{}') AS specialties,
    coalesce(own.phones, there.phones, '{}') AS phones, coalesce(own.faxes, there.faxes, '{}') AS faxes,
    l.source_file_id, l.source_line
  FROM link l
  JOIN shown s ON s.release = l.release AND s.pipeline = 'fhir-directory'
  CROSS JOIN today d
  CROSS JOIN LATERAL (
    SELECT ARRAY(
      SELECT v.id FROM reference v
      WHERE v.kind = l.kind AND v.release = l.release AND v.source_id = l.record AND v.path = 'healthcareService') AS services) by
  LEFT JOIN LATERAL (
    SELECT v.id, min(v.display) AS display FROM reference v
    WHERE v.kind = l.kind AND v.release = l.release AND v.source_id = l.record AND v.path = 'location'
    GROUP BY v.id
    UNION ALL
    SELECT v.id, min(v.display) FROM reference v
    WHERE v.kind = 'service' AND v.release = l.release AND v.source_id = ANY (by.services) AND v.path = 'location'
      AND NOT EXISTS (
        SELECT FROM reference x
        WHERE x.kind = l.kind AND x.release = l.release AND x.source_id = l.record AND x.path = 'location')
    GROUP BY v.id) place ON true
  -- A limit has the server look each up by its key, whatever it thinks of how many there are.
  LEFT JOIN LATERAL (
    SELECT w.* FROM directory.practice_location w WHERE w.release = l.release AND w.source_id = place.id LIMIT 1) w ON true
  LEFT JOIN LATERAL (
    SELECT DISTINCT v.id, coalesce(x.name, v.display, v.id) AS name FROM reference v
    LEFT JOIN directory.network x ON x.release = v.release AND x.source_id = v.id
    WHERE v.kind = l.kind AND v.release = l.release AND v.source_id = l.record AND v.path IN ('network', 'newPatients.network')) n ON true
  LEFT JOIN directory.organization o ON o.release = l.release AND o.source_id = l.organization
  LEFT JOIN LATERAL (
    SELECT min(v.display) AS display FROM reference v
    WHERE o.source_id IS NULL AND v.kind = l.kind AND v.release = l.release AND v.source_id = l.record AND v.path = 'organization') named
    ON true
  LEFT JOIN LATERAL (
    SELECT array_agg(t.value ORDER BY t.value) FILTER (WHERE t.system = 'phone') AS phones,
      array_agg(t.value ORDER BY t.value) FILTER (WHERE t.system = 'fax') AS faxes
    FROM telecom t WHERE t.kind = l.kind AND t.release = l.release AND t.source_id = l.record) own ON true
  LEFT JOIN LATERAL (
    SELECT array_agg(t.value ORDER BY t.value) FILTER (WHERE t.system = 'phone') AS phones,
      array_agg(t.value ORDER BY t.value) FILTER (WHERE t.system = 'fax') AS faxes
    FROM telecom t WHERE t.kind = 'location' AND t.release = l.release AND t.source_id = w.source_id) there ON true
  WHERE w.status IS DISTINCT FROM 'inactive'
    AND (left(l.period_end, 10) >= left(d.day, length(left(l.period_end, 10)))) IS NOT FALSE
    AND (left(l.period_start, 10) <= left(d.day, length(left(l.period_start, 10)))) IS NOT FALSE
)
-- NPPES and lists: the addresses of a provider's own record, of lists with the group that is named beside them; health
-- plans: the same in each tier of their networks.
SELECT a.directory, a.pipeline, a.release, a.as_of, a.updated_on, 'address'::text AS kind, a.source_id AS record, a.source_id,
  a.npi, a.entity_type, a.name, NULL::text AS place_name, a.line_1, a.line_2, a.city, a.state, a.postal_code, a.country,
  f.organization, NULL::bigint AS organization_npi, t.network_tier AS network, t.plans,
  CASE a.pipeline WHEN 'qhp-providers' THEN (
    SELECT CASE min(c.display) WHEN 'accepting' THEN 'newpt' WHEN 'not accepting' THEN 'nopt' ELSE min(c.display) END
    FROM directory.provider_concept c WHERE c.release = a.release AND c.source_id = a.source_id AND c.path = 'accepting') END AS new_patients,
  CASE a.pipeline WHEN 'qhp-providers' THEN ARRAY(
    SELECT c.display FROM directory.provider_concept c
    WHERE c.release = a.release AND c.source_id = a.source_id AND c.path IN ('specialty', 'facility_type')
      AND c.display IS NOT NULL ORDER BY c.slot) ELSE a.specialties END AS specialties,
  CASE WHEN a.phone IS NULL THEN '{}' ELSE ARRAY[concat_ws(';ext=', a.phone, a.phone_extension)] END AS phones,
  CASE WHEN a.fax IS NULL THEN '{}' ELSE ARRAY[a.fax] END AS faxes, a.source_file_id, a.source_line
FROM address a
CROSS JOIN today d
-- In a list the line says which address is whose.
LEFT JOIN directory.provider_affiliation f ON f.release = a.release AND f.source_id = a.source_id
  AND f.source_file_id = a.source_file_id AND f.source_line = a.source_line
LEFT JOIN LATERAL (
  SELECT l.network_tier, array_agg(DISTINCT l.plan_id ORDER BY l.plan_id) AS plans
  FROM directory.provider_plan l WHERE l.release = a.release AND l.source_id = a.source_id GROUP BY l.network_tier) t
  ON a.pipeline = 'qhp-providers'
WHERE (left(a.period_end, 10) >= left(d.day, length(left(a.period_end, 10)))) IS NOT FALSE
  AND (left(a.period_start, 10) <= left(d.day, length(left(a.period_start, 10)))) IS NOT FALSE
UNION ALL
-- Groups of a list without an address in their line: there is none, or it was said in an earlier line of the provider.
SELECT s.directory, s.pipeline, s.release, s.as_of, p.updated_on, 'group', p.source_id, p.source_id, p.npi, p.entity_type,
  (SELECT concat_ws(' ', n.organization, n.first_name, n.middle_name, n.last_name, n.suffix) FROM directory.provider_name n
   WHERE n.release = p.release AND n.source_id = p.source_id AND n.slot = 1),
  NULL, NULL, NULL, NULL, NULL, NULL, NULL, f.organization, NULL, NULL, NULL, NULL,
  ARRAY(
    SELECT x.taxonomy FROM directory.provider_taxonomy x
    WHERE x.release = p.release AND x.source_id = p.source_id AND x.taxonomy IS NOT NULL ORDER BY x.slot),
  '{}', '{}', f.source_file_id, f.source_line
FROM directory.provider_affiliation f
JOIN shown s ON s.release = f.release
JOIN directory.provider p ON p.release = f.release AND p.source_id = f.source_id
WHERE f.organization IS NOT NULL AND NOT EXISTS (
  SELECT FROM directory.provider_address a WHERE a.release = p.release AND a.source_id = p.source_id
    AND a.source_file_id = f.source_file_id AND a.source_line = f.source_line)
UNION ALL
-- Further places of NPPES.
SELECT s.directory, s.pipeline, s.release, s.as_of, p.updated_on, 'location', l.source_id COLLATE "C", p.source_id, p.npi, p.entity_type,
  (SELECT concat_ws(' ', n.organization, n.first_name, n.middle_name, n.last_name, n.suffix) FROM directory.provider_name n
   WHERE n.release = p.release AND n.source_id = p.source_id AND n.slot = 1),
  NULL, l.line_1, l.line_2, l.city, l.state, l.postal_code, l.country, NULL, NULL, NULL, NULL, NULL,
  ARRAY(
    SELECT x.taxonomy FROM directory.provider_taxonomy x
    WHERE x.release = p.release AND x.source_id = p.source_id AND x.taxonomy IS NOT NULL ORDER BY x.slot),
  CASE WHEN l.phone IS NULL THEN '{}' ELSE ARRAY[concat_ws(';ext=', l.phone, l.phone_extension)] END,
  CASE WHEN l.fax IS NULL THEN '{}' ELSE ARRAY[l.fax] END, l.source_file_id, l.source_line
FROM directory.practice_location l
JOIN shown s ON s.release = l.release AND s.pipeline = 'nppes'
JOIN directory.provider p ON p.release = l.release AND p.source_id = l.npi::text
WHERE p.entity_type IS NOT NULL
UNION ALL
-- Medicare's clinicians, for their groups.
SELECT s.directory, s.pipeline, s.release, s.as_of, NULL, 'clinician', c.enrollment_id COLLATE "C", c.npi::text COLLATE "C", c.npi, 'individual',
  concat_ws(' ', c.first_name, c.middle_name, c.last_name, c.suffix), NULL, nullif(c.line_1, ''), nullif(c.line_2, ''), c.city, c.state, nullif(c.postal_code, ''), NULL, c.group_name, NULL, NULL, NULL, NULL,
  array_remove(ARRAY[c.primary_specialty, c.specialty_2, c.specialty_3, c.specialty_4, c.specialty_5], NULL),
  CASE c.phone WHEN '' THEN '{}' ELSE ARRAY[c.phone] END, '{}', c.source_file_id, c.source_line
FROM directory.clinician_location c
JOIN shown s ON s.release = c.release AND s.pipeline = 'cms-dac'
UNION ALL
SELECT * FROM acting
