-- The totals of a row are its work, practice expense and malpractice, in both settings.
-- Source: CMS's record layout of the relative value file, the two TOTAL fields.
SELECT source_line, cf_class, hcpcs, modifier, nonfac_total, fac_total
FROM {cms.rvu}
WHERE nonfac_total <> work_rvu + nonfac_pe_rvu + mp_rvu
  OR fac_total <> work_rvu + fac_pe_rvu + mp_rvu
