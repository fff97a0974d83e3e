-- A correction that could not be done: its code is not in the release, or the description of an earlier year, to
-- which it should go back, is not loaded.
SELECT k.hcpcs, k.action, k.source_file_id, k.source_line
FROM {cms.hcpcs_correction} k
LEFT JOIN {cms.hcpcs_code} c ON c.hcpcs = k.hcpcs
WHERE k.action NOT LIKE 'DELETE%' AND k.action NOT LIKE 'DO NOT ADD%'
  AND (c.hcpcs IS NULL OR k.action LIKE '%REVERT BACK TO%' AND NOT EXISTS (
    SELECT FROM cms.hcpcs_code p
    WHERE p.hcpcs = k.hcpcs AND left(p.release, 4) = substring(k.action FROM '(\d{4}) DESCRIPTION$')))
