-- What the publisher's corrections say in words, done to the codes of their release. A row that is changed names the
-- correction as its origin.

-- New descriptions. A cell that is blank changes nothing.
UPDATE {cms.hcpcs_code} c SET
  long_description = coalesce(CASE WHEN k.action LIKE '%LONG%' THEN k.long_description END, c.long_description),
  short_description = coalesce(CASE WHEN k.action LIKE '%SHORT%' THEN k.short_description END, c.short_description),
  action_effective_on = coalesce(k.effective_on, c.action_effective_on),
  source_file_id = k.source_file_id, source_line = k.source_line
FROM {cms.hcpcs_correction} k
WHERE k.hcpcs = c.hcpcs AND k.action LIKE 'REVISE%DESC';

-- The description of the year before, from the last release of that year that is loaded.
UPDATE {cms.hcpcs_code} c SET
  long_description = p.long_description, short_description = p.short_description,
  source_file_id = k.source_file_id, source_line = k.source_line
FROM {cms.hcpcs_correction} k
JOIN LATERAL (
  SELECT o.long_description, o.short_description FROM cms.hcpcs_code o
  WHERE o.hcpcs = k.hcpcs AND o.release < k.release
    AND left(o.release, 4) = substring(k.action FROM '(\d{4}) DESCRIPTION$')
  ORDER BY o.release DESC LIMIT 1
) p ON true
WHERE k.hcpcs = c.hcpcs AND k.action LIKE '%REVERT BACK TO%';

UPDATE {cms.hcpcs_code} c SET
  asc_group = k.asc_group, asc_effective_on = k.effective_on,
  source_file_id = k.source_file_id, source_line = k.source_line
FROM {cms.hcpcs_correction} k
WHERE k.hcpcs = c.hcpcs AND k.action = 'CHANGE ASC IND/ASC EFF DATE';

INSERT INTO {cms.hcpcs_code_lab_certification}
  (release, hcpcs, slot, certification, source_file_id, source_line)
SELECT k.release, k.hcpcs, known.last + row_number() OVER (PARTITION BY k.hcpcs ORDER BY k.row),
  right(k.action, 3), k.source_file_id, k.source_line
FROM {cms.hcpcs_correction} k
CROSS JOIN LATERAL (
  SELECT coalesce(max(l.slot), 0) AS last, coalesce(bool_or(l.certification = right(k.action, 3)), false) AS is_there
  FROM {cms.hcpcs_code_lab_certification} l WHERE l.hcpcs = k.hcpcs
) known
WHERE k.action LIKE 'ADD LAB CERT CODE%' AND NOT known.is_there
  AND EXISTS (SELECT FROM {cms.hcpcs_code} c WHERE c.hcpcs = k.hcpcs);

-- Codes that should not be there, with all that belongs to them.
DELETE FROM {cms.hcpcs_code_pricing} WHERE hcpcs IN
  (SELECT hcpcs FROM {cms.hcpcs_correction} WHERE action LIKE 'DELETE%' OR action LIKE 'DO NOT ADD%');
DELETE FROM {cms.hcpcs_code_coverage_issue} WHERE hcpcs IN
  (SELECT hcpcs FROM {cms.hcpcs_correction} WHERE action LIKE 'DELETE%' OR action LIKE 'DO NOT ADD%');
DELETE FROM {cms.hcpcs_code_carrier_manual} WHERE hcpcs IN
  (SELECT hcpcs FROM {cms.hcpcs_correction} WHERE action LIKE 'DELETE%' OR action LIKE 'DO NOT ADD%');
DELETE FROM {cms.hcpcs_code_lab_certification} WHERE hcpcs IN
  (SELECT hcpcs FROM {cms.hcpcs_correction} WHERE action LIKE 'DELETE%' OR action LIKE 'DO NOT ADD%');
DELETE FROM {cms.hcpcs_code_cross_reference} WHERE hcpcs IN
  (SELECT hcpcs FROM {cms.hcpcs_correction} WHERE action LIKE 'DELETE%' OR action LIKE 'DO NOT ADD%');
DELETE FROM {cms.hcpcs_code_type_of_service} WHERE hcpcs IN
  (SELECT hcpcs FROM {cms.hcpcs_correction} WHERE action LIKE 'DELETE%' OR action LIKE 'DO NOT ADD%');
DELETE FROM {cms.hcpcs_code} WHERE hcpcs IN
  (SELECT hcpcs FROM {cms.hcpcs_correction} WHERE action LIKE 'DELETE%' OR action LIKE 'DO NOT ADD%');

-- New codes; one that the file has already gets what the correction tells of it.
INSERT INTO {cms.hcpcs_code} AS c
  (release, hcpcs, long_description, short_description, coverage, betos, asc_group, added_on, action_effective_on,
    action, source_file_id, source_line)
SELECT release, hcpcs, long_description, short_description, coverage, betos, asc_group, effective_on, effective_on,
  'A', source_file_id, source_line
FROM {cms.hcpcs_correction} WHERE action = 'ADD CODE'
ON CONFLICT (release, hcpcs) DO UPDATE SET
  long_description = coalesce(excluded.long_description, c.long_description),
  short_description = coalesce(excluded.short_description, c.short_description),
  coverage = coalesce(excluded.coverage, c.coverage), betos = coalesce(excluded.betos, c.betos),
  asc_group = coalesce(excluded.asc_group, c.asc_group), added_on = coalesce(excluded.added_on, c.added_on),
  source_file_id = excluded.source_file_id, source_line = excluded.source_line;

INSERT INTO {cms.hcpcs_code_type_of_service} (release, hcpcs, slot, type_of_service, source_file_id, source_line)
SELECT release, hcpcs, 1, type_of_service, source_file_id, source_line
FROM {cms.hcpcs_correction} WHERE action = 'ADD CODE' AND type_of_service IS NOT NULL
ON CONFLICT (release, hcpcs, slot) DO UPDATE SET type_of_service = excluded.type_of_service;

INSERT INTO {cms.hcpcs_code_pricing} (release, hcpcs, slot, pricing, source_file_id, source_line)
SELECT release, hcpcs, 1, pricing, source_file_id, source_line
FROM {cms.hcpcs_correction} WHERE action = 'ADD CODE' AND pricing IS NOT NULL
ON CONFLICT (release, hcpcs, slot) DO UPDATE SET pricing = excluded.pricing;
