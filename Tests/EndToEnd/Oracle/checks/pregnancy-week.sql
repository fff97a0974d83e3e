-- The exported week of pregnancy is not the one that follows from the day of delivery
SELECT source_file_id, source_line FROM {doula.client}
WHERE pregnancy_week <> coalesce(doula.pregnancy_week(edd, rivulet.today()), -1)
  -- The export may be of the day on which the record was changed.
  AND pregnancy_week <> coalesce(doula.pregnancy_week(edd, updated_at::date), -1)
