-- A row paid from relative value units has some in both settings, has a conversion factor, and is not marked
-- as not used for Medicare payment: no amount is 0.00.
SELECT source_line, cf_class, hcpcs, modifier, status_code, nonfac_total, fac_total, conversion_factor
FROM {cms.rvu}
WHERE cms.paid_from_rvus(status_code, nonfac_total, fac_total)
  AND (nonfac_total <= 0 OR fac_total <= 0 OR conversion_factor <= 0 OR not_used_for_medicare IS NOT NULL)
