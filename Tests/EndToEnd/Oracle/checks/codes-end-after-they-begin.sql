-- A code whose last day is before the day it was added.
SELECT source_line, hcpcs FROM {cms.hcpcs_code} WHERE terminated_on < added_on
