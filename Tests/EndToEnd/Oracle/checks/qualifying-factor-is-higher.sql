-- By law the factor of qualifying clinicians grows faster from 2026 on: where it is not the higher one, the columns
-- were mixed up.
-- Source: section 1848(d)(1)(A) and (d)(20) of the Social Security Act.
SELECT source_line, mac, locality, qp_conversion_factor, conversion_factor
FROM {cms.anesthesia_cf}
WHERE qp_conversion_factor <= conversion_factor
