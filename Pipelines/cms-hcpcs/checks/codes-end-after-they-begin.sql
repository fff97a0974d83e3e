-- A code whose last day is before the day it was added.
SELECT hcpcs FROM {cms.hcpcs_code} WHERE terminated_on < added_on
