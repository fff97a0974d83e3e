-- What belongs to a visit that the server has deleted is not brought back.
DELETE FROM {rvutrack.procedure} p USING rvutrack.visit t WHERE t.id = p.visit_id AND t.deleted_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM rvutrack.procedure own WHERE own.id = p.id);
DELETE FROM {rvutrack.procedure} p USING rvutrack.visit_version v
WHERE v.id = p.visit_id AND v.is_gone AND NOT EXISTS (SELECT FROM rvutrack.visit t WHERE t.id = p.visit_id);
