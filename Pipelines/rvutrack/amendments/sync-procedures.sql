-- What is older than the server's version is none.
DELETE FROM {rvutrack.procedure} p USING rvutrack.procedure t
WHERE t.id = p.id AND date_trunc('milliseconds', p.updated_at) < date_trunc('milliseconds', t.updated_at);

-- What belongs to a visit that the server has deleted is not brought back.
DELETE FROM {rvutrack.procedure} p USING rvutrack.visit t WHERE t.id = p.visit_id AND t.deleted_at IS NOT NULL
  AND NOT EXISTS (SELECT FROM rvutrack.procedure own WHERE own.id = p.id);
DELETE FROM {rvutrack.procedure} p USING rvutrack.visit_version v
WHERE v.id = p.visit_id AND v.is_gone AND NOT EXISTS (SELECT FROM rvutrack.visit t WHERE t.id = p.visit_id);
