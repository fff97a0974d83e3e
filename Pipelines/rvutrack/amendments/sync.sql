-- Visits held against the versions that are published: the server's version wins, and local changes are reapplied on top of
-- it field by field. Nobody else changes a visit between this and the merge.
SELECT count(*) FROM (
  SELECT FROM rvutrack.visit t JOIN {rvutrack.visit} s ON s.id = t.id
  FOR NO KEY UPDATE OF t) held;

-- What is older than the server's version, and brings no changes, is none. Apps know times by the millisecond, the server by
-- the microsecond.
DELETE FROM {rvutrack.visit} s USING rvutrack.visit t
WHERE t.id = s.id AND s.sync_status <> 'pending_sync'
  AND date_trunc('milliseconds', s.updated_at) < date_trunc('milliseconds', t.updated_at);

-- A visit that an export brings as it is on the server is there again.
DELETE FROM rvutrack.visit_version v USING {rvutrack.visit} s
WHERE v.id = s.id AND v.is_gone AND s.sync_status <> 'pending_sync';

-- A deletion on the server wins.
DELETE FROM {rvutrack.visit} s USING rvutrack.visit_version v
WHERE v.id = s.id AND v.is_gone AND NOT EXISTS (SELECT FROM rvutrack.visit t WHERE t.id = s.id);

-- Where the server's version is the one that the changes were made to, or there is none yet, they are taken as they are.
UPDATE {rvutrack.visit} s SET sync_status = 'synced', base_updated_at = NULL
WHERE s.sync_status = 'pending_sync'
  AND NOT EXISTS (SELECT FROM rvutrack.visit t
    WHERE t.id = s.id AND (t.deleted_at IS NOT NULL OR date_trunc('milliseconds', t.updated_at) IS DISTINCT FROM date_trunc('milliseconds', s.base_updated_at)));

WITH side AS (
  SELECT t.*, b.id IS NOT NULL AS has_base, t.deleted_at IS NOT NULL AS is_deleted,
    rvutrack.reapplied(b.visit_date, t.visit_date, s.visit_date) AS new_date,
    rvutrack.reapplied(b.visit_time, t.visit_time, s.visit_time) AS new_time,
    rvutrack.reapplied(b.notes, t.notes, s.notes) AS new_notes,
    rvutrack.reapplied(b.is_no_show, t.is_no_show, s.is_no_show) AS new_no_show,
    rvutrack.reapplied(b.deleted_at, t.deleted_at, s.deleted_at) AS new_deletion,
    -- Of changes to a version that nobody knows any more none can be reapplied.
    CASE WHEN b.id IS NULL
      THEN (t.visit_date, t.visit_time, t.notes, t.is_no_show, t.deleted_at)
        IS DISTINCT FROM (s.visit_date, s.visit_time, s.notes, s.is_no_show, s.deleted_at)
      ELSE rvutrack.clashes(b.visit_date, t.visit_date, s.visit_date)
        OR rvutrack.clashes(b.visit_time, t.visit_time, s.visit_time)
        OR rvutrack.clashes(b.notes, t.notes, s.notes)
        OR rvutrack.clashes(b.is_no_show, t.is_no_show, s.is_no_show)
        OR rvutrack.clashes(b.deleted_at, t.deleted_at, s.deleted_at) END AS is_conflict
  FROM {rvutrack.visit} s
  JOIN rvutrack.visit t ON t.id = s.id
  LEFT JOIN rvutrack.visit_version b ON b.id = s.id AND NOT b.is_gone
    AND date_trunc('milliseconds', b.updated_at) = date_trunc('milliseconds', s.base_updated_at)
  WHERE s.sync_status = 'pending_sync'
), outcome AS (
  SELECT id, user_id, created_at, base_updated_at, updated_at, sync_status, is_deleted, is_conflict,
    CASE WHEN has_base AND NOT is_deleted THEN new_date ELSE visit_date END AS visit_date,
    CASE WHEN has_base AND NOT is_deleted THEN new_time ELSE visit_time END AS visit_time,
    CASE WHEN has_base AND NOT is_deleted THEN new_notes ELSE notes END AS notes,
    CASE WHEN has_base AND NOT is_deleted THEN new_no_show ELSE is_no_show END AS is_no_show,
    CASE WHEN has_base AND NOT is_deleted THEN new_deletion ELSE deleted_at END AS deleted_at,
    has_base AND NOT is_deleted AND (new_date, new_time, new_notes, new_no_show, new_deletion)
      IS DISTINCT FROM (visit_date, visit_time, notes, is_no_show, deleted_at) AS is_changed
  FROM side
)
UPDATE {rvutrack.visit} s SET
  user_id = o.user_id, visit_date = o.visit_date, visit_time = o.visit_time, notes = o.notes,
  is_no_show = o.is_no_show, deleted_at = o.deleted_at, created_at = o.created_at,
  sync_status = CASE WHEN o.is_deleted THEN o.sync_status WHEN o.is_conflict THEN 'conflict' ELSE 'synced' END,
  base_updated_at = CASE WHEN o.is_deleted THEN o.base_updated_at WHEN o.is_conflict THEN s.base_updated_at END,
  updated_at = CASE WHEN o.is_changed THEN greatest(o.updated_at, s.updated_at) ELSE o.updated_at END
FROM outcome o
WHERE s.id = o.id;
