-- From 2007 on every file has the values of the OPPS cap: without them rows would be paid above it.
-- Source: section 1848(b)(4) of the Social Security Act, in effect from 2007.
SELECT source_line, hcpcs, modifier
FROM {cms.rvu}
WHERE release >= '2007' AND (nonfac_pe_opps IS NULL OR fac_pe_opps IS NULL OR mp_opps IS NULL)
