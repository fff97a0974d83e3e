-- A code that nobody can tell the meaning of.
SELECT source_line, hcpcs FROM {cms.hcpcs_code} WHERE long_description IS NULL OR short_description IS NULL
