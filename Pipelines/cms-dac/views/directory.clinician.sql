/* rivulet view
strategy: live
description: The clinicians of Medicare's current file, a row per NPI, with their groups, addresses and facilities
*/
-- What is said of the person comes again in each row: where rows differ, the first of the file counts.
SELECT c.npi, c.release,
  (array_agg(c.last_name ORDER BY c.source_line))[1] AS last_name,
  (array_agg(c.first_name ORDER BY c.source_line))[1] AS first_name,
  (array_agg(c.middle_name ORDER BY c.source_line))[1] AS middle_name,
  (array_agg(c.credential ORDER BY c.source_line))[1] AS credential,
  (array_agg(c.primary_specialty ORDER BY c.source_line))[1] AS primary_specialty,
  (array_agg(c.other_specialties ORDER BY c.source_line))[1] AS other_specialties,
  bool_or(c.has_telehealth) AS has_telehealth,
  coalesce(array_agg(DISTINCT c.group_pac_id) FILTER (WHERE c.group_pac_id <> ''), '{}') AS group_pac_ids,
  coalesce(array_agg(DISTINCT c.group_name) FILTER (WHERE c.group_name IS NOT NULL), '{}') AS groups,
  array_agg(DISTINCT concat_ws(', ', nullif(c.line_1, ''), nullif(c.line_2, ''), c.city, concat_ws(' ', c.state, nullif(c.postal_code, ''))))
    AS addresses,
  ARRAY(
    SELECT concat_ws(' ', nullif(f.ccn, ''), f.facility_type) FROM directory.facility_affiliation f
    WHERE f.npi = c.npi AND f.release = c.release ORDER BY f.ccn, f.facility_type) AS facilities
FROM directory.clinician_location c
WHERE c.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'cms-dac')
GROUP BY c.npi, c.release
