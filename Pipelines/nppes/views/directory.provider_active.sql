/* rivulet view
strategy: live
description: The providers of the current NPPES release whose NPI is active, with name, place of practice and primary taxonomy
*/
-- The release is a scalar subquery, not a join: it is answered once, before other partitions are opened.
SELECT p.npi, p.entity_type, n.organization, n.last_name, n.first_name, n.middle_name, n.prefix, n.suffix,
  n.credential, a.line_1, a.line_2, a.city, a.state, a.postal_code, a.zip4, a.country, a.phone, a.phone_extension,
  a.fax, t.taxonomy AS primary_taxonomy, t.license, t.license_state, p.enumerated_on, p.updated_on, p.certified_on,
  p.release
FROM directory.provider p
LEFT JOIN directory.provider_name n
  ON n.release = p.release AND n.source_id = p.source_id AND n.slot = 1
LEFT JOIN directory.provider_address a
  ON a.release = p.release AND a.source_id = p.source_id AND a.slot = 2
LEFT JOIN LATERAL (
  SELECT x.taxonomy, x.license, x.license_state
  FROM directory.provider_taxonomy x
  WHERE x.release = p.release AND x.source_id = p.source_id AND x.primary_switch = 'Y'
  ORDER BY x.slot
  LIMIT 1) t ON true
WHERE p.release = (SELECT release FROM rivulet.current_release WHERE pipeline = 'nppes')
  AND (p.deactivated_on IS NULL OR p.reactivated_on >= p.deactivated_on)
